#include "design/row_source.hpp"

#include <bit>
#include <gtest/gtest.h>

namespace recta {
namespace {

TEST(BlockRows, is_a_power_of_two_between_256_and_4096) {
  for (Index cols = 0; cols < 3000; ++cols) {
    EXPECT_TRUE(std::has_single_bit(static_cast<std::uint64_t>(block_rows(cols)))) << cols;
    EXPECT_GE(block_rows(cols), 256) << cols;
    EXPECT_LE(block_rows(cols), 4096) << cols;
  }
}

// The grid is part of what "the same bits" means: a change here changes every answer's last digits.
TEST(BlockRows, never_changes) {
  EXPECT_EQ(block_rows(0), 4096);
  EXPECT_EQ(block_rows(13), 4096);
  EXPECT_EQ(block_rows(32), 4096);
  EXPECT_EQ(block_rows(33), 2048);
  EXPECT_EQ(block_rows(100), 1024);
  EXPECT_EQ(block_rows(500), 256);
  EXPECT_EQ(block_rows(501), 2048);
  EXPECT_EQ(block_rows(2000), 2048);
  EXPECT_EQ(block_rows(Index{1} << 40), 2048);
}

} // namespace
} // namespace recta
