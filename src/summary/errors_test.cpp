// Standard errors without equal variances, by their definition in dense arithmetic, and what is refused.
#include "evaluate/diagnosis/robust.hpp"

#include <recta/recta.hpp>

#include <cmath>
#include <gtest/gtest.h>

namespace recta {
namespace {

struct Data {
  Index n;
  std::vector<double> x, y;
  std::vector<std::uint64_t> cluster;

  explicit Data(Index rows) : n(rows) {
    std::uint64_t state = 5;
    const auto draw = [&] {
      state = state * 6364136223846793005u + 1442695040888963407u;
      return static_cast<double>((state >> 33) % 2001) / 128 - 7;
    };
    for (Index i = 0; i < n; ++i) {
      x.push_back(draw());
      y.push_back(2 * x.back() + draw() * (1 + std::abs(x.back())));
      cluster.push_back(static_cast<std::uint64_t>(i % 7));
    }
  }
  Arrays arrays() const {
    Arrays out;
    out.dense = MatrixView::row_major(x.data(), n, 1);
    out.y = MatrixView::row_major(y.data(), n, 1);
    return out;
  }
};

Model fitted(const Arrays& arrays, StandardErrors errors, int threads = 2) {
  FitOptions options;
  options.errors = errors;
  options.threads = threads;
  auto model = fit("linear", arrays, options);
  EXPECT_TRUE(model) << model.error().text();
  return *std::move(model);
}

// One slope: (sum of (x - mean)^2 r^2 / (1 - h)^e) / scatter^2.
TEST(StandardErrors, OneSlopeCanBeDoneByHand) {
  const Data data(40);
  double mean = 0, scatter = 0;
  for (const double x : data.x) mean += x / 40;
  for (const double x : data.x) scatter += (x - mean) * (x - mean);
  const Model plain = fitted(data.arrays(), StandardErrors::classical);
  const TargetFit& fit = plain.linear()->targets[0];
  for (const auto& [kind, power, factor] : {std::tuple{StandardErrors::hc0, 0.0, 1.0},
                                            {StandardErrors::hc1, 0.0, 40.0 / 38},
                                            {StandardErrors::hc2, 1.0, 1.0},
                                            {StandardErrors::hc3, 2.0, 1.0}}) {
    double sum = 0;
    for (std::size_t i = 0; i < 40; ++i) {
      const double d = data.x[i] - mean, h = 1.0 / 40 + d * d / scatter;
      const double r = data.y[i] - fit.intercept.value - fit.coefficients[0].value * data.x[i];
      sum += d * d * r * r / std::pow(1 - h, power);
    }
    const Model model = fitted(data.arrays(), kind);
    EXPECT_NEAR(model.linear()->targets[0].coefficients[0].standard_error, std::sqrt(factor * sum) / scatter, 1e-14);
    EXPECT_EQ(model.linear()->errors, kind);
    EXPECT_EQ(model.linear()->targets[0].coefficients[0].value, fit.coefficients[0].value);
  }
}

TEST(StandardErrors, EveryRowItsOwnClusterIsHc0UpToItsFactor) {
  Data data(30);
  for (std::size_t i = 0; i < 30; ++i) data.cluster[i] = 1000 - i;
  Arrays arrays = data.arrays();
  const double hc0 = fitted(arrays, StandardErrors::hc0).linear()->targets[0].coefficients[0].standard_error;
  arrays.cluster = data.cluster.data();
  const Model model = fitted(arrays, StandardErrors::classical);
  EXPECT_EQ(model.linear()->errors, StandardErrors::cluster);
  EXPECT_EQ(model.linear()->clusters, 30);
  EXPECT_NEAR(model.linear()->targets[0].coefficients[0].standard_error, hc0 * std::sqrt(30.0 / 29 * 29 / 28), 1e-14);
}

TEST(StandardErrors, FrequenciesAreRowsWrittenSeveralTimes) {
  const Data data(12);
  Data written(0);
  std::vector<double> weights;
  for (std::size_t i = 0; i < 12; ++i) {
    weights.push_back(static_cast<double>(i % 3 + 1));
    for (int copy = 0; copy < weights.back(); ++copy, ++written.n) {
      written.x.push_back(data.x[i]);
      written.y.push_back(data.y[i]);
    }
  }
  Arrays counted = data.arrays();
  counted.weights = weights.data();
  for (const StandardErrors kind : {StandardErrors::hc1, StandardErrors::hc3}) {
    FitOptions options;
    options.errors = kind;
    options.weights_are = WeightMeaning::frequency;
    const auto a = fit("linear", counted, options);
    ASSERT_TRUE(a);
    const Model b = fitted(written.arrays(), kind);
    EXPECT_NEAR(a->linear()->targets[0].coefficients[0].standard_error,
                b.linear()->targets[0].coefficients[0].standard_error, 1e-14);
    EXPECT_NEAR(a->linear()->targets[0].f, b.linear()->targets[0].f, 1e-11);
  }
}

TEST(StandardErrors, SameBitsAtAnyNumberOfThreads) {
  const Data data(300000);
  Arrays arrays = data.arrays();
  const Model a = fitted(arrays, StandardErrors::hc3, 1), b = fitted(arrays, StandardErrors::hc3, 3);
  EXPECT_EQ(a.to_bytes(), b.to_bytes());
  arrays.cluster = data.cluster.data();
  EXPECT_EQ(fitted(arrays, StandardErrors::cluster, 1).to_bytes(),
            fitted(arrays, StandardErrors::cluster, 4).to_bytes());
}

TEST(StandardErrors, ARowThatDeterminesItselfHasNoVarianceToTell) {
  const std::vector<double> x{0, 0, 0, 0, 1}, y{1, 2, 1, 2, 9};
  Arrays arrays;
  arrays.dense = MatrixView::row_major(x.data(), 5, 1);
  arrays.y = MatrixView::row_major(y.data(), 5, 1);
  FitOptions options;
  options.errors = StandardErrors::hc3;
  const auto refused = fit("linear", arrays, options);
  ASSERT_FALSE(refused);
  EXPECT_NE(refused.error().text().find("row 5"), std::string::npos);
  options.errors = StandardErrors::hc1;
  EXPECT_TRUE(fit("linear", arrays, options));
}

TEST(StandardErrors, OneClusterIsRefused) {
  Data data(10);
  data.cluster.assign(10, 3);
  Arrays arrays = data.arrays();
  arrays.cluster = data.cluster.data();
  EXPECT_FALSE(fit("linear", arrays));
}

TEST(StandardErrors, SumsTravelAsBytes) {
  diagnosis::Meat meat;
  meat.kind = StandardErrors::cluster;
  meat.sums = {1, 2, 3, 4};
  meat.clusters = {{7, {1.5, 2.5}}, {9, {-1, 0}}};
  meat.alone = 3;
  const auto back = diagnosis::Meat::from_bytes(meat.to_bytes());
  ASSERT_TRUE(back);
  EXPECT_EQ(back->to_bytes(), meat.to_bytes());
  const std::string bytes = meat.to_bytes();
  for (std::size_t cut = 0; cut < bytes.size(); ++cut)
    EXPECT_FALSE(diagnosis::Meat::from_bytes(bytes.substr(0, cut))) << cut;
}

TEST(StandardErrors, TheFileKeepsThemAndWhatIntervalsNeed) {
  const Data data(20);
  const Model model = fitted(data.arrays(), StandardErrors::hc2);
  const auto back = Model::from_bytes(model.to_bytes(), "bytes");
  ASSERT_TRUE(back) << back.error().text();
  EXPECT_EQ(back->linear()->errors, StandardErrors::hc2);
  EXPECT_EQ(back->linear()->inverse_root, model.linear()->inverse_root);
  ASSERT_EQ(back->linear()->inverse_root.size(), 1u);
  // At the mean of the rows the variance of the mean is sigma^2 / n.
  const double at = model.linear()->means[0];
  const auto found = predict_interval(*back, Arrays{.dense = MatrixView::row_major(&at, 1, 1)}, 0.9, IntervalOf::mean);
  ASSERT_TRUE(found) << found.error().text();
  const double t = 1.734063606617536; // of Student's t with 18 degrees of freedom at 0.95
  EXPECT_NEAR(found->upper[0] - found->prediction[0], t * model.linear()->targets[0].sigma / std::sqrt(20.0), 1e-12);
}

} // namespace
} // namespace recta
