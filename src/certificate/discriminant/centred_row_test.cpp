#include "base/double_double.hpp"
#include "base/simd/kernels.hpp"
#include "certificate/discriminant/centred_row.hpp"

#include <gtest/gtest.h>
#include <random>
#include <vector>

namespace recta::discriminant {

TEST(CentredRow, HasTheBitsOfAPlainLoopOnEveryInstructionSet) {
  const simd::Level before = simd::level();
  std::mt19937_64 random(1);
  std::normal_distribution<double> normal(1e3, 2);
  for (const simd::Level level : simd::levels())
    for (const std::size_t p : {1U, 2U, 7U, 8U, 9U, 100U}) {
      ASSERT_TRUE(simd::force(level));
      std::vector<double> mean(p), high(p), low(p), out(p), expected_high(p), expected_low(p);
      for (double& one : mean) one = normal(random);
      for (int row = 0; row < 20; ++row) {
        std::vector<double> x(p), expected(p);
        const double weight = normal(random), root = normal(random);
        for (std::size_t j = 0; j < p; ++j) {
          x[j] = normal(random);
          const double apart = x[j] - mean[j];
          const DoubleDouble sum = two_sum(expected_high[j], weight * apart);
          expected_high[j] = sum.hi;
          expected_low[j] += sum.lo;
          expected[j] = root * apart;
        }
        add_centred_row({x.data(), mean.data(), weight, root}, static_cast<Index>(p), high.data(), low.data(),
                        row % 2 == 0 ? out.data() : x.data());
        EXPECT_EQ(row % 2 == 0 ? out : x, expected);
      }
      EXPECT_EQ(high, expected_high);
      EXPECT_EQ(low, expected_low);
    }
  simd::force(before);
}

} // namespace recta::discriminant
