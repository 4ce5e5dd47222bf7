// States as bytes: the format itself, byte by byte, and what is refused.
#include "stats/state_bytes.hpp"

#include <gtest/gtest.h>
#include <limits>

namespace recta {
namespace {

TEST(StateBytes, AreLittleEndianWordsAfterTheTag) {
  StateWriter out("abcd");
  out.put(Index{0x0102030405060708});
  out.put(-2.0); // c000 0000 0000 0000
  out.put(std::vector<double>{1.0, 0.5});
  out.put(std::string_view("xyz"));
  const std::string expected("abcd"
                             "\x08\x07\x06\x05\x04\x03\x02\x01"
                             "\0\0\0\0\0\0\0\xc0"
                             "\2\0\0\0\0\0\0\0"
                             "\0\0\0\0\0\0\xf0\x3f"
                             "\0\0\0\0\0\0\xe0\x3f"
                             "\3\0\0\0\0\0\0\0xyz",
                             4 + 5 * 8 + 8 + 3);
  EXPECT_EQ(out.take(), expected);
}

TEST(StateBytes, AreReadBackToTheBit) {
  const std::vector<double> values{-0.0, 1e-310, std::numeric_limits<double>::infinity(), 3.5};
  StateWriter out("abcd");
  out.put(Index{-7});
  out.put(values);
  out.put(std::vector<double>());
  const std::string bytes = out.take();
  StateReader in("abcd", bytes);
  EXPECT_EQ(in.index(), -7);
  const std::vector<double> found = in.numbers(4);
  ASSERT_EQ(found.size(), 4U);
  for (std::size_t i = 0; i < 4; ++i)
    EXPECT_EQ(std::bit_cast<std::uint64_t>(found[i]), std::bit_cast<std::uint64_t>(values[i]));
  EXPECT_TRUE(in.numbers(0).empty());
  EXPECT_TRUE(in.done());
}

TEST(StateBytes, ThatEndEarlyOrHoldAnotherCountAreRefused) {
  StateWriter out("abcd");
  out.put(std::vector<double>{1, 2, 3});
  const std::string bytes = out.take();
  StateReader other_count("abcd", bytes);
  EXPECT_TRUE(other_count.numbers(2).empty());
  EXPECT_FALSE(other_count.good());
  for (std::size_t end = 0; end < bytes.size(); ++end) {
    StateReader in("abcd", std::string_view(bytes).substr(0, end));
    EXPECT_TRUE(in.numbers(3).empty()) << end;
    EXPECT_FALSE(in.done()) << end;
  }
}

} // namespace
} // namespace recta
