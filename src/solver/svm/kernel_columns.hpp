// The columns L of a kernel matrix K = L L', by Cholesky's method with the largest of the diagonal that is left as the
// next pivot, until nothing but rounding is left (Fine and Scheinberg 2001): smooth kernels have far fewer of them than
// rows. A machine on these columns is linear, and has the coefficients of the kernel's.
#pragma once

#include "solver/svm/kernel_rows.hpp"
#include "solver/svm/linear_rows.hpp"

#include <optional>

namespace recta::svm {

// The rows of L, about their centre if the machine has an intercept; nothing if there are more than `most` columns.
std::optional<LinearRows> kernel_columns(KernelRows<double>& rows, Index most, bool intercept, Pool& pool);

} // namespace recta::svm
