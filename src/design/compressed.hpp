// Refuses compressed rows or columns that do not make a matrix, naming the first place.
#pragma once

#include <recta/matrix.hpp>

#include <string>

namespace recta {

// Starts ascend from 0, indices ascend strictly and are in range: what every reader of `x` takes for granted.
// Large ones are looked at by several threads; 0: all cores.
Result<void> check_sparse(const SparseView& x, const std::string& source, int threads = 1);

} // namespace recta
