#include "stats/basis/basis_rows.hpp"
#include "stats/basis/remainders.hpp"
#include "stats/rows.hpp"
#include "stats/test_rows.hpp"

#include <cmath>
#include <gtest/gtest.h>

namespace recta {
namespace {

using testing::Table;
using testing::TableRows;

// u_1 = x_1 - 2 x_0 - 1, u_2 = x_2 - x_1 / 2 + x_0.
Basis example() {
  Basis basis{.cols = 3};
  basis.columns.push_back({.column = 1, .constant = 1.0, .terms = {{0, 2.0}}});
  basis.columns.push_back({.column = 2, .terms = {{0, -1.0}, {1, 0.5}}});
  return basis;
}

TEST(Basis, TakesWeightsThereAndBack) {
  const Basis basis = example();
  const std::vector<double> w{3, -5, 8};
  const Basis::Scores there = basis.into(w, 7.0);
  // 8 x_2 = 8 u_2 + 4 x_1 - 8 x_0, so x_1 has -1 = u_1's, and x_0 has 3 - 8 - 2.
  EXPECT_EQ(there.weights(), (std::vector<double>{-7, -1, 8}));
  EXPECT_EQ(there.b.hi, 6);
  const Basis::Scores back = basis.back(there.w, there.b);
  EXPECT_EQ(back.weights(), w);
  EXPECT_EQ(back.b.hi, 7);
}

TEST(Basis, ServesRowsWhoseScoresAreTheSame) {
  const Basis basis = example();
  const Table t = Table::integers(40, 3, 9);
  const std::vector<double> w{3, -5, 8};
  const Basis::Scores there = basis.into(w, 7.0);
  TableRows rows(t, 16);
  BasisRows based(rows, basis);
  Index at = 0;
  ASSERT_TRUE(for_each_batch(based, [&](const Batch& batch) -> Result<void> {
    const auto& x = std::get<MatrixView>(batch.x);
    for (Index i = 0; i < batch.rows(); ++i, ++at) {
      double seen = there.b.hi, plain = 7;
      for (Index j = 0; j < 3; ++j) {
        seen += there.w[j].hi * element(x, i, j);
        plain += w[j] * t.x[at * 3 + j];
      }
      EXPECT_EQ(seen, plain);
    }
    return {};
  }));
  EXPECT_EQ(at, 40);
}

TEST(Basis, KeepsTheDigitsThatColumnsDoNotShare) {
  const Table t{2, 2, 1, {1, 1 + 0x1p-50, 3, 3 + 0x1p-49}, {0, 0}, {}, {}};
  Basis basis{.cols = 2};
  basis.columns.push_back({.column = 1, .terms = {{0, 1.0}}});
  TableRows rows(t, 16);
  BasisRows based(rows, basis);
  ASSERT_TRUE(for_each_batch(based, [&](const Batch& batch) -> Result<void> {
    EXPECT_EQ(element(std::get<MatrixView>(batch.x), 0, 1), 0x1p-50);
    EXPECT_EQ(element(std::get<MatrixView>(batch.x), 1, 1), 0x1p-49);
    return {};
  }));
  Remainders sizes(std::make_shared<const Basis>(basis));
  sizes.accumulate(t.all());
  EXPECT_EQ(sizes.spread(0, false), std::sqrt(2.5) * 0x1p-50);
  EXPECT_EQ(sizes.spread(0, true), 0.5 * 0x1p-50);
  const auto read = Remainders::from_bytes(sizes.to_bytes());
  ASSERT_TRUE(read);
  EXPECT_EQ(read->squares, sizes.squares);
  EXPECT_FALSE(Remainders::from_bytes("rema"));
}

} // namespace
} // namespace recta
