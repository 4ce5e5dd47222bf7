// The proof of discriminants accepts the right numbers and refutes wrong ones.
#include "certificate/discriminant/rescatter.hpp"

#include <cmath>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace recta::discriminant {
namespace {

using ::testing::HasSubstr;

struct Claimed {
  Index columns = 1;
  std::vector<double> x, y;
  Shape shape{};
  Classes classes{};
  std::vector<double> prior{0.5, 0.5}, weight{2, 2}, mean{}, deviation{}, share{}, covariance{}, added{}, w{}, b{};
  std::vector<double> direction{}, ratio{}, t{}, log_determinant{};
  Index rank = 1;

  Certificate proof() const {
    const GaussianClaim claim{.shape = shape,
                              .classes = classes,
                              .columns = columns,
                              .weights_count = false,
                              .prior = prior,
                              .weight = weight,
                              .mean = mean,
                              .deviation = deviation,
                              .share = share,
                              .covariance = covariance,
                              .added = added,
                              .rank = rank,
                              .w = w,
                              .b = b,
                              .direction = direction,
                              .ratio = ratio,
                              .t = t,
                              .log_determinant = log_determinant};
    const Index n = std::ssize(y);
    Batch batch;
    batch.x = MatrixView::row_major(x.data(), n, columns);
    batch.target = MatrixView::vector(y.data(), n);
    Rescatter again(claim);
    again.accumulate(batch);
    return certify(again, n, 1e-10);
  }
};

// N(1, 1) and N(5, 4) on a line: 0, 2 and 3, 7.
Claimed two_classes(bool quadratic) {
  Claimed out{.x = {0, 2, 3, 7}, .y = {-1, -1, 1, 1}};
  out.classes.labels = {"0", "1"};
  out.shape.quadratic = quadratic;
  out.mean = {1, 5};
  if (quadratic) {
    out.covariance = {1, 4};
    out.added = {0, 0};
    out.t = {1, 0.5};
    out.log_determinant = {0, std::log(4.0)};
    return out;
  }
  out.covariance = {2.5};
  out.w = {-2 / 2.5, 2 / 2.5}; // about the mean 3
  out.b = {std::log(0.5) + 4 / 2.5, std::log(0.5) - 8 / 2.5};
  out.direction = {1 / std::sqrt(2.5)};
  out.ratio = {4 / 2.5};
  return out;
}

// The same column twice: S and R have rank 1, the eigenvector is (1, 1) / sqrt(2) with eigenvalue 2.
Claimed twice_the_column(bool quadratic) {
  Claimed out = two_classes(quadratic);
  out.columns = 2;
  out.x = {0, 0, 2, 2, 3, 3, 7, 7};
  out.mean = {1, 1, 5, 5};
  if (quadratic) {
    out.covariance = {1, 1, 1, 1, 4, 4, 4, 4};
    out.t = {1, 0, 0, 0, 0.5, 0, 0, 0}; // the second is a combination of the first
    return out;
  }
  out.covariance = {2.5, 2.5, 2.5, 2.5};
  out.w = {-1 / 2.5, -1 / 2.5, 1 / 2.5, 1 / 2.5};
  out.direction = {0.5 / std::sqrt(2.5), 0.5 / std::sqrt(2.5)};
  return out;
}

// Rows that vary in two directions in all, and in every class in two.
Claimed two_columns() {
  Claimed out = two_classes(true);
  out.columns = 2;
  out.weight = {4, 4};
  out.x = {0, 0, 2, 0, 0, 2, 2, 2, 3, 0, 7, 0, 3, 4, 7, 4};
  out.y = {-1, -1, -1, -1, 1, 1, 1, 1};
  out.mean = {1, 1, 5, 2};
  out.covariance = {1, 0, 0, 1, 4, 0, 0, 4};
  out.t = {1, 0, 0, 1, 0.5, 0, 0, 0.5};
  out.log_determinant = {0, 2 * std::log(4.0)};
  out.rank = 2;
  return out;
}

void expect_proved(const Claimed& claim) {
  EXPECT_EQ(claim.proof().verdict, Verdict::proved) << claim.proof().sentence();
}
template <class Change>
void expect_refuted(Claimed claim, const Change& change) {
  change(claim);
  EXPECT_EQ(claim.proof().verdict, Verdict::refuted) << claim.proof().sentence();
}

TEST(ProofOfDiscriminants, AcceptsTheNumbersOfThePaper) {
  for (const bool quadratic : {false, true}) {
    expect_proved(two_classes(quadratic));
    expect_proved(twice_the_column(quadratic));
  }
  expect_proved(two_columns());
}

TEST(ProofOfDiscriminants, StatesTheLikelihoodOfTheDensities) {
  // -1/4 sum log [1/2 N(x; m, v)]
  double sum = 0;
  const Claimed rows = two_classes(true);
  for (std::size_t i = 0; i < 4; ++i) {
    const double m = rows.y[i] > 0 ? 5 : 1, v = rows.y[i] > 0 ? 4 : 1;
    sum -= (std::log(0.5) - std::log(2 * M_PI * v) / 2 - (rows.x[i] - m) * (rows.x[i] - m) / (2 * v)) / 4;
  }
  EXPECT_NEAR(rows.proof().objective, sum, 1e-14);
  EXPECT_NEAR(twice_the_column(true).proof().objective, sum, 1e-14); // the second column has no part
}

TEST(ProofOfDiscriminants, ALikelihoodInFewerDirectionsIsStatedWithThem) {
  const Certificate proof = twice_the_column(false).proof();
  // The coordinate (x1 + x2) / sqrt(2) in deviations has variance 2.
  double sum = 0;
  for (const double apart : {-1, 1, -2, 2})
    sum -= (std::log(0.5) - std::log(2 * M_PI * 2) / 2 - 2 * apart * apart / 2.5 / (2 * 2)) / 4;
  EXPECT_NEAR(proof.objective, sum, 1e-13);
  EXPECT_THAT(proof.sentence(), HasSubstr("the likelihood is that of 1 directions, the rank of 2 columns"));
  EXPECT_THAT(twice_the_column(true).proof().sentence(), HasSubstr("the likelihood is that of the 1 of 2 columns"));
}

TEST(ProofOfDiscriminants, TheLikelihoodOfACovarianceByPriorsIsThatOfTheRows) {
  Claimed claim = two_classes(false);
  claim.shape.by_priors = true;
  claim.prior = {0.2, 0.8};
  const double v = 0.2 * 1 + 0.8 * 4, middle = 0.2 * 1 + 0.8 * 5;
  claim.covariance = {v};
  double sum = 0, ratio = 0;
  for (std::size_t k = 0; k < 2; ++k) {
    const double m = claim.mean[k], w = (m - middle) / v;
    claim.w.at(k) = w;
    claim.b.at(k) = std::log(claim.prior[k]) - w * (m + middle) / 2;
    ratio += claim.prior[k] * (m - middle) * w;
    for (std::size_t i = 2 * k; i < 2 * k + 2; ++i)
      sum -= (std::log(claim.prior[k]) - std::log(2 * M_PI * v) / 2 - std::pow(claim.x[i] - m, 2) / (2 * v)) / 4;
  }
  claim.direction = {1 / std::sqrt(v)};
  claim.ratio = {ratio};
  expect_proved(claim);
  EXPECT_NEAR(claim.proof().objective, sum, 1e-14);
  EXPECT_NEAR(claim.proof().null_objective, two_classes(false).proof().null_objective, 1e-14);
}

TEST(ProofOfDiscriminants, RefutesNumbersThatTheRowsDoNotGive) {
  for (const bool quadratic : {false, true}) {
    expect_refuted(two_classes(quadratic), [](Claimed& c) { c.mean[1] += 1e-8; });
    expect_refuted(two_classes(quadratic), [](Claimed& c) { c.weight[0] = 3; });
    expect_refuted(two_classes(quadratic), [](Claimed& c) { c.covariance[0] *= 1 + 1e-8; });
    expect_refuted(two_classes(quadratic), [](Claimed& c) { c.rank = 0; });
  }
  expect_refuted(two_classes(false), [](Claimed& c) { c.w[0] += 1e-8; });
  expect_refuted(two_classes(false), [](Claimed& c) { c.b[1] += 1e-8; });
  expect_refuted(two_classes(true), [](Claimed& c) { c.t[1] += 1e-8; });
  expect_refuted(two_classes(true), [](Claimed& c) { c.log_determinant[1] += 1e-6; });
  expect_refuted(two_classes(true), [](Claimed& c) { c.added[0] = 0.1; });
}

TEST(ProofOfDiscriminants, RefutesDirectionsThatDoNotSeparateBest) {
  const Claimed right = two_classes(false);
  expect_refuted(right, [](Claimed& c) { c.direction[0] *= 1 + 1e-8; });
  expect_refuted(right, [](Claimed& c) { c.direction[0] *= -1; });
  expect_refuted(right, [](Claimed& c) { c.ratio[0] *= 1 + 1e-8; });
  expect_refuted(right, [](Claimed& c) { c.ratio.clear(), c.direction.clear(); });
  expect_refuted(right, [](Claimed& c) { c.ratio.push_back(0.1), c.direction.push_back(0.1); });
  expect_refuted(twice_the_column(false), [](Claimed& c) { c.direction[0] += 1e-6, c.direction[1] -= 1e-6; });
}

TEST(ProofOfDiscriminants, RefutesFactorsWithoutColumnsThatCount) {
  expect_refuted(two_classes(true), [](Claimed& c) {
    c.t = {0, 0};
    c.log_determinant = {0, 0};
  });
  expect_refuted(two_classes(true), [](Claimed& c) {
    c.t = {0, 0};
    c.log_determinant = {0, 0};
    c.rank = 0;
  });
  const auto without_the_second = [](Claimed& c) {
    c.t = {1, 0, 0, 0, 0.5, 0, 0, 0};
    c.log_determinant = {0, std::log(4.0)};
    c.rank = 1;
  };
  expect_refuted(two_columns(), without_the_second);
  expect_refuted(two_columns(), [](Claimed& c) { // in one class alone
    c.t[3] = 0;
  });
  expect_refuted(twice_the_column(true), [](Claimed& c) { // a null vector of both covariances
    c.t[2] = 1, c.t[6] = 1;
  });
  expect_refuted(twice_the_column(true), [](Claimed& c) { // the second instead of the first
    c.t = {0, 0, 0, 1, 0, 0, 0, 0.5};
  });
}

TEST(ProofOfDiscriminants, RefutesClassesThatAreWidenedWithoutNeed) {
  for (const double added : {1e-6, 0.5})
    expect_refuted(two_classes(true), [added](Claimed& c) {
      const double v = 1 + added * 6.5; // of all rows
      c.added[0] = added;
      c.covariance[0] = v;
      c.t[0] = 1 / std::sqrt(v);
      c.log_determinant[0] = std::log(v);
    });
}

TEST(ProofOfDiscriminants, RefutesWeightsOutsideTheSpaceInWhichTheClassesVary) {
  expect_refuted(twice_the_column(false), [](Claimed& c) { // S (1, -1) = 0, and the intercepts do not change
    for (std::size_t k = 0; k < 2; ++k) c.w[2 * k] += 1, c.w[2 * k + 1] -= 1;
  });
  expect_refuted(twice_the_column(false), [](Claimed& c) { c.rank = 2; });
  expect_refuted(twice_the_column(false), [](Claimed& c) { c.rank = 0; });
}

} // namespace
} // namespace recta::discriminant
