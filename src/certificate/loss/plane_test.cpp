#include "certificate/loss/plane.hpp"
#include "stats/test_rows.hpp"

#include <gtest/gtest.h>

namespace recta {
namespace {

SeparatingPlane found(const testing::Table& t, const std::vector<double>& direction, bool as_it_is = false) {
  Pool pool(2);
  testing::TableRows rows(t, 128);
  const auto seen = find_plane(direction, as_it_is, rows, pool);
  EXPECT_TRUE(seen);
  return *seen;
}

TEST(SeparatingPlane, OfRowsOnTheirSidesIsComplete) {
  const testing::Table t{4, 1, 1, {1, 2, 3, 4}, {-1, -1, 1, 1}, {}, {}};
  const SeparatingPlane seen = found(t, {2.0000001, -5.0000003});
  EXPECT_TRUE(seen.complete() && seen.exact);
  EXPECT_EQ(seen.apart, 4);
  EXPECT_FALSE(found(t, {-1, 2.5}).found);
  EXPECT_FALSE(found(t, {1, -1.5}).found); // x = 2 is on the wrong side
}

TEST(SeparatingPlane, IsMendedByRoundingWhereRowsLieOnThePlane) {
  const testing::Table t{4, 1, 1, {1, 2, 2, 3}, {-1, -1, 1, 1}, {}, {}};
  EXPECT_FALSE(found(t, {0.3, -0.6000000001}, true).found);
  const SeparatingPlane seen = found(t, {0.3, -0.6000000001});
  ASSERT_TRUE(seen.found && seen.exact && !seen.complete());
  EXPECT_EQ(seen.on_plane, 2);
  EXPECT_EQ(seen.direction[1], -2 * seen.direction[0]);
}

TEST(SeparatingPlane, DoesNotCountRowsOfWeightZero) {
  const testing::Table t{3, 1, 1, {1, 2, 9}, {-1, 1, -1}, {1, 1, 0}, {}};
  EXPECT_TRUE(found(t, {2, -3}).complete());
}

TEST(SeparatingPlane, WithZerosThatMayBeNoneIsSaidToBeSo) {
  const double third = 1.0 / 3;
  const testing::Table t{2, 1, 1, {third, 1}, {1, 1}, {}, {}};
  const SeparatingPlane seen = found(t, {1, -third}, true);
  ASSERT_TRUE(seen.found);
  EXPECT_FALSE(seen.exact); // 1/3 has all its bits
  EXPECT_EQ(seen.on_plane, 1);
}

} // namespace
} // namespace recta
