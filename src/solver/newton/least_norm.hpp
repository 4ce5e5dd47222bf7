// If columns left out of a basis make several answers possible, chooses the one whose weights have the least norm.
#pragma once

#include "stats/basis/basis.hpp"

namespace recta {

// `answer`: of the columns, with zeros for those left out.
void take_least_norm(const Basis& basis, Basis::Scores& answer);

} // namespace recta
