#include "base/double_double.hpp"
#include "loss/exp_rest.hpp"
#include "loss/row_loss.hpp"

#include <gtest/gtest.h>

namespace recta::loss {
namespace {

// The series in double-double, with 40 terms.
double slowly(double t) {
  DoubleDouble term = 1.0, sum = 0.0;
  for (int k = 1; k <= 40; ++k) {
    term = term * DoubleDouble(t) / DoubleDouble(static_cast<double>(k));
    if (k >= 2) sum += term;
  }
  return sum.hi;
}

TEST(ExpRest, IsTheSeriesToItsLastDigits) {
  for (double size = 0x1p-60; size < 1; size *= 1.17)
    for (const double t : {size, -size}) EXPECT_NEAR(exp_rest(t), slowly(t), 8 * 0x1p-53 * slowly(t)) << t;
  for (const double edge : {0x1p-10, 0.5})
    for (const double t : {std::nextafter(edge, 0), edge, std::nextafter(edge, 1), -edge})
      EXPECT_NEAR(exp_rest(t), slowly(t), 8 * 0x1p-53 * slowly(t)) << t;
  EXPECT_EQ(exp_rest(0), 0);
}

TEST(ExpRest, IsAtMostItsBoundOverAWholeRange) {
  for (const double t : {-3.0, -0.5, -1e-9, 0.0, 1e-17, 1e-9, 0.3, 2.0})
    for (const double off : {0.0, 1e-16, 1e-9, 0.1}) {
      const double most = exp_rest_at_most(t, off);
      for (const double share : {-1.0, -0.3, 0.0, 0.7, 1.0})
        EXPECT_LE(slowly(t + share * off), most) << t << " " << off;
      EXPECT_LE(most, (1 + 1e-14) * std::max(slowly(t - off), slowly(std::abs(t) + off))) << t << " " << off;
    }
}

TEST(RowLoss, SlopesAreWhatTheLossSaysOneByOne) {
  const std::vector<double> y = {0.5, 1, 3, 7}, z = {-2, 0.1, 1, 3}, v = {1, 2, 0.5, 1};
  const LossRows rows{.count = 4, .y = y.data(), .z = z.data(), .v = v.data()};
  for (const char* word : {"poisson", "gamma"}) {
    const auto loss = row_loss(word, 0, 1);
    std::vector<double> d(4), c(4);
    EXPECT_DOUBLE_EQ(loss->slopes(rows, d.data(), c.data()), loss->total(rows)) << word;
    for (std::size_t i = 0; i < 4; ++i) {
      const bool counts = std::string_view(word) == "poisson";
      EXPECT_DOUBLE_EQ(d[i], counts ? std::exp(z[i]) - y[i] : 1 - y[i] * std::exp(-z[i])) << word;
      EXPECT_DOUBLE_EQ(c[i], counts ? std::exp(z[i]) : y[i] * std::exp(-z[i])) << word;
    }
  }
}

} // namespace
} // namespace recta::loss
