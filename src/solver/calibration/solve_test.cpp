// The maps against minima found in other ways, and the proof against maps that are not the best.
#include "objective/calibration/calibration.hpp"

#include <algorithm>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <random>

namespace recta::calibration {
namespace {

using testing::HasSubstr;

struct Sample {
  std::vector<double> evidence{}, weights{};
  std::vector<std::int32_t> truth{};
  Index classes = 2;

  CalibrationRows rows() const {
    return {
        .rows = std::ssize(truth), .classes = classes, .evidence = evidence.data(), .truth = truth, .weights = weights};
  }
};

Sample drawn(Index n, Index classes, bool weighted, unsigned seed, double ties = 0) {
  std::mt19937_64 random(seed);
  std::normal_distribution<double> noise;
  std::uniform_real_distribution<double> part(0.2, 3);
  Sample out{.classes = classes};
  for (Index i = 0; i < n; ++i) {
    const auto k = static_cast<std::int32_t>(random() % static_cast<unsigned>(classes));
    out.truth.push_back(k);
    for (Index c = 0; c < (classes == 2 ? 1 : classes); ++c) {
      double f = 1.5 * noise(random) + (classes == 2 ? 2.0 * k - 0.6 : c == k ? 1.7 : 0);
      if (ties > 0) f = ties * std::round(f / ties);
      out.evidence.push_back(f);
    }
    if (weighted) out.weights.push_back(part(random));
  }
  return out;
}

// The objective of platt, straight from its formula.
double platt_objective(const Sample& sample, double a, double c) {
  double inside = 0, outside = 0, sum = 0;
  const auto weight = [&](std::size_t i) { return sample.weights.empty() ? 1.0 : sample.weights[i]; };
  for (std::size_t i = 0; i < sample.truth.size(); ++i) (sample.truth[i] == 1 ? inside : outside) += weight(i);
  for (std::size_t i = 0; i < sample.truth.size(); ++i) {
    const double t = sample.truth[i] == 1 ? (inside + 1) / (inside + 2) : 1 / (outside + 2);
    const double p = 1 / (1 + std::exp(-(a * sample.evidence[i] + c)));
    sum -= weight(i) * (t * std::log(p) + (1 - t) * std::log(1 - p));
  }
  return sum;
}

TEST(Calibration, PlattIsTheMinimumAndItsProofSaysSo) {
  for (const bool weighted : {false, true}) {
    const Sample sample = drawn(400, 2, weighted, 5);
    const auto found = fit_calibration(Calibrator::platt, sample.rows());
    ASSERT_TRUE(found);
    const double a = found->maps[0].a, c = found->maps[0].c, best = platt_objective(sample, a, c);
    for (const double step : {1e-4, -1e-4}) {
      EXPECT_GT(platt_objective(sample, a + step, c), best);
      EXPECT_GT(platt_objective(sample, a, c + step), best);
      EXPECT_GT(platt_objective(sample, a + step, c - step), best);
    }
    const Certificate proof = prove_calibration(*found, sample.rows());
    EXPECT_EQ(proof.verdict, Verdict::proved) << proof.sentence();
    EXPECT_NEAR(proof.objective, best, 1e-9 * best);
  }
}

TEST(Calibration, ProofBoundsTheDistanceOfMapsThatAreNotTheBest) {
  const Sample sample = drawn(300, 2, true, 8);
  for (const Calibrator method : {Calibrator::platt, Calibrator::beta, Calibrator::isotonic, Calibrator::temperature}) {
    const auto best = fit_calibration(method, sample.rows());
    ASSERT_TRUE(best);
    const Certificate proof = prove_calibration(*best, sample.rows());
    EXPECT_EQ(proof.verdict, Verdict::proved) << proof.sentence();
    Calibration off = *best;
    if (method == Calibrator::isotonic)
      for (double& y : off.maps[0].y) y = 0.999 * y;
    else
      off.maps[0].a *= 1.01;
    const Certificate other = prove_calibration(off, sample.rows());
    EXPECT_EQ(other.verdict, Verdict::refuted);
    EXPECT_GE(std::get<DualityGap>(other.claim).gap, other.objective - proof.objective - 1e-12);
  }
}

// Evidence of almost one size: ln p and -ln(1 - p) are nearly the same column, so that one of the two coefficients is
// zero and the gradient of the wrong one is small. The best map with a = 0 or b = 0 alone is that of platt on the other
// column.
TEST(Calibration, ACoefficientHeldAtZeroThatWouldGrowIsNotProved) {
  for (const double spread : {1.0, 0.1, 1e-2, 1e-3, 1e-4, 3e-5, 1e-5}) {
    Sample sample = drawn(200, 2, true, 17);
    for (double& f : sample.evidence) f = 0.9 + spread * f;
    const auto best = fit_calibration(Calibrator::beta, sample.rows());
    ASSERT_TRUE(best);
    const Certificate proof = prove_calibration(*best, sample.rows());
    EXPECT_EQ(proof.verdict, Verdict::proved) << spread << proof.sentence();
    Index worse = 0;
    for (const bool first : {true, false}) {
      Sample column = sample;
      for (double& f : column.evidence) f = first ? -softplus(-f) : softplus(f);
      const auto line = fit_calibration(Calibrator::platt, column.rows());
      ASSERT_TRUE(line);
      const double missing = prove_calibration(*line, column.rows()).objective - proof.objective;
      if (!(missing > 10 * proof.tolerance * proof.null_objective)) continue;
      ++worse;
      Calibration held = *best;
      held.maps[0].a = first ? line->maps[0].a : 0, held.maps[0].b = first ? 0 : line->maps[0].a;
      held.maps[0].c = line->maps[0].c;
      const Certificate other = prove_calibration(held, sample.rows());
      EXPECT_EQ(other.verdict, Verdict::refuted) << spread << other.sentence();
      EXPECT_GE(std::get<DualityGap>(other.claim).gap, missing * (1 - 1e-6)) << spread;
    }
    EXPECT_GT(worse, 0) << spread;
  }
}

// Isotonic regression as the largest of all smallest means: v_i = max_{j<=i} min_{k>=i} mean(j..k).
TEST(Calibration, IsotonicIsTheMaximumOfTheMinimaOfMeans) {
  for (const double ties : {0.0, 0.5}) {
    const Sample sample = drawn(60, 2, true, 12, ties);
    const auto found = fit_calibration(Calibrator::isotonic, sample.rows());
    ASSERT_TRUE(found);
    const Pooled rows = pooled_ties({sample.rows(), 0});
    const std::size_t n = rows.evidence.size();
    for (std::size_t i = 0; i < n; ++i) {
      double largest = 0;
      for (std::size_t j = 0; j <= i; ++j) {
        double least = 1, weight = 0, sum = 0;
        for (std::size_t k = j; k < n; ++k) {
          weight += rows.weight[k], sum += rows.sum[k];
          if (k >= i) least = std::min(least, sum / weight);
        }
        largest = std::max(largest, least);
      }
      EXPECT_NEAR(stepped(found->maps[0], rows.evidence[i]), largest, 1e-14);
    }
    EXPECT_EQ(prove_calibration(*found, sample.rows()).verdict, Verdict::proved);
  }
}

TEST(Calibration, IsotonicByHand) {
  // Scores 1 2 3 4, of the class: no yes no yes. 2 and 3 are pooled at 1/2.
  const Sample sample{.evidence = {1, 2, 3, 4}, .weights = {}, .truth = {0, 1, 0, 1}};
  const auto found = fit_calibration(Calibrator::isotonic, sample.rows());
  ASSERT_TRUE(found);
  EXPECT_THAT(found->maps[0].x, testing::ElementsAre(1, 2, 3, 4));
  EXPECT_THAT(found->maps[0].y, testing::ElementsAre(0, 0.5, 0.5, 1));
  EXPECT_EQ(stepped(found->maps[0], 1.5), 0.25);
  EXPECT_EQ(stepped(found->maps[0], -9), 0);
  EXPECT_EQ(stepped(found->maps[0], 9), 1);
}

TEST(Calibration, WeightsAreRepeatedRows) {
  Sample once = drawn(80, 3, false, 21), twice = once;
  for (std::size_t i = 0; i < once.truth.size(); ++i) {
    once.weights.push_back(i % 3 == 0 ? 2 : 1);
    if (i % 3 != 0) continue;
    twice.truth.push_back(twice.truth[i]);
    for (std::size_t k = 0; k < 3; ++k) twice.evidence.push_back(twice.evidence[3 * i + k]);
  }
  for (const Calibrator method : {Calibrator::platt, Calibrator::beta, Calibrator::isotonic, Calibrator::temperature}) {
    const auto weighted = fit_calibration(method, once.rows()), repeated = fit_calibration(method, twice.rows());
    ASSERT_TRUE(weighted && repeated);
    std::vector<double> p(once.evidence.size()), q(once.evidence.size());
    weighted->probabilities(80, once.evidence.data(), p.data());
    repeated->probabilities(80, once.evidence.data(), q.data());
    for (std::size_t i = 0; i < p.size(); ++i) EXPECT_NEAR(p[i], q[i], 1e-9);
    EXPECT_EQ(prove_calibration(*weighted, once.rows()).verdict, Verdict::proved);
  }
}

TEST(Calibration, ProbabilitiesSumToOneAndScoresDecideAsTheyDo) {
  for (const Index classes : {2, 3, 5}) {
    const Sample sample = drawn(200, classes, false, 33, 0.25);
    for (const Calibrator method :
         {Calibrator::platt, Calibrator::beta, Calibrator::isotonic, Calibrator::temperature}) {
      const auto found = fit_calibration(method, sample.rows());
      ASSERT_TRUE(found);
      std::vector<double> p(static_cast<std::size_t>(200 * classes)), z(static_cast<std::size_t>(200 * found->width()));
      found->probabilities(200, sample.evidence.data(), p.data());
      found->scores(200, sample.evidence.data(), z.data());
      for (Index i = 0; i < 200; ++i) {
        const double* const row = p.data() + i * classes;
        double sum = 0;
        for (Index k = 0; k < classes; ++k) sum += row[k];
        EXPECT_NEAR(sum, 1, 1e-12);
        const double* const score = z.data() + i * found->width();
        EXPECT_TRUE(std::isfinite(score[0]));
        if (classes == 2)
          EXPECT_EQ(score[0] >= 0, row[1] >= row[0]);
        else
          EXPECT_EQ(std::max_element(score, score + classes) - score, std::max_element(row, row + classes) - row);
      }
    }
  }
}

TEST(Calibration, TemperatureOfScoresThatAreTooLargeIsTheirFactor) {
  // 3 of 4 rows with score 10 are right: the best probability is 3/4, a = ln 3 / 10.
  const Sample sample{.evidence = {10, 10, 10, 10}, .weights = {}, .truth = {1, 1, 1, 0}};
  const auto found = fit_calibration(Calibrator::temperature, sample.rows());
  ASSERT_TRUE(found);
  EXPECT_NEAR(found->maps[0].a, std::log(3.0) / 10, 1e-13);
  EXPECT_EQ(prove_calibration(*found, sample.rows()).verdict, Verdict::proved);
}

TEST(Calibration, EdgesHaveAnAnswerThatIsProved) {
  const Sample separated{.evidence = {-3, -2, 2, 3}, .weights = {}, .truth = {0, 0, 1, 1}};
  const Sample against{.evidence = {-3, -2, 2, 3}, .weights = {}, .truth = {1, 1, 0, 0}};
  const Sample level{.evidence = {1, 1, 1, 1}, .weights = {}, .truth = {0, 0, 0, 1}};
  const Sample large{.evidence = {-1e8, 1e8, -2e8, 3e8, 1e7}, .weights = {}, .truth = {0, 1, 0, 1, 0}};
  for (const Sample& sample : {separated, against, level, large})
    for (const Calibrator method :
         {Calibrator::platt, Calibrator::beta, Calibrator::isotonic, Calibrator::temperature}) {
      const auto found = fit_calibration(method, sample.rows());
      ASSERT_TRUE(found);
      const Certificate proof = prove_calibration(*found, sample.rows());
      EXPECT_EQ(proof.verdict, Verdict::proved) << static_cast<int>(method) << " " << proof.sentence();
      std::vector<double> p(2 * sample.truth.size());
      found->probabilities(std::ssize(sample.truth), sample.evidence.data(), p.data());
      for (const double each : p) EXPECT_TRUE(each >= 0 && each <= 1);
    }
  const auto beta = fit_calibration(Calibrator::beta, against.rows());
  EXPECT_EQ(beta->maps[0].a, 0); // it may not fall
  EXPECT_EQ(beta->maps[0].b, 0);
}

TEST(Calibration, BadRowsAreRefused) {
  const auto text = [](const Sample& sample) {
    const auto found = fit_calibration(Calibrator::platt, sample.rows());
    return found ? "no refusal" : found.error().text();
  };
  EXPECT_THAT(text({.evidence = {1, kNaN}, .weights = {}, .truth = {0, 1}}), HasSubstr("row 2: the score is nan"));
  EXPECT_THAT(text({.evidence = {1, 2}, .weights = {1, -1}, .truth = {0, 1}}), HasSubstr("row 2: the weight is -1"));
  EXPECT_THAT(text({.evidence = {1, 2}, .weights = {0, 0}, .truth = {0, 1}}),
              HasSubstr("no row has a positive weight"));
  EXPECT_THAT(calibrator_of("plat").error().text(), HasSubstr("did you mean platt?"));
}

} // namespace
} // namespace recta::calibration
