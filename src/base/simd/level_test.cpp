#include "base/simd/level.hpp"

#include <algorithm>
#include <gtest/gtest.h>

namespace recta::simd {
namespace {

TEST(SimdLevel, the_best_is_chosen_when_nothing_is_asked) {
  const Choice choice = choose("", {Level::scalar, Level::avx2});
  EXPECT_EQ(choice.level, Level::avx2);
  EXPECT_EQ(choice.complaint, "");
}

TEST(SimdLevel, a_level_the_machine_has_can_be_asked_for) {
  const Choice choice = choose("scalar", {Level::scalar, Level::avx2});
  EXPECT_EQ(choice.level, Level::scalar);
  EXPECT_EQ(choice.complaint, "");
}

TEST(SimdLevel, a_level_the_machine_lacks_is_a_complaint_and_the_best_is_used) {
  const Choice choice = choose("avx512", {Level::scalar, Level::avx2});
  EXPECT_EQ(choice.level, Level::avx2);
  EXPECT_EQ(choice.complaint, "RECTA_SIMD=avx512: this machine does not have it; avx2 is used");
}

TEST(SimdLevel, an_unknown_word_is_a_complaint_and_the_best_is_used) {
  const Choice choice = choose("AVX-2", {Level::scalar});
  EXPECT_EQ(choice.level, Level::scalar);
  EXPECT_EQ(choice.complaint, "RECTA_SIMD=AVX-2 is not one of scalar, avx2, avx512, neon; scalar is used");
}

TEST(SimdLevel, only_levels_of_this_machine_can_be_forced) {
  const Level before = level();
  const std::vector<Level> have = levels();
  for (Level l : {Level::scalar, Level::avx2, Level::avx512, Level::neon}) {
    const bool has = std::find(have.begin(), have.end(), l) != have.end();
    EXPECT_EQ(force(l), has);
    EXPECT_EQ(level() == l, has);
  }
  EXPECT_TRUE(force(before));
}

} // namespace
} // namespace recta::simd
