#include "base/listening.hpp"
#include "driver/clock.hpp"

#include <gtest/gtest.h>

namespace recta {
namespace {

constexpr double kMoment = 0.1, kWork = 60; // seconds: to finish, and far more than that

// Goes on until it is told to end; gives the seconds since the watch said no.
double ended_after(const Clock& clock, const double& stopped) {
  const Deadline deadline = clock.deadline();
  try {
    while (clock.seconds() < kWork) keep_going();
  } catch (const Interrupted&) {
  }
  return clock.seconds() - stopped;
}

TEST(Clock, AsksTheWatchAndEndsWorkThatDoesNot) {
  double stopped = 0;
  const Clock clock(
      [&](const Progress& progress) {
        if (progress.seconds < 0.05) return true;
        if (stopped == 0) stopped = progress.seconds;
        return false;
      },
      0);
  const double seconds = ended_after(clock, stopped);
  EXPECT_GT(seconds, kMoment / 2);
  EXPECT_LT(seconds, kWork / 2);
  EXPECT_EQ(clock.stop_reason().reason(), Stop::interrupted);
}

TEST(Clock, EndsWorkATenthOfASecondAfterAShortLimit) {
  const Clock clock({}, 0.05);
  const double limit = 0.05;
  EXPECT_GT(ended_after(clock, limit), kMoment / 2);
  EXPECT_LT(clock.seconds(), kWork / 2);
  EXPECT_EQ(clock.stop_reason().reason(), Stop::time_limit);
}

TEST(Clock, WithoutAWatchOrALimitHasNoDeadline) {
  const Clock clock({}, 0);
  const Deadline deadline = clock.deadline();
  EXPECT_FALSE(Deadline::any());
}

} // namespace
} // namespace recta
