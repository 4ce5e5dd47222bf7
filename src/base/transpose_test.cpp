#include "base/transpose.hpp"

#include <gtest/gtest.h>
#include <numeric>
#include <vector>

namespace recta {
namespace {

std::vector<double> numbered(Index count) {
  std::vector<double> out(static_cast<std::size_t>(count));
  std::iota(out.begin(), out.end(), 1.0);
  return out;
}

TEST(Transpose, WritesEveryNumberOfAMatrixByRow) {
  for (const auto& [rows, cols] : {std::pair<Index, Index>{1, 1}, {31, 70}, {64, 32}, {100, 3}}) {
    const std::vector<double> by_column = numbered(rows * cols);
    std::vector<double> by_row(by_column.size());
    write_by_row(by_column.data(), rows, cols, by_row.data());
    for (Index i = 0; i < rows; ++i)
      for (Index j = 0; j < cols; ++j)
        ASSERT_EQ(by_row[static_cast<std::size_t>(i * cols + j)], by_column[static_cast<std::size_t>(j * rows + i)]);
  }
}

TEST(Transpose, MirrorsTheUpperTriangleAndLeavesItAsItWas) {
  Pool pool(3);
  for (const Index n : {1, 2, 31, 32, 33, 100}) {
    const std::vector<double> before = numbered(n * n);
    std::vector<double> a = before;
    mirror_upper(a.data(), n, pool);
    for (Index j = 0; j < n; ++j)
      for (Index i = 0; i < n; ++i) {
        const Index row = std::min(i, j), column = std::max(i, j);
        ASSERT_EQ(a[static_cast<std::size_t>(j * n + i)], before[static_cast<std::size_t>(column * n + row)]);
      }
  }
}

} // namespace
} // namespace recta
