// Scores of a model of another program, with a bound on their rounding.
#pragma once

#include "foreign/parts.hpp"
#include "foreign/rows.hpp"

namespace recta::foreign {

struct Scores {
  std::vector<double> f{}, error{};               // rows x parts, by row, with the intercept
  std::vector<double> squared{}, squared_error{}; // |w|^2 of every part
};

Result<Scores> scores_of(const ForeignModel& model, const std::vector<TheirPart>& parts, const NumberedRows& rows,
                         int threads);

} // namespace recta::foreign
