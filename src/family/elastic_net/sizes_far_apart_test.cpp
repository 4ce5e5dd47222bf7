// A lasso of columns whose sizes are far apart. The oracle: orthogonal columns, each of which has its own soft
// threshold, w_j = S(g_j, lambda) / h_j with g_j = <x_j, y> / n, h_j = <x_j, x_j> / n, and psi = sum |w_j|.
#include "base/random.hpp"

#include <recta/recta.hpp>

#include <bit>
#include <cmath>
#include <gtest/gtest.h>

namespace recta {
namespace {

constexpr Index kRows = 8;
constexpr double kHuge = 0x1p332, kTiny = 0x1p-332; // about 1e100 and 1e-100

struct Case {
  std::vector<double> size;
  double lambda; // in units of the column that decides
  std::size_t decides;
};

struct Problem {
  std::vector<double> x, y, w; // x by row; w: the answer
  double lambda = 0, psi = 0, objective = 0;
  Index cols = 0;

  Arrays arrays() const {
    return {.dense = MatrixView::row_major(x.data(), kRows, cols), .y = MatrixView::vector(y.data(), kRows)};
  }
};

// Columns of Hadamard's matrix, without that of ones: h_j = size^2. y = 2 z_1 - 3 z_2 + z_3 + 0.25 z_4, z_j of size 1.
Problem orthogonal(const Case& at) {
  const double slopes[] = {2, -3, 1};
  Problem out;
  out.cols = std::ssize(at.size);
  const auto sign = [](Index i, Index j) { return std::popcount(static_cast<unsigned>(i & j)) % 2 == 0 ? 1.0 : -1.0; };
  for (Index i = 0; i < kRows; ++i) {
    double y = 0.25 * sign(i, 4);
    for (Index j = 0; j < out.cols; ++j) {
      out.x.push_back(at.size[j] * sign(i, j + 1));
      y += slopes[j] * sign(i, j + 1);
    }
    out.y.push_back(y);
  }
  out.lambda = at.lambda * at.size[at.decides];
  out.objective = 0.25 * 0.25 / 2;
  for (std::size_t j = 0; j < at.size.size(); ++j) {
    const double g = slopes[j] * at.size[j], rest = std::min(std::abs(slopes[j]), out.lambda / at.size[j]);
    const double w = std::max(0.0, std::abs(g) - out.lambda) / at.size[j] / at.size[j];
    out.w.push_back(std::copysign(w, g));
    out.psi += w;
    out.objective += rest * rest / 2;
  }
  return out;
}

const Case kCases[] = {{{1, kHuge}, 0.5, 0},        {{1, kHuge}, 0.5, 1},        {{kHuge, 1}, 0.5, 1},
                       {{kTiny, 1}, 0.5, 0},        {{1, kHuge, kTiny}, 0.5, 0}, {{1, kHuge, kTiny}, 0.5, 2},
                       {{kHuge, 0x1p30, 1}, 1.5, 1}};

class SizesFarApart : public ::testing::TestWithParam<std::string> {};

TEST_P(SizesFarApart, ALassoIsThatOfSoftThresholds) {
  for (const Case& each : kCases) {
    const Problem problem = orthogonal(each);
    for (const bool bounded : {false, true}) {
      Params params{{"solver", GetParam()}};
      params.emplace(bounded ? "psi" : "lambda", bounded ? problem.psi : problem.lambda);
      const auto model = fit("lasso", problem.arrays(), {.params = params});
      ASSERT_TRUE(model) << model.error().text();
      EXPECT_EQ(model->certificate.verdict, Verdict::proved) << model->certificate.sentence();
      for (std::size_t j = 0; j < problem.w.size(); ++j)
        EXPECT_NEAR(model->linear()->targets[0].coefficients[j].value * each.size[j], problem.w[j] * each.size[j], 1e-8)
            << j << (bounded ? " under psi" : " under lambda");
    }
  }
}

// Columns that are not orthogonal: the certificate is the oracle.
TEST_P(SizesFarApart, TheyAreProvedWhateverTheirSizes) {
  Random random(3, 1);
  const double sizes[] = {1, kHuge, kTiny, 0x1p40};
  for (int k = 0; k < 40; ++k) {
    const Index n = k % 2 == 0 ? 12 : 4;
    std::vector<double> x, y, size;
    for (int j = 0; j < 4; ++j) size.push_back(sizes[static_cast<std::size_t>(random.uniform() * 4)]);
    for (Index i = 0; i < n; ++i) {
      double sum = random.uniform() - 0.5;
      for (int j = 0; j < 4; ++j) {
        const double z = 2 * random.uniform() - 1;
        x.push_back(size[j] * z);
        sum += (j + 1) * z;
      }
      y.push_back(sum);
    }
    const Arrays data{.dense = MatrixView::row_major(x.data(), n, 4), .y = MatrixView::vector(y.data(), n)};
    const double psi = random.uniform() / size[k % 4];
    const auto model = fit("lasso", data, {.params = {{"solver", GetParam()}, {"psi", psi}}});
    ASSERT_TRUE(model) << model.error().text();
    EXPECT_EQ(model->certificate.verdict, Verdict::proved) << k << ": " << model->certificate.sentence();
  }
}

INSTANTIATE_TEST_SUITE_P(Solvers, SizesFarApart, ::testing::Values("gram", "columns"),
                         [](const auto& word) { return word.param; });

} // namespace
} // namespace recta
