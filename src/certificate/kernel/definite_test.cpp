#include "certificate/kernel/definite.hpp"

#include <cmath>
#include <gtest/gtest.h>
#include <vector>

namespace recta {
namespace {

bool shown(const std::vector<double>& k) {
  Pool pool(1);
  const auto n = static_cast<Index>(std::sqrt(static_cast<double>(k.size())));
  const auto out = shown_definite(MatrixView::row_major(k.data(), n, n), pool);
  EXPECT_TRUE(out);
  return out && *out;
}

TEST(Definite, IsShownForDefiniteAndForExactlySingularMatrices) {
  EXPECT_TRUE(shown({2, 1, 1, 2}));
  EXPECT_TRUE(shown({1, 1, 1, 1}));
  EXPECT_TRUE(shown({0, 0, 0, 3}));
  EXPECT_TRUE(shown({1, 2, 3, 2, 4, 6, 3, 6, 9}));
  EXPECT_TRUE(shown({2, 1, 3, 1, 2, 3, 3, 3, 6})); // the third row is the sum of the others
  EXPECT_TRUE(shown({1e-200, 0, 0, 1e200}));
  EXPECT_TRUE(shown({1, 0.5, 0.5 + 0x1p-53, 1})); // symmetric but for rounding
}

TEST(Definite, IsNotRoundedInto) {
  EXPECT_FALSE(shown({1, 1, 1, 1 - 0x1p-50}));
  EXPECT_FALSE(shown({1, 1 + 0x1p-52, 1 + 0x1p-52, 1}));
  EXPECT_FALSE(shown({1, 0, 0, -1e-15}));
  EXPECT_FALSE(shown({0, 1e-300, 1e-300, 1}));
  EXPECT_FALSE(shown({2, 1, 3, 1, 2, 3, 3, 3, 6 - 0x1p-50}));
  EXPECT_FALSE(shown({1, 0.5, 0.25, 1})); // not symmetric
  EXPECT_FALSE(shown({1, 1 - 0x1p-53, 1, 1}));
}

} // namespace
} // namespace recta
