#include "stats/rows.hpp"
#include "stats/shifted_rows.hpp"
#include "stats/test_rows.hpp"

#include <cmath>
#include <gtest/gtest.h>

namespace recta {
namespace {

using testing::Table;
using testing::TableRows;

TEST(ShiftedRows, TakeNothingOffColumnsWhoseMeansAreNear) {
  EXPECT_EQ(shift_of(5.8, 0.8), 0);
  EXPECT_EQ(shift_of(-16, 1), 0);
  EXPECT_EQ(shift_of(7, 0), 0); // constant
  EXPECT_TRUE(shifts_of(std::vector<double>{1, -3}, std::vector<double>{1, 1}).empty());
  EXPECT_EQ(shifts_of(std::vector<double>{1, -30}, std::vector<double>{1, 1}), (std::vector<double>{0, -30}));
}

TEST(ShiftedRows, TakeOffAMultipleOfAPowerOfTwoNearTheDeviation) {
  const double m = shift_of(1048577.3, 0.29);
  EXPECT_EQ(m, std::round(m * 4) / 4);
  EXPECT_NEAR(m, 1048577.3, 0.25);
  EXPECT_EQ(shift_of(-1e8, 1.7), -1e8);
}

// The numbers that a pass over them sees, with the parts that do not fit into a double.
std::vector<DoubleDouble> seen(RowSource& rows) {
  std::vector<DoubleDouble> out;
  EXPECT_TRUE(for_each_batch(rows, [&](const Batch& batch) -> Result<void> {
    const auto& x = std::get<MatrixView>(batch.x);
    for (Index i = 0; i < x.rows; ++i)
      for (Index j = 0; j < x.cols; ++j) out.emplace_back(element(x, i, j), element_low(x, i, j));
    return {};
  }));
  return out;
}

TEST(ShiftedRows, AreExactDifferences) {
  const Table t{3, 2, 1, {1e8 + 1, 0.1, 1e8 - 3, 1e-20, 1e8, 7}, {0, 0, 0}, {}, {}};
  TableRows rows(t, 64);
  const std::vector<double> shift{1e8, 5};
  ShiftedRows shifted(rows, shift);
  const std::vector<DoubleDouble> x = seen(shifted);
  ASSERT_EQ(x.size(), 6u);
  EXPECT_EQ(x[0].hi, 1);
  EXPECT_EQ(x[2].hi, -3);
  EXPECT_EQ(x[5].hi, 2);
  for (std::size_t s = 0; s < 6; ++s) {
    const DoubleDouble back = x[s] + shift[s % 2];
    EXPECT_EQ(back.hi, t.x[s]) << s;
  }
  EXPECT_EQ(x[3].lo, 1e-20); // 1e-20 - 5 as two doubles
}

TEST(ShiftedRows, ConstantsGoThereAndBack) {
  const std::vector<double> shift{1e8, -3}, w{0.1, 2};
  const DoubleDouble about = constant_about(shift, w, 0.25, 1);
  EXPECT_NEAR(about.hi, 1e7 - 5.75, 1e-8);
  EXPECT_EQ(constant_about(shift, w, about.hi, -1).hi + about.lo, 0.25);
}

} // namespace
} // namespace recta
