// The search, the judge, and if the judge proved less than there is to know and the set is small, the search in whole
// numbers and the judge again.
#pragma once

#include "certificate/separability/certify.hpp"
#include "solver/separation/separate.hpp"

namespace recta::separation {

// `problem` and `rows` are the same rows with the same signs.
Result<Separability> decide(const Labelled& problem, const LabelledRows& rows, Pool& pool, const Watch& watch);

// Whether two vectors point the same way, but for rounding. None that is zero does.
bool same_direction(const std::vector<double>& a, const std::vector<double>& b);

} // namespace recta::separation
