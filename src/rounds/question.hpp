// Questions and answers as bytes.
#pragma once

#include <recta/error.hpp>

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace recta::rounds {

// Asked of all parts at once. Without answers it is the survey: how many rows there are, and what their columns hold.
struct Question {
  std::string job = {};                  // a name that no other fit has
  std::vector<Index> first_row = {};     // of every part in the whole, and the number of all rows
  std::vector<std::string> answers = {}; // of the survey, then of every round before this one
  std::string sample = {};               // digest of the statistic of the sample: every machine has the same
  // The answer in whose place the fit was told to stop; what was asked after it is the proof of its best answer. Every
  // machine stops its fit there. -1: it goes on.
  Index stop = -1;

  // The first so many answers may be left out, for machines that have heard them.
  std::string to_bytes(std::size_t left_out = 0) const;
};
std::string new_job_name();

// The same where it is heard: many columns make answers long, and they stay where they are.
struct HeardQuestion {
  std::string job = {};
  std::vector<Index> first_row = {};
  std::vector<std::string_view> answers = {};
  std::size_t left_out = 0; // so many of them, from the first on, are not here
  std::string sample = {};
  Index stop = -1;
  bool is_survey() const { return answers.empty(); }

  // The bytes outlive it. Refused if another version of the library asked.
  static Result<HeardQuestion> from_bytes(std::string_view bytes);
};

struct PartAnswer {
  std::vector<Index> parts = {}; // that it answers for
  std::string statistic = {};
  Index rows = 0;     // survey: of the part
  bool lacks = false; // answers that the question left out; there is no statistic

  std::string to_bytes() const;
  static Result<PartAnswer> from_bytes(std::string_view bytes); // the error that was answered, if it was one
};
std::string to_bytes(const Error& error, Index part);
// Answers to a survey are kept apart, since each tells of its own part: as one string, and out of it again. An answer
// that was not joined is one.
std::string joined_surveys(std::span<const std::string> answers);
Result<std::vector<std::string>> apart(const std::string& answer);

std::string digest_of(std::string_view bytes);

} // namespace recta::rounds
