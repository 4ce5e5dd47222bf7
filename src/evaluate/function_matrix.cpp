// The values of a kernel that is a function of the caller's. It is called from one thread, and never trusted.
#include "base/guard.hpp"
#include "base/numbers.hpp"

#include <recta/kernel.hpp>

#include <cmath>
#include <fmt/format.h>
#include <optional>

namespace recta {
namespace {

void write_row(const MatrixView& x, Index i, std::vector<double>& out) {
  out.resize(at(x.cols));
  for (Index j = 0; j < x.cols; ++j) {
    const Index place = i * x.row_stride + j * x.col_stride;
    out[at(j)] = x.scalar == Scalar::float64 ? static_cast<const double*>(x.data)[place]
                                             : static_cast<double>(static_cast<const float*>(x.data)[place]);
  }
}

std::unexpected<Error> fault(Index i, Index j, const std::string& what) {
  return fail(ErrorCode::bad_data, fmt::format("kernel, row {} with row {}", i + 1, j + 1), what,
              "a kernel is a number for any two rows, the same in both orders");
}

bool same_view(const MatrixView& x, const MatrixView& z) {
  return x.data == z.data && x.rows == z.rows && x.row_stride == z.row_stride && x.col_stride == z.col_stride;
}

Result<void> check_symmetric(const std::vector<double>& k, Index n) {
  for (Index i = 0; i < n; ++i)
    for (Index j = 0; j < i; ++j) {
      const double one = k[at(i * n + j)], other = k[at(j * n + i)];
      if (std::abs(one - other) <= 1e-10 * (std::abs(one) + std::abs(other))) continue;
      return fault(i, j, fmt::format("{} here and {} in the other order", one, other));
    }
  return {};
}

// What a function throws is told, whatever it is.
std::optional<std::string> thrown(const KernelFunction& kernel, const std::vector<double>& x,
                                  const std::vector<double>& z, double& value) {
  try {
    value = kernel(x, z);
    return {};
  } catch (const std::exception& error) {
    return error.what();
  } catch (...) {
    return "no std::exception";
  }
}

} // namespace

Result<std::vector<double>> function_matrix(const KernelFunction& kernel, const MatrixView& x, const MatrixView& z) {
  return guarded("kernel", cure::kFree, [&]() -> Result<std::vector<double>> {
    if (!kernel) return fail(ErrorCode::usage, "kernel", "the function is empty", "give one");
    if (x.cols != z.cols)
      return fail(ErrorCode::bad_data, "kernel", fmt::format("rows of {} and of {} numbers", x.cols, z.cols),
                  "both sides have the same columns");
    std::vector<double> out(at(x.rows * z.rows)), one, other;
    for (Index i = 0; i < x.rows; ++i) {
      write_row(x, i, one);
      for (Index j = 0; j < z.rows; ++j) {
        write_row(z, j, other);
        double& value = out[at(i * z.rows + j)];
        if (const auto told = thrown(kernel, one, other, value)) return fault(i, j, "the function threw: " + *told);
        if (!std::isfinite(value)) return fault(i, j, fmt::format("the function gives {}", value));
      }
    }
    if (same_view(x, z))
      if (auto good = check_symmetric(out, x.rows); !good) return std::unexpected(good.error());
    return out;
  });
}

} // namespace recta
