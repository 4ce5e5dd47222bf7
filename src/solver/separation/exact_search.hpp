// The same question in whole numbers, if it is small: Wolfe's method without rounding, so its result is the answer,
// whether margins are 1e-17 or zero. It distinguishes rows that cancel only to rounding, and rows that are nearly on a
// hyperplane.
//
// Rows with multipliers of a zero sum lie on every hyperplane that has no row on its wrong side, and so does their
// span. The rows outside the span are asked again, with the rows that span it free to have multipliers of any sign: the
// point of least norm is then at right angles to them. That ends with a hyperplane that has all other rows on their
// sides, or with no rows left: then rows with positive multipliers span all rows, and only hyperplanes through all rows
// have none on a wrong side.
#pragma once

#include "solver/separation/separate.hpp"

#include <optional>

namespace recta::separation {

// Returns nothing if it would take more than this many operations on words.
std::optional<SeparationClaim> separate_exactly(const Labelled& problem, double most_work);

} // namespace recta::separation
