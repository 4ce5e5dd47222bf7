// Measures against examples on paper, against sums over all pairs of rows, and by the law that a whole weight is as
// good as so many rows.
#include "base/random.hpp"

#include <recta/metrics.hpp>

#include <cmath>
#include <gmock/gmock.h>

namespace recta::metric {
namespace {

using testing::DoubleNear;
using testing::ElementsAre;
using testing::HasSubstr;

struct Drawn {
  std::vector<std::int32_t> truth, predicted;
  std::vector<double> score, weight;

  Ranked ranked(bool weights) const {
    return {.truth = truth, .score = score.data(), .weights = weights ? Numbers(weight) : Numbers()};
  }
};

// Scores on a coarse grid, so that many tie; weights are whole numbers, zero among them.
Drawn drawn(std::size_t rows, std::uint64_t seed, std::uint64_t classes = 2) {
  Random random(seed);
  Drawn out;
  for (std::size_t i = 0; i < rows; ++i) {
    out.truth.push_back(static_cast<std::int32_t>(i < classes ? i : random.below(classes)));
    out.predicted.push_back(static_cast<std::int32_t>(random.below(classes)));
    out.score.push_back(std::round(4 * random.normal() + 2 * out.truth.back()) / 4);
    out.weight.push_back(i < classes ? 1 : static_cast<double>(random.below(4)));
  }
  return out;
}

// Every row as often as its weight says.
Drawn repeated(const Drawn& rows) {
  Drawn out;
  for (std::size_t i = 0; i < rows.truth.size(); ++i)
    for (double k = 0; k < rows.weight[i]; ++k) {
      out.truth.push_back(rows.truth[i]);
      out.predicted.push_back(rows.predicted[i]);
      out.score.push_back(rows.score[i]);
    }
  return out;
}

// P(positive above negative) + P(tie) / 2, pair by pair.
double area_by_pairs(const Drawn& rows) {
  double sum = 0, pairs = 0;
  for (std::size_t i = 0; i < rows.truth.size(); ++i)
    for (std::size_t j = 0; j < rows.truth.size(); ++j) {
      if (rows.truth[i] != 1 || rows.truth[j] == 1) continue;
      sum += rows.score[i] > rows.score[j] ? 1 : rows.score[i] == rows.score[j] ? 0.5 : 0;
      ++pairs;
    }
  return sum / pairs;
}

// S10 / m + S01 / n of DeLong et al., from the placements of every row, pair by pair.
double delong_by_pairs(const Drawn& rows) {
  const double area = area_by_pairs(rows);
  double sums[2] = {0, 0}, counts[2] = {0, 0};
  for (std::size_t i = 0; i < rows.truth.size(); ++i) {
    double placement = 0, others = 0;
    for (std::size_t j = 0; j < rows.truth.size(); ++j) {
      if (rows.truth[i] == rows.truth[j]) continue;
      const double ahead = rows.truth[i] == 1 ? rows.score[i] - rows.score[j] : rows.score[j] - rows.score[i];
      placement += ahead > 0 ? 1 : ahead == 0 ? 0.5 : 0;
      ++others;
    }
    const double off = placement / others - area;
    sums[rows.truth[i]] += off * off;
    ++counts[rows.truth[i]];
  }
  return std::sqrt(sums[0] / (counts[0] - 1) / counts[0] + sums[1] / (counts[1] - 1) / counts[1]);
}

TEST(Areas, OnPaper) {
  const std::vector<std::int32_t> truth = {0, 0, 1, 1};
  const std::vector<double> score = {0.1, 0.4, 0.35, 0.8};
  const Ranked rows{.truth = truth, .score = score.data()};
  EXPECT_EQ(*roc_area(rows), 0.75); // three of four pairs
  EXPECT_EQ(*average_precision(rows), 0.5 * 1 + 0.5 * (2.0 / 3));
  const Thresholds points = *thresholds(rows);
  EXPECT_THAT(points.score, ElementsAre(0.8, 0.4, 0.35, 0.1));
  EXPECT_THAT(points.positive, ElementsAre(1, 1, 2, 2));
  EXPECT_THAT(points.negative, ElementsAre(0, 1, 1, 2));
  EXPECT_THAT(roc_curve(points).x, ElementsAre(0, 0, 0.5, 0.5, 1));
  EXPECT_THAT(roc_curve(points).y, ElementsAre(0, 0.5, 0.5, 1, 1));
  EXPECT_THAT(lift_curve(points).y, ElementsAre(2, 1, DoubleNear(4.0 / 3, 1e-15), 1));
  EXPECT_EQ(gain_at(gain_curve(points), 0.25), 0.5);
  EXPECT_EQ(gain_at(gain_curve(points), 0.125), 0.25); // half way to the first row
}

TEST(Areas, AreThoseOfAllPairsAndDeLongsErrorIsThatOfAllPlacements) {
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    const Drawn rows = drawn(4 + seed, seed);
    const Drawn whole = repeated(rows);
    EXPECT_NEAR(*roc_area(rows.ranked(false)), area_by_pairs(rows), 1e-14);
    EXPECT_NEAR(*roc_area(rows.ranked(true)), area_by_pairs(whole), 1e-14);
    EXPECT_NEAR(*average_precision(rows.ranked(true)), *average_precision(whole.ranked(false)), 1e-14);
    const AreaInterval interval = *roc_area_interval(rows.ranked(false), 0.9);
    const double expected = delong_by_pairs(rows);
    if (std::isfinite(expected)) {
      EXPECT_NEAR(interval.standard_error, expected, 1e-13);
      EXPECT_NEAR(interval.upper, std::min(1.0, interval.area + 1.6448536269514722 * expected), 1e-13);
    } else {
      EXPECT_TRUE(std::isnan(interval.standard_error));
    }
  }
}

TEST(Areas, DeLongsErrorDoesNotChangeIfAllWeightsDouble) {
  const Drawn rows = drawn(300, 3);
  std::vector<double> twice = rows.weight, ones(rows.weight.size(), 1.0);
  for (double& weight : twice) weight *= 2;
  Ranked doubled = rows.ranked(true), even = rows.ranked(false);
  doubled.weights = twice;
  even.weights = ones;
  EXPECT_NEAR(roc_area_interval(doubled)->standard_error, roc_area_interval(rows.ranked(true))->standard_error, 1e-15);
  EXPECT_NEAR(roc_area_interval(even)->standard_error, roc_area_interval(rows.ranked(false))->standard_error, 1e-15);
}

TEST(Areas, HaveTheSameBitsAtAnyNumberOfThreads) {
  const Drawn rows = drawn(600'000, 5);
  for (const bool weights : {false, true}) {
    EXPECT_EQ(*roc_area(rows.ranked(weights), 1), *roc_area(rows.ranked(weights), 4));
    EXPECT_EQ(*average_precision(rows.ranked(weights), 1), *average_precision(rows.ranked(weights), 4));
  }
  std::vector<double> p;
  for (const double score : rows.score) p.push_back(1 / (1 + std::exp(-score)));
  const Probabilities two{.truth = rows.truth, .p = p, .weights = rows.weight};
  EXPECT_EQ(*log_loss(two, 0x1p-52, 1), *log_loss(two, 0x1p-52, 4));
  EXPECT_EQ(*brier(two, 1), *brier(two, 4));
  const Pairs pairs{rows.score, p, rows.weight};
  EXPECT_EQ(number_errors(pairs, 1)->error_spread, number_errors(pairs, 4)->error_spread);
}

TEST(Areas, AreUndefinedForOneClassAndHalfForEqualScores) {
  const std::vector<std::int32_t> ones = {1, 1, 1}, both = {0, 1, 1};
  const std::vector<double> score = {0.5, 0.5, 0.5}, gap = {0.5, NAN, 0.5}, negative = {1, -1, 1}, none = {0, 0, 0};
  EXPECT_TRUE(std::isnan(*roc_area({.truth = ones, .score = score.data()})));
  EXPECT_EQ(*roc_area({.truth = both, .score = score.data()}), 0.5);
  EXPECT_THAT(roc_area({.truth = both, .score = gap.data()}).error().text(), HasSubstr("row 2: the value is nan"));
  EXPECT_THAT(roc_area({.truth = both, .score = score.data(), .weights = negative}).error().text(),
              HasSubstr("row 2: the weight is -1"));
  EXPECT_THAT(roc_area({.truth = both, .score = score.data(), .weights = none}).error().text(),
              HasSubstr("all weights are zero"));
  const auto shorter = roc_area({.truth = both, .score = score.data(), .weights = Numbers(none).first(2)});
  EXPECT_THAT(shorter.error().text(), HasSubstr("there are 2, and 3 true values"));
}

TEST(Areas, OfSeveralClassesAreThoseOfTheirPairsAndRests) {
  const Drawn rows = drawn(90, 11, 3);
  std::vector<double> score;
  for (std::size_t i = 0; i < 90; ++i)
    for (int k = 0; k < 3; ++k) score.push_back(rows.score[i] * (k - 1) + 0.1 * k);
  const ClassScores all{.truth = rows.truth, .score = score.data(), .classes = 3};
  const auto rest = *one_against_rest(all, Area::roc);
  const auto pairs = *one_against_one(all);
  for (int k = 0; k < 3; ++k) {
    Drawn against;
    for (std::size_t i = 0; i < 90; ++i) {
      against.truth.push_back(rows.truth[i] == k);
      against.score.push_back(score[3 * i + static_cast<std::size_t>(k)]);
    }
    EXPECT_NEAR(rest[static_cast<std::size_t>(k)], area_by_pairs(against), 1e-14);
    for (int l = 0; l < 3; ++l) {
      Drawn two;
      for (std::size_t i = 0; i < 90; ++i) {
        if (rows.truth[i] != k && rows.truth[i] != l) continue;
        two.truth.push_back(rows.truth[i] == k);
        two.score.push_back(against.score[i]);
      }
      if (k != l) EXPECT_NEAR(pairs[static_cast<std::size_t>(3 * k + l)], area_by_pairs(two), 1e-14);
    }
  }
  EXPECT_EQ(*top_accuracy(all, 3), 1);
}

TEST(Confusion, OnPaper) {
  // Ten rows: 5 of class 0 (4 right), 3 of class 1 (2 right), 2 of class 2 (1 right).
  const std::vector<std::int32_t> truth = {0, 0, 0, 0, 0, 1, 1, 1, 2, 2}, predicted = {0, 0, 0, 0, 1, 1, 1, 0, 2, 1};
  const Confusion counts = *confusion(truth, predicted, 3);
  EXPECT_THAT(counts.weight, ElementsAre(4, 1, 0, 1, 2, 0, 0, 1, 1));
  EXPECT_EQ(counts.accuracy(), 0.7);
  EXPECT_NEAR(counts.balanced_accuracy(), (4.0 / 5 + 2.0 / 3 + 1.0 / 2) / 3, 1e-15);
  EXPECT_NEAR(counts.kappa(), 1 - 0.3 / (1 - (25 + 12 + 2) / 100.0), 1e-15);
  EXPECT_NEAR(counts.matthews(), (70 - 39) / std::sqrt((100.0 - 38) * (100 - 42)), 1e-15);
  const Rates of_one = rates(counts, Average::one, 1, 2);
  EXPECT_EQ(of_one.precision, 0.5);
  EXPECT_EQ(of_one.recall, 2.0 / 3);
  EXPECT_NEAR(of_one.f, 5 * 2 / (4 * 3 + 4.0), 1e-15);
  EXPECT_NEAR(rates(counts, Average::macro).precision, (4.0 / 5 + 2.0 / 4 + 1) / 3, 1e-15);
  EXPECT_NEAR(rates(counts, Average::weighted).recall, 0.7, 1e-15);
  EXPECT_NEAR(rates(counts, Average::micro).f, 0.7, 1e-15);
}

TEST(Confusion, AWholeWeightIsAsGoodAsSoManyRows) {
  const Drawn rows = drawn(500, 17, 4), whole = repeated(rows);
  const Confusion weighted = *confusion(rows.truth, rows.predicted, 4, rows.weight);
  EXPECT_EQ(weighted.weight, confusion(whole.truth, whole.predicted, 4)->weight);
  EXPECT_THAT(confusion(rows.truth, rows.predicted, 3).error().text(), HasSubstr("there is no class 3 among 3"));
}

TEST(Confusion, AConstantPredictionHasNoCorrelation) {
  const std::vector<std::int32_t> truth = {0, 1, 1}, constant = {1, 1, 1};
  EXPECT_EQ(confusion(truth, constant, 2)->matthews(), 0);
  EXPECT_EQ(confusion(truth, constant, 2)->kappa(), 0);
  EXPECT_TRUE(std::isnan(confusion(constant, constant, 2)->kappa()));
  EXPECT_EQ(rates(*confusion(truth, constant, 2), Average::one, 0).precision, 0); // zero to zero
}

TEST(Probabilities, OnPaper) {
  const std::vector<std::int32_t> truth = {0, 1, 1};
  const std::vector<double> p = {0.5, 0.25, 1}, weights = {1, 2, 1};
  const Probabilities rows{.truth = truth, .p = p, .weights = weights};
  EXPECT_NEAR(*log_loss(rows), (std::log(2) + 2 * std::log(4)) / 4, 1e-15);
  EXPECT_NEAR(*brier(rows), (0.25 + 2 * 0.5625) / 4, 1e-15);
  std::vector<double> both;
  for (const double one : p) both.insert(both.end(), {1 - one, one});
  const Probabilities full{.truth = truth, .p = both, .weights = weights};
  EXPECT_NEAR(*log_loss(full), *log_loss(rows), 1e-15);
  EXPECT_NEAR(*brier(full), *brier(rows), 1e-15);
  EXPECT_EQ(row_not_summing_to_one(full), std::nullopt);
  both[2] = 0.5;
  EXPECT_EQ(row_not_summing_to_one({.truth = truth, .p = both}), 1);
  both[2] = 1.5;
  EXPECT_THAT(log_loss({.truth = truth, .p = both}).error().text(), HasSubstr("probability 3: it is 1.5"));
  EXPECT_THAT(log_loss({.truth = truth, .classes = 3, .p = both}).error().text(), HasSubstr("6 of them for 3 rows"));
}

TEST(Calibration, OnPaper) {
  const std::vector<std::int32_t> truth = {0, 1, 1, 1};
  const std::vector<double> p = {0.1, 0.3, 0.5, 0.9};
  const auto bins = *calibration({.truth = truth, .score = p.data()}, 2, Bins::uniform); // 0.5 is on a bound: below it
  ASSERT_EQ(bins.size(), 2u);
  EXPECT_NEAR(bins[0].mean_probability, 0.3, 1e-15);
  EXPECT_NEAR(bins[0].share, 2.0 / 3, 1e-15);
  EXPECT_EQ(bins[1].share, 1);
  EXPECT_NEAR(calibration_error(bins), (3 * (2.0 / 3 - 0.3) + 0.1) / 4, 1e-15);
  EXPECT_NEAR(calibration_error(bins, INFINITY), 2.0 / 3 - 0.3, 1e-15);
  const auto halves = *calibration({.truth = truth, .score = p.data()}, 2, Bins::quantile);
  EXPECT_EQ(halves[0].weight, 2);
  EXPECT_NEAR(halves[0].upper, 0.4, 1e-15);
}

TEST(NumberErrors, OnPaper) {
  const std::vector<double> y = {1, 2, 4, 0}, z = {2, 2, 2, 1}, weights = {1, 1, 2, 0};
  const NumberErrors errors = *number_errors({y, z, weights});
  EXPECT_EQ(errors.mse, (1 + 0 + 2 * 4) / 4.0);
  EXPECT_EQ(errors.mae, (1 + 0 + 2 * 2) / 4.0);
  EXPECT_EQ(errors.mape, (1 + 0 + 2 * 0.5) / 4);
  EXPECT_EQ(errors.largest, 2);
  EXPECT_EQ(errors.largest_row, 2);
  EXPECT_EQ(errors.spread, (1.75 * 1.75 + 0.75 * 0.75 + 2 * 1.25 * 1.25) / 4);
  EXPECT_EQ(*median_error({y, z, weights}), (1 + 2) / 2.0); // half of the weight is reached at 1
  EXPECT_EQ(*median_error({y, z, {}}), 1);
  EXPECT_EQ(*pinball({y, z, {}}, 0.25), (0.75 * 1 + 0.25 * 2 + 0.75 * 1) / 4);
  EXPECT_EQ(*d2_pinball({y, y, {}}, 0.5), 1);
  EXPECT_EQ(explained(0, 0), 1);
  EXPECT_EQ(explained(2, 0), 0);
  EXPECT_THAT(number_errors({y, Numbers(z).first(3), {}}).error().text(), HasSubstr("there are 3, and 4 true values"));
  EXPECT_THAT(pinball({y, z, {}}, 1.5).error().text(), HasSubstr("levels from 0 to 1"));
}

} // namespace
} // namespace recta::metric
