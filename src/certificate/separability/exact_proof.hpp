// The proofs in whole numbers. Each gives nothing if it does not hold or would take more than so many operations.
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
// The hyperplane along the least norm of the rows beyond it, or the one claimed, either turned to pass through the rows
// it is forced to, has all others on their sides.
struct Through {
  Hyperplane hyperplane;
  bool rounded = false; // as doubles it is not quite the one that was proved
};
Result<std::optional<Through>> prove_except(const SeparationClaim& claim, const Points& points,
                                            const LabelledRows& rows, double most_work, const Watch& watch);

// Only hyperplanes through all rows have none on a wrong side: rows with multipliers above zero whose v is zero span
// all.
Result<bool> prove_overlap(const std::vector<std::vector<Index>>& layers, const Points& points,
                           const LabelledRows& rows, double most_work, const Watch& watch);
// Whether doubles have every row on its side: above zero, or at zero if it is in `on`.
Result<bool> holds_as_doubles(const Hyperplane& hyperplane, const std::vector<Index>& on, const LabelledRows& rows,
                              const Watch& watch);

} // namespace recta::separation
