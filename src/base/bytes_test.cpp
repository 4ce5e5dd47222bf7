#include "base/bytes.hpp"

#include <cmath>
#include <gtest/gtest.h>

namespace recta {
namespace {

std::string sample() {
  ByteWriter out;
  out.number(std::uint32_t{0x01020304});
  out.index(7);
  out.real(-0.0);
  out.reals(std::vector<double>{1.5, std::nan("")});
  out.text("ridge");
  return out.take();
}

TEST(Bytes, what_was_written_is_read) {
  const std::string bytes = sample();
  ByteReader in(bytes, "test");
  EXPECT_EQ(*in.number<std::uint32_t>(), 0x01020304u);
  EXPECT_EQ(*in.index(), 7);
  EXPECT_TRUE(std::signbit(*in.real()));
  const std::vector<double> reals = *in.reals(2);
  EXPECT_EQ(reals[0], 1.5);
  EXPECT_TRUE(std::isnan(reals[1]));
  EXPECT_EQ(*in.text(), "ridge");
  EXPECT_TRUE(in.end());
}

TEST(Bytes, the_order_of_bytes_is_little_endian_everywhere) {
  ByteWriter out;
  out.number(std::uint32_t{0x01020304});
  out.reals(std::vector<double>{1.0});
  EXPECT_EQ(out.take(), std::string("\4\3\2\1"
                                    "\1\0\0\0\0\0\0\0"
                                    "\0\0\0\0\0\0\xf0\x3f",
                                    20));
}

TEST(Bytes, bytes_cut_anywhere_are_an_error_and_never_read_beyond) {
  const std::string whole = sample();
  for (std::size_t length = 0; length < whole.size(); ++length) {
    const std::string bytes = whole.substr(0, length);
    ByteReader in(bytes, "test");
    const bool read = in.number<std::uint32_t>() && in.index() && in.real() && in.reals() && in.text();
    EXPECT_FALSE(read) << length;
  }
}

TEST(Bytes, absurd_counts_ask_for_no_memory) {
  ByteWriter out;
  out.index(Index{1} << 60);
  out.real(1);
  const std::string bytes = out.take();
  const auto reals = ByteReader(bytes, "statistics of worker 3").reals();
  ASSERT_FALSE(reals);
  EXPECT_EQ(reals.error().text(),
            "statistics of worker 3, byte 8: the bytes end: 9223372036854775808 more are needed, 8 "
            "are left; write the statistics again with this version");
  EXPECT_FALSE(ByteReader(bytes, "test").text());
  const std::string negative(8, '\xff');
  EXPECT_EQ(ByteReader(negative, "test").index().error().what, "a count of -1");
}

TEST(Bytes, another_count_or_bytes_too_many_are_named) {
  ByteWriter out;
  out.reals(std::vector<double>{1, 2});
  const std::string bytes = out.take();
  EXPECT_EQ(ByteReader(bytes, "test").reals(3).error().what, "2 numbers where 3 belong");
  ByteReader in(bytes, "test");
  EXPECT_TRUE(in.index());
  EXPECT_EQ(in.end().error().what, "16 bytes too many");
}

} // namespace
} // namespace recta
