// The same question in whole numbers, where it is small: Wolfe's method without a rounding, so what it ends with is the
// answer, whether margins are 1e-17 or nothing. Rows that cancel to rounding, and rows nearly on a hyperplane, are
// told.
//
// Rows with multipliers of a zero sum lie on every hyperplane that has no row on its wrong side, and so does their
// span; the rows outside of it are asked again, with the rows that span free to have multipliers of any sign: the least
// norm is then at right angles to them. That ends with a hyperplane that has all other rows on their sides, or with
// none left: then rows with multipliers above zero span all there are, and only hyperplanes through all rows have none
// on a wrong side.
#pragma once

#include "solver/separation/separate.hpp"

#include <optional>

namespace recta::separation {

// Nothing: it would take more than so many operations on words.
std::optional<SeparationClaim> separate_exactly(const Labelled& problem, double most_work);

} // namespace recta::separation
