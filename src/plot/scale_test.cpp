#include "plot/scale.hpp"

#include <cmath>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

using namespace recta::plot;
using testing::ElementsAre;

namespace {

std::vector<std::string> labels(const Ticks& ticks) {
  std::vector<std::string> all;
  for (const Tick& tick : ticks.all)
    if (!tick.label.empty()) all.push_back(tick.label);
  return all;
}

} // namespace

TEST(LinearTicks, AreOneTwoOrFiveTimesAPowerOfTen) {
  EXPECT_THAT(labels(linear_ticks(0, 1, 5)), ElementsAre("0", "0.2", "0.4", "0.6", "0.8", "1"));
  EXPECT_THAT(labels(linear_ticks(-0.3, 10.3, 5)), ElementsAre("0", "5", "10"));
  EXPECT_THAT(labels(linear_ticks(0, 99, 5)), ElementsAre("0", "20", "40", "60", "80"));
  EXPECT_THAT(labels(linear_ticks(-7, 7, 4)), ElementsAre("−5", "0", "5"));
  EXPECT_THAT(labels(linear_ticks(1e-3, 2e-3, 5)),
              ElementsAre("0.001", "0.0012", "0.0014", "0.0016", "0.0018", "0.002"));
}

TEST(LinearTicks, SayLargePowersOnceInTheAxisLabel) {
  const Ticks large = linear_ticks(0, 3e8, 3);
  EXPECT_THAT(labels(large), ElementsAre("0", "1", "2", "3"));
  EXPECT_EQ(large.unit, "in 10⁸");
  EXPECT_EQ(large.all.back().at, 3e8);
  const Ticks small = linear_ticks(0, 4e-9, 4);
  EXPECT_THAT(labels(small), ElementsAre("0", "1", "2", "3", "4"));
  EXPECT_EQ(small.unit, "in 10⁻⁹");
}

TEST(LinearTicks, TakeALongCommonBeginningOutOfTheLabels) {
  const Ticks ticks = linear_ticks(999'999'998.5, 1'000'000'002, 4);
  EXPECT_THAT(labels(ticks), ElementsAre("−1", "0", "1", "2"));
  EXPECT_EQ(ticks.unit, "− 10⁹");
  EXPECT_EQ(ticks.all[1].at, 1e9);
  EXPECT_THAT(labels(linear_ticks(1990, 2020, 4)), ElementsAre("1990", "2000", "2010", "2020")); // years stay years
}

TEST(LogTicks, AreDecadesWithSmallTicksBetween) {
  const Ticks ticks = log_ticks(0.05, 200, 4);
  EXPECT_THAT(labels(ticks), ElementsAre("0.1", "1", "10", "100"));
  EXPECT_EQ(ticks.all.front().at, 0.05);
  EXPECT_EQ(ticks.all.back().at, 200);
  EXPECT_EQ(ticks.all.size(), 34U); // 0.05 .. 0.09, three decades of nine, 100, 200
}

TEST(LogTicks, NameTwoAndFiveWhereThereIsRoomAndSkipDecadesWhereThereIsNone) {
  EXPECT_THAT(labels(log_ticks(1, 10, 8)), ElementsAre("1", "2", "5", "10"));
  EXPECT_THAT(labels(log_ticks(1e-12, 1e4, 4)), ElementsAre("10⁻¹²", "10⁻⁸", "10⁻⁴", "10⁰", "10⁴"));
  EXPECT_THAT(labels(log_ticks(2, 4, 5)), ElementsAre("2", "2.5", "3", "3.5", "4")); // too short for decades
}

TEST(Place, MapsTheEndsOfTheRangeAndWhatIsBetween) {
  const Place linear({.low = 2, .high = 6}, {}, 100);
  EXPECT_EQ(linear(2), 0);
  EXPECT_EQ(linear(3), 25);
  EXPECT_EQ(linear(6), 100);
  const Place log({.scale = Scale::log, .low = 1, .high = 100}, {}, 100);
  EXPECT_EQ(log(10), 50);
  EXPECT_FALSE(log.holds(0));
  EXPECT_FALSE(log.holds(-1));
  EXPECT_FALSE(log.holds(1e308)); // a range of such numbers overflows
  const Place falling({.falling = true, .low = 2, .high = 6}, {}, 100);
  EXPECT_EQ(falling(3), 75);
}

TEST(Place, LeavesRoomAroundTheDataAndWidensWhatIsConstant) {
  const Place place({}, {0, 100, false}, 108);
  EXPECT_DOUBLE_EQ(place(0), 4);
  EXPECT_DOUBLE_EQ(place(100), 104);
  for (const double c : {0.0, 5.0, -3.0, 1e-300, 7e307, -7e307, 5e-324}) {
    const Place constant({}, {c, c, false}, 100);
    EXPECT_NEAR(constant(c), 50, 50) << c;
    EXPECT_LT(constant.low(), constant.high()) << c;
    EXPECT_FALSE(constant.ticks(20).all.empty()) << c;
  }
}

// Whatever the range: at least one tick, not too many, ascending, inside, and each label reads back as its place.
RC_GTEST_PROP(LinearTicks, AreFewAndInside, ()) {
  const double centre = *rc::gen::inRange(-1000, 1000) * std::pow(10.0, *rc::gen::inRange(-30, 30));
  const double half = std::pow(10.0, *rc::gen::inRange(-25, 30)) * *rc::gen::inRange(1, 1000);
  const Place place({}, {centre - half, centre + half, false}, 400);
  const Ticks ticks = place.ticks(50);
  RC_ASSERT(ticks.all.size() >= 1U);
  RC_ASSERT(ticks.all.size() <= 10U);
  for (std::size_t k = 0; k < ticks.all.size(); ++k) {
    RC_ASSERT(place(ticks.all[k].at) >= -1e-3);
    RC_ASSERT(place(ticks.all[k].at) <= 400 + 1e-3);
    if (k == 0) continue; // RC_ASSERT looks at both sides of an ||
    RC_ASSERT(ticks.all[k].at > ticks.all[k - 1].at);
    RC_ASSERT(ticks.all[k].label != ticks.all[k - 1].label);
  }
}

// Ten times the data: the same picture, with the unit ten times as large.
RC_GTEST_PROP(Place, IsTheSameInAnyUnit, ()) {
  const double low = *rc::gen::inRange(-500, 500), high = low + *rc::gen::inRange(1, 500), scale = 1024;
  const Place one({}, {low, high, false}, 300), other({}, {low * scale, high * scale, false}, 300);
  const double value = low + 0.25 * (high - low);
  RC_ASSERT(one(value) == other(value * scale));
}
