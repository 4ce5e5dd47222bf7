// Of the answers that columns left out of a basis make possible, the one of least norm of its weights.
#pragma once

#include "stats/basis/basis.hpp"

namespace recta {

// `answer`: of the columns, with zeros for those left out.
void take_least_norm(const Basis& basis, Basis::Scores& answer);

} // namespace recta
