// Why a solver stopped: a reason that code asks for, and the words that people read.
#pragma once

#include <cstdint>
#include <string>

namespace recta {

class Stop {
public:
  // Reasons that code tells apart, each with words of its own; `other` is every reason that is only read.
  enum Reason : std::uint8_t {
    other,
    tolerance_reached, // "the gap is within the tolerance"
    clean_pass,        // "a pass without a mistake"
    time_limit,
    interrupted,
    iteration_limit,
    combinations_left_out,
    constants_left_out,
    changed_by_hand
  };

  Stop() = default;
  Stop(Reason reason);     // NOLINT(google-explicit-constructor): a reason is a stop
  Stop(std::string words); // NOLINT(google-explicit-constructor): the words of a reason stand for it
  Stop(const char* words) : Stop(std::string(words)) {} // NOLINT(google-explicit-constructor)

  Reason reason() const { return reason_; }
  const std::string& text() const { return text_; }
  bool by_the_caller() const { return reason_ == time_limit || reason_ == interrupted; }

private:
  Reason reason_ = other;
  std::string text_;
};

} // namespace recta
