// Refuses compressed rows or columns that do not form a matrix, and names the first place that is wrong.
#pragma once

#include <recta/matrix.hpp>

#include <string>

namespace recta {

// Starts ascend from 0, indices ascend strictly and are in range: every reader of `x` takes this for granted. Several
// threads check a large matrix; 0: all cores.
Result<void> check_sparse(const SparseView& x, const std::string& source, int threads = 1);

} // namespace recta
