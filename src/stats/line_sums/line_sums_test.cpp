// Every instruction set is compared, bit by bit, with double-double sums written out, on lines of all lengths.
#include "base/double_double.hpp"
#include "base/random.hpp"
#include "base/simd/kernels.hpp"
#include "stats/line_sums/line_sums.hpp"

#include <cmath>
#include <gtest/gtest.h>
#include <vector>

namespace recta {
namespace {

TEST(LineSums, HaveTheBitsOfPlainSumsAtEveryLevel) {
  Random random(3);
  std::vector<Index> start{0};
  std::vector<double> value;
  for (Index l = 0; l < 203; ++l) {
    const Index length = l % 7 == 0 ? 0 : l % 31 * (l % 5);
    for (Index s = 0; s < length; ++s)
      value.push_back(random.normal() * std::ldexp(1.0, static_cast<int>(s % 60) - 30));
    start.push_back(static_cast<Index>(value.size()));
  }
  const auto lines = static_cast<Index>(start.size()) - 1;
  const simd::Level before = simd::level();
  for (const simd::Level level : simd::levels()) {
    ASSERT_TRUE(simd::force(level));
    std::vector<std::vector<double>> got(4, std::vector<double>(static_cast<std::size_t>(lines), 7.0));
    line_sums(value.data(), start.data(), lines, {got[0].data(), got[1].data(), got[2].data(), got[3].data()});
    for (Index l = 0; l < lines; ++l) {
      DoubleDouble sum = 0.0, squares = 0.0;
      for (Index s = start[l]; s < start[l + 1]; ++s) {
        sum += value[s];
        squares += two_prod(value[s], value[s]);
      }
      EXPECT_EQ(DoubleDouble(got[0][l], got[1][l]), sum) << simd::name(level) << ", line " << l;
      EXPECT_EQ(DoubleDouble(got[2][l], got[3][l]), squares) << simd::name(level) << ", line " << l;
    }
  }
  simd::force(before);
}

TEST(LineSums, OfNoNumbersAreZero) {
  const std::vector<Index> start(41, 0);
  std::vector<double> got(160, 7.0);
  line_sums(nullptr, start.data(), 40, {got.data(), got.data() + 40, got.data() + 80, got.data() + 120});
  EXPECT_EQ(got, std::vector<double>(160, 0.0));
}

// A NaN is found in the sums, where reduce() looks for it.
TEST(LineSums, KeepWhatIsNotANumberInItsOwnLine) {
  std::vector<double> value(48, 1.0);
  value[5] = std::nan("");
  value[9] = INFINITY;
  std::vector<Index> start;
  for (Index l = 0; l <= 24; ++l) start.push_back(2 * l);
  std::vector<double> got(96);
  line_sums(value.data(), start.data(), 24, {got.data(), got.data() + 24, got.data() + 48, got.data() + 72});
  for (Index l = 0; l < 24; ++l) EXPECT_EQ(std::isfinite(got[48 + l]), l != 2 && l != 4);
}

} // namespace
} // namespace recta
