// A score as a table lists it: its word, what it applies to, and how it is computed for any weights.
#pragma once

#include <recta/scores.hpp>

#include <limits>

namespace recta::score {

inline constexpr double kNoNumber = std::numeric_limits<double>::quiet_NaN();

struct MeasureInput {
  const JudgedRows& rows;
  metric::Numbers weights;
  double number = kNoNumber; // the one in the word
  int threads = 0;
};

struct Measure {
  std::string stem, summary; // the word is the stem and, if there is one, the number
  double number = kNoNumber; // the usual one
  bool larger_is_better = true;
  const char* (*objection)(const JudgedRows&) = nullptr; // why it does not apply; nullptr: it does
  Result<double> (*value)(const MeasureInput&) = nullptr;
  const char* (*number_objection)(double) = nullptr; // why a number in the word will not do
  bool delong = false;                               // of two classes it has DeLong's interval
};

// One number of what was computed, or its error.
template <class Computed, class Of>
Result<double> number_from(const Result<Computed>& computed, Of&& of) {
  if (!computed) return std::unexpected(computed.error());
  return of(*computed);
}

const std::vector<Measure>& class_measures();
const std::vector<Measure>& number_measures();
const std::vector<Measure>& label_measures();
std::string word_of(const Measure& measure, double number);

} // namespace recta::score
