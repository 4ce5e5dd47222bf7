// Paths of classes beside fits of their own: every point, every fold, and two classes by either model.
#include <recta/estimator.hpp>
#include <recta/path.hpp>

#include <algorithm>
#include <cmath>
#include <gmock/gmock.h>
#include <random>

namespace recta {
namespace {

using testing::HasSubstr;

// Rows of normal numbers, classes 0, 1, ... by the scores of the first columns, so noisy that no plane separates them.
struct Drawn {
  Index n, p, classes;
  std::vector<double> x{}, y{}, v{};
  std::vector<std::int64_t> start{0}, index{}; // if only every so many numbers are stored
  std::vector<double> value{};

  Drawn(Index rows, Index cols, Index count, unsigned seed, double share = 1) : n(rows), p(cols), classes(count) {
    std::mt19937_64 random(seed);
    std::normal_distribution<double> normal;
    std::uniform_real_distribution<double> uniform;
    for (Index i = 0; i < n; ++i) {
      Index own = 0;
      double best = -INFINITY;
      for (Index j = 0; j < p; ++j) {
        const double drawn = uniform(random) < share ? normal(random) + (j == 0 ? 2 : 0) : 0;
        x.push_back(drawn);
        if (drawn != 0) index.push_back(j), value.push_back(drawn);
      }
      start.push_back(std::ssize(index));
      for (Index k = 0; k < classes; ++k) {
        const double z = x[static_cast<std::size_t>(i * p + k)] + 1.5 * normal(random);
        if (z > best) best = z, own = k;
      }
      y.push_back(static_cast<double>(own));
      v.push_back(static_cast<double>(1 + i % 3));
    }
  }

  Arrays arrays() const {
    return {.dense = MatrixView::row_major(x.data(), n, p), .y = MatrixView::vector(y.data(), n), .weights = v.data()};
  }
  Arrays sparse() const {
    return {.sparse = {n, p, start.data(), index.data(), value.data(), IndexWidth::bits64},
            .y = MatrixView::vector(y.data(), n),
            .weights = v.data()};
  }
  // The rows that `keep` selects.
  template <class Keep>
  Drawn some(Keep keep) const {
    Drawn out = *this;
    out.n = 0;
    for (auto* each : {&out.x, &out.y, &out.v}) each->clear();
    for (Index i = 0; i < n; ++i) {
      if (!keep(i)) continue;
      ++out.n;
      out.x.insert(out.x.end(), x.begin() + i * p, x.begin() + (i + 1) * p);
      out.y.push_back(y[static_cast<std::size_t>(i)]);
      out.v.push_back(v[static_cast<std::size_t>(i)]);
    }
    return out;
  }

  // Sum v (log sum_k exp(z_k) - z_y) / sum v, as it is written.
  double log_loss(const std::vector<double>& w, const std::vector<double>& b) const {
    double sum = 0, weight = 0;
    for (Index i = 0; i < n; ++i) {
      double total = 0, own = 0;
      for (Index k = 0; k < classes; ++k) {
        double z = b[static_cast<std::size_t>(k)];
        for (Index j = 0; j < p; ++j)
          z += w[static_cast<std::size_t>(k * p + j)] * x[static_cast<std::size_t>(i * p + j)];
        total += std::exp(z);
        if (static_cast<Index>(y[static_cast<std::size_t>(i)]) == k) own = z;
      }
      sum += v[static_cast<std::size_t>(i)] * (std::log(total) - own);
      weight += v[static_cast<std::size_t>(i)];
    }
    return sum / weight;
  }
};

struct Weights {
  std::vector<double> w, b;
};
Weights weights_of(const Model& model) {
  Weights out;
  for (const TargetFit& fit : model.linear()->targets) {
    out.b.push_back(fit.intercept.value);
    for (const Coefficient& c : fit.coefficients) out.w.push_back(c.value);
  }
  return out;
}

Params with(double share, double lambda = NAN) {
  Params params;
  if (share > 0) params["l1-share"] = share;
  if (!std::isnan(lambda)) params["lambda"] = lambda;
  return params;
}

double gap_of(const Certificate& certificate) {
  return std::get<DualityGap>(certificate.claim).gap;
}

std::string refusal(const Result<Path>& made) {
  return made ? "nothing was refused" : made.error().text();
}

void expect_cold_fits(const Path& path, const Arrays& arrays, const FitOptions& base, double share, double near) {
  for (const PathPoint& point : path.points) {
    FitOptions options = base;
    options.params = with(share, point.lambda);
    const auto cold = fit("softmax", arrays, options);
    ASSERT_TRUE(cold) << cold.error().text();
    ASSERT_EQ(cold->certificate.verdict, Verdict::proved) << point.lambda;
    EXPECT_TRUE(point.proved) << point.lambda;
    const double rounding = 1e-14 * point.objective;
    EXPECT_LE(std::abs(point.objective - cold->certificate.objective), point.gap + gap_of(cold->certificate) + rounding)
        << point.lambda;
    const Weights found = weights_of(*cold);
    for (std::size_t s = 0; s < found.w.size(); ++s) EXPECT_NEAR(point.coefficients[s], found.w[s], near) << s;
    for (std::size_t k = 0; k < found.b.size(); ++k) EXPECT_NEAR(point.intercepts[k], found.b[k], 4 * near) << k;
  }
}

TEST(SoftmaxPath, EveryPointIsAFitOfItsOwn) {
  const Drawn rows(150, 5, 3, 1);
  for (const double share : {0.0, 0.4, 1.0})
    for (const bool standardise : {false, true}) {
      const FitOptions options{.standardise = standardise, .params = with(share)};
      const auto made = path("softmax", rows.arrays(), options, {.count = 8, .ratio = 1e-3});
      ASSERT_TRUE(made) << made.error().text();
      ASSERT_EQ(made->points.size(), 8u);
      EXPECT_THAT(made->classes, testing::ElementsAre("0", "1", "2"));
      expect_cold_fits(*made, rows.arrays(), {.standardise = standardise}, share, 1e-6);
      if (share > 0) {
        EXPECT_EQ(made->points[0].nonzero, 0);
        EXPECT_GT(made->points[1].nonzero, 0);
      }
    }
}

TEST(SoftmaxPath, WithoutAnInterceptToo) {
  const Drawn rows(120, 4, 3, 2);
  for (const double share : {0.0, 1.0}) {
    const auto made =
        path("softmax", rows.arrays(), {.intercept = false, .params = with(share)}, {.count = 5, .ratio = 1e-2});
    ASSERT_TRUE(made) << made.error().text();
    expect_cold_fits(*made, rows.arrays(), {.intercept = false}, share, 1e-6);
    EXPECT_EQ(made->points.back().intercepts, (std::vector<double>{0, 0, 0}));
  }
}

// More sparse columns than p x p sums are worth: over sets of columns, or by their diagonal.
TEST(SoftmaxPath, OfManySparseColumnsIsThatOfFitsOfTheirOwn) {
  const Drawn rows(150, 520, 3, 3, 0.05);
  for (const double share : {0.0, 0.5, 1.0}) {
    const auto made =
        path("softmax", rows.sparse(), {.params = with(share)}, {.count = 5, .ratio = share > 0 ? 0.1 : 1e-3});
    ASSERT_TRUE(made) << made.error().text();
    expect_cold_fits(*made, rows.sparse(), {}, share, 1e-5);
  }
}

TEST(SoftmaxPath, EndsWithoutAPenaltyAtTheCentredMaximum) {
  const Drawn rows(150, 4, 3, 4);
  for (const double share : {0.0, 0.5, 1.0}) {
    const auto made = path("softmax", rows.arrays(), {.params = with(share)}, {.lambdas = {0, 0.1, 0.01}});
    ASSERT_TRUE(made) << made.error().text();
    const auto cold = fit("softmax", rows.arrays());
    ASSERT_TRUE(cold) << cold.error().text();
    const PathPoint& last = made->points.back();
    EXPECT_EQ(last.lambda, 0);
    EXPECT_TRUE(last.proved);
    const Weights found = weights_of(*cold);
    for (std::size_t s = 0; s < found.w.size(); ++s) EXPECT_NEAR(last.coefficients[s], found.w[s], 1e-7) << s;
  }
}

TEST(SoftmaxPath, ItsFiguresAreThoseOfItsCoefficients) {
  const Drawn rows(150, 5, 4, 5);
  const double share = 0.6;
  const auto made = path("softmax", rows.arrays(), {.params = with(share)}, {.count = 6, .ratio = 1e-3});
  ASSERT_TRUE(made) << made.error().text();
  double n = 0, null = 0;
  std::vector<double> own(4);
  for (std::size_t i = 0; i < rows.y.size(); ++i) n += rows.v[i], own[static_cast<std::size_t>(rows.y[i])] += rows.v[i];
  for (const double weight : own) null -= weight / n * std::log(weight / n);
  for (const PathPoint& point : made->points) {
    const double loss = rows.log_loss(point.coefficients, point.intercepts);
    double l1 = 0, l2 = 0, d = 3;
    Index features = 0;
    for (std::size_t j = 0; j < 5; ++j) {
      int used = 0;
      for (std::size_t s = j; s < 20; s += 5) {
        l1 += std::abs(point.coefficients[s]), l2 += point.coefficients[s] * point.coefficients[s] / 2;
        used += point.coefficients[s] != 0;
      }
      features += used > 0;
      d += std::min(used, 3);
    }
    EXPECT_NEAR(point.log_loss, loss, 1e-13);
    EXPECT_NEAR(point.d2, 1 - loss / null, 1e-12);
    EXPECT_NEAR(point.objective, loss + point.lambda * (share * l1 + (1 - share) * l2), 1e-13);
    EXPECT_EQ(point.nonzero, features);
    EXPECT_NEAR(point.aic, 2 * n * loss + 2 * d, 1e-9);
    EXPECT_NEAR(point.bic, 2 * n * loss + d * std::log(n), 1e-9);
  }
}

TEST(SoftmaxPath, LossesOfFoldsAreThoseOfFitsToTheOthers) {
  const Drawn rows(120, 4, 3, 6);
  std::vector<std::int32_t> of;
  for (Index i = 0; i < rows.n; ++i) of.push_back(static_cast<std::int32_t>((i * i + i / 7) % 5) - 1); // -1: in no fold
  for (const double share : {0.0, 1.0}) {
    const auto made = path("softmax", rows.arrays(), {.params = with(share)},
                           {.lambdas = {0.2, 0.05, 0.002}, .folds = 4, .fold_of = of});
    ASSERT_TRUE(made) << made.error().text();
    for (const PathPoint& point : made->points) {
      double sum = 0, total = 0;
      for (Index k = 0; k < 4; ++k) {
        const auto left_out = [&](Index i) { return of[static_cast<std::size_t>(i)] == k; };
        const Drawn train = rows.some([&](Index i) { return !left_out(i); }), test = rows.some(left_out);
        const auto cold = fit("softmax", train.arrays(), {.params = with(share, point.lambda)});
        ASSERT_TRUE(cold) << cold.error().text();
        const Weights found = weights_of(*cold);
        const double loss = test.log_loss(found.w, found.b);
        EXPECT_NEAR(point.fold_error[static_cast<std::size_t>(k)], loss, 1e-6 * loss) << point.lambda << " " << k;
        for (const double v : test.v) sum += v * loss, total += v;
      }
      EXPECT_NEAR(point.cv_error, sum / total, 1e-6 * sum / total);
    }
  }
}

// With w = w_1 - w_0 the least of lambda1 (|w_0| + |w_1|) + (lambda2 / 2) (w_0^2 + w_1^2) is lambda1 |w| + (lambda2 /
// 4) w^2: lambda1 is that of logistic regression, and lambda2 twice it.
TEST(SoftmaxPath, OfTwoClassesIsThatOfLogisticRegression) {
  const Drawn rows(140, 4, 2, 7);
  for (const double share : {0.0, 0.5, 1.0}) {
    const double twice = share + 2 * (1 - share); // lambda1 + 2 lambda2, where lambda = 1
    const PathOptions how{.lambdas = {0.1, 0.03, 0.001}, .folds = 3, .seed = 5};
    PathOptions doubled = how;
    for (double& lambda : doubled.lambdas) lambda *= twice;
    const auto one = path("logistic", rows.arrays(), {.params = with(share)}, how);
    const auto both = path("softmax", rows.arrays(), {.params = with(share / twice)}, doubled);
    ASSERT_TRUE(one) << one.error().text();
    ASSERT_TRUE(both) << both.error().text();
    for (std::size_t l = 0; l < 3; ++l) {
      const PathPoint &a = one->points[l], &b = both->points[l];
      EXPECT_LE(std::abs(a.objective - b.objective), a.gap + b.gap + 1e-14);
      EXPECT_NEAR(a.intercept, b.intercepts[1] - b.intercepts[0], 1e-6);
      for (std::size_t j = 0; j < 4; ++j)
        EXPECT_NEAR(a.coefficients[j], b.coefficients[4 + j] - b.coefficients[j], 1e-6);
      EXPECT_EQ(a.nonzero, b.nonzero);
      EXPECT_NEAR(a.d2, b.d2, 1e-9);
      for (std::size_t k = 0; k < 3; ++k) EXPECT_NEAR(a.fold_error[k], b.fold_error[k], 1e-6 * a.fold_error[k]);
      if (share > 0) {
        EXPECT_NEAR(a.bic, b.bic, 1e-6);
      }
    }
  }
}

TEST(SoftmaxPath, OfTwoClassesBeginsWhereLogisticRegressionDoes) {
  const Drawn rows(140, 4, 2, 8);
  const auto squares = path("logistic", rows.arrays(), {}, {.count = 3});
  const auto doubled = path("softmax", rows.arrays(), {}, {.count = 3});
  const auto absolute = path("logistic", rows.arrays(), {.params = with(1)}, {.count = 3});
  const auto same = path("softmax", rows.arrays(), {.params = with(1)}, {.count = 3});
  ASSERT_TRUE(squares && doubled && absolute && same);
  for (std::size_t l = 0; l < 3; ++l) {
    EXPECT_NEAR(doubled->points[l].lambda / squares->points[l].lambda, 2, 1e-12);
    EXPECT_NEAR(same->points[l].lambda / absolute->points[l].lambda, 1, 1e-12);
  }
  EXPECT_NEAR(same->lambda_max / absolute->lambda_max, 1, 1e-12);
}

// With as many rows of a class as there are folds, a deal that knew nothing of classes would leave some out.
TEST(SoftmaxPath, RowsOfAClassAreDealtIntoTheFoldsAmongThemselves) {
  Drawn rows(12, 3, 3, 9);
  rows.y = {1, 0, 1, 0, 0, 2, 0, 2, 0, 0, 0, 0};
  for (std::uint64_t seed = 0; seed < 20; ++seed)
    for (const bool contiguous : {false, true}) {
      const auto made =
          path("softmax", rows.arrays(), {}, {.lambdas = {0.1}, .folds = 2, .contiguous = contiguous, .seed = seed});
      EXPECT_TRUE(made) << made.error().text();
    }
  EXPECT_THAT(refusal(path("softmax", rows.arrays(), {},
                           {.lambdas = {0.1}, .folds = 2, .fold_of = {0, 1, 0, 1, 0, 1, 0, 0, 1, 0, 0, 1}})),
              HasSubstr("without fold 0 there is no row of the class \"1\""));
}

TEST(SoftmaxPath, HasTheSameBitsOnAnyNumberOfThreads) {
  const Drawn rows(600, 6, 3, 10);
  std::vector<Path> made;
  for (const int threads : {1, 3}) {
    auto one = path("softmax", rows.arrays(), {.threads = threads, .params = with(0.5)}, {.count = 4, .folds = 3});
    ASSERT_TRUE(one) << one.error().text();
    made.push_back(*std::move(one));
  }
  for (std::size_t l = 0; l < 4; ++l) {
    EXPECT_EQ(made[0].points[l].coefficients, made[1].points[l].coefficients);
    EXPECT_EQ(made[0].points[l].fold_error, made[1].points[l].fold_error);
  }
}

TEST(ClassPathRefuses, WhatItsModelHasNot) {
  const Drawn rows(60, 3, 3, 11);
  Arrays arrays = rows.arrays();
  EXPECT_THAT(refusal(path("logistic", arrays)), HasSubstr("there are 3 classes, and logistic separates two"));
  EXPECT_THAT(refusal(path("softmax", arrays, {.params = {{"solver", "sgd"}}})), HasSubstr("leave out the solver"));
  EXPECT_THAT(refusal(path("softmax", arrays, {.params = {{"lambda1", 0.1}}})), HasSubstr("lambda1 was given"));
  EXPECT_THAT(refusal(path("softmax", arrays, {}, {.folds = 2, .fold_of = {0, 1}})),
              HasSubstr("60 rows and the folds of 2"));
  EXPECT_THAT(refusal(path("softmax", arrays, {}, {.leave_one_out = true})), HasSubstr("ridge only"));
  arrays.offset = rows.v.data();
  EXPECT_THAT(refusal(path("softmax", arrays)), HasSubstr("the same for all classes"));
  const Drawn two(60, 3, 2, 12);
  EXPECT_THAT(refusal(path("softmax", two.arrays(), {.positive = "1"})), HasSubstr("treats all alike"));
  EXPECT_THAT(refusal(path("logistic", two.arrays(), {.params = {{"firth", true}}})), HasSubstr("leave out firth"));
}

} // namespace
} // namespace recta
