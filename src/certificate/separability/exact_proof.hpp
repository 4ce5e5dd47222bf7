// The proofs in whole numbers. Each gives nothing where it does not hold or would take more than so many operations.
#pragma once

#include "certificate/separability/row_pass.hpp"

namespace recta::separation {

using Points = std::map<Index, std::vector<double>>; // sign times the row, by row number

// v is least over the rows claimed, and all rows keep their distance: the margin is |v|.
Result<std::optional<Separability>> prove_widest(const SeparationClaim& claim, const Points& points,
                                                 const LabelledRows& rows, double most_work, const Watch& watch);
// Multipliers of the rows claimed whose v is zero.
std::optional<std::vector<Multiplier>> prove_zero(const SeparationClaim& claim, const Points& points,
                                                  const LabelledRows& rows, double most_work);
// The hyperplane claimed, turned to pass through the rows it is forced to, has all others on their sides.
Result<std::optional<Hyperplane>> prove_except(const SeparationClaim& claim, const Points& points,
                                               const LabelledRows& rows, double most_work, const Watch& watch);

} // namespace recta::separation
