#include "certificate/unmeasured.hpp"

#include "certificate/verdict.hpp"

#include <fmt/format.h>

namespace recta {

Certificate unmeasured(const Stop& why, double tolerance) {
  return {.claim = DualityGap{kNaN, kNaN, kNaN, false},
          .verdict = verdict_of({.is_open = true}),
          .objective = kNaN,
          .null_objective = kNaN,
          .tolerance = tolerance,
          .slack = kNaN,
          .passes = 1,
          .stop = why,
          .conditions = {}};
}

Certificate converted_from(const std::string& program, std::vector<std::string> notes) {
  return {.claim = Described{"converted",
                             fmt::format("{} fitted it, and its file says nothing of the rows; verify the file itself "
                                         "with the rows to see how far it is from its optimum",
                                         program),
                             {}},
          .verdict = verdict_of({.is_open = true}),
          .stop = Stop("converted from a model of " + program),
          .conditions = std::move(notes)};
}

} // namespace recta
