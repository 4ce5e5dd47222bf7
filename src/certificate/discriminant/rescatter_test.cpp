// The proof of discriminants accepts the right numbers and refutes wrong ones.
#include "certificate/discriminant/rescatter.hpp"

#include <cmath>
#include <gtest/gtest.h>

namespace recta::discriminant {
namespace {

// N(1, 1) and N(5, 4) on a line: 0, 2 and 3, 7.
struct TwoClasses {
  std::vector<double> x{0, 2, 3, 7}, y{-1, -1, 1, 1};
  Shape shape;
  Classes classes;
  std::vector<double> prior{0.5, 0.5}, weight{2, 2}, mean{1, 5}, deviation, covariance, added, w, b, t, log_determinant;
  Index rank = 1;

  explicit TwoClasses(bool quadratic) {
    classes.labels = {"0", "1"};
    shape.quadratic = quadratic;
    if (quadratic) {
      covariance = {1, 4};
      added = {0, 0};
      t = {1, 0.5};
      log_determinant = {0, std::log(4.0)};
      return;
    }
    covariance = {2.5};
    w = {-2 / 2.5, 2 / 2.5}; // about the mean 3
    b = {std::log(0.5) + 4 / 2.5, std::log(0.5) - 8 / 2.5};
  }
  Certificate proof() const {
    const GaussianClaim claim{shape,      classes, 1,    false, prior, weight, mean,           deviation,
                              covariance, added,   rank, w,     b,     t,      log_determinant};
    Batch batch;
    batch.x = MatrixView::row_major(x.data(), 4, 1);
    batch.target = MatrixView::vector(y.data(), 4);
    Rescatter again(claim);
    again.accumulate(batch);
    return certify(again, 4, 1e-10);
  }
};

TEST(ProofOfDiscriminants, AcceptsTheNumbersOfThePaper) {
  EXPECT_EQ(TwoClasses(false).proof().verdict, Verdict::proved) << TwoClasses(false).proof().sentence();
  EXPECT_EQ(TwoClasses(true).proof().verdict, Verdict::proved) << TwoClasses(true).proof().sentence();
}

TEST(ProofOfDiscriminants, StatesTheLikelihoodOfTheDensities) {
  // -1/4 sum log [1/2 N(x; m, v)]
  double sum = 0;
  const TwoClasses rows(true);
  for (std::size_t i = 0; i < 4; ++i) {
    const double m = rows.y[i] > 0 ? 5 : 1, v = rows.y[i] > 0 ? 4 : 1;
    sum -= (std::log(0.5) - std::log(2 * M_PI * v) / 2 - (rows.x[i] - m) * (rows.x[i] - m) / (2 * v)) / 4;
  }
  EXPECT_NEAR(rows.proof().objective, sum, 1e-14);
}

TEST(ProofOfDiscriminants, RefutesNumbersThatTheRowsDoNotGive) {
  const auto refuted = [](bool quadratic, const auto& change) {
    TwoClasses claim(quadratic);
    change(claim);
    EXPECT_EQ(claim.proof().verdict, Verdict::refuted) << claim.proof().sentence();
  };
  for (const bool quadratic : {false, true}) {
    refuted(quadratic, [](TwoClasses& c) { c.mean[1] += 1e-8; });
    refuted(quadratic, [](TwoClasses& c) { c.weight[0] = 3; });
    refuted(quadratic, [](TwoClasses& c) { c.covariance[0] *= 1 + 1e-8; });
  }
  refuted(false, [](TwoClasses& c) { c.w[0] += 1e-8; });
  refuted(false, [](TwoClasses& c) { c.b[1] += 1e-8; });
  refuted(false, [](TwoClasses& c) { c.rank = 0; });
  refuted(true, [](TwoClasses& c) { c.t[1] += 1e-8; });
  refuted(true, [](TwoClasses& c) { c.log_determinant[1] += 1e-6; });
  refuted(true, [](TwoClasses& c) { c.added[0] = 0.1; });
}

} // namespace
} // namespace recta::discriminant
