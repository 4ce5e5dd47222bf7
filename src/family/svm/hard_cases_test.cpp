// Machines of columns in very different units, at a very large C, and with a penalty on absolute values.
#include "family/svm/test_points.hpp"

#include <gtest/gtest.h>
#include <random>

namespace recta {
namespace {

// |w| + C (max(0, 1 + b + w)^2 + max(0, 1 - b - 3 w)^2) over the rows 1 and 3: b = -2 w by symmetry, and 1 = 4 C (1 -
// w).
TEST(AbsoluteValues, OfTwoRowsAreAPaperComputation) {
  const Points two{1, {1, 3}, {-1, 1}};
  for (const double c : {0.1, 0.25, 1.0, 10.0}) {
    const auto model = fit("svm", two.arrays(),
                           with({{"loss", std::string("squared-hinge")}, {"penalty", std::string("l1")}, {"C", c}}));
    ASSERT_TRUE(model) << model.error().text();
    EXPECT_EQ(model->certificate.verdict, Verdict::proved) << model->certificate.sentence();
    const svm::Part& part = machine(*model).parts[0];
    const double w = std::max(0.0, 1 - 1 / (4 * c));
    EXPECT_NEAR(part.w[0], w, 1e-14);
    EXPECT_NEAR(part.b, -2 * w, 1e-14);
    EXPECT_EQ(part.w[0] == 0, w == 0); // zeros are exact
    EXPECT_NEAR(model->certificate.objective, (w + 2 * c * (1 - w) * (1 - w)) / (4 * c), 1e-14);
    EXPECT_EQ(verify(*model, two.arrays())->verdict, Verdict::proved);
  }
}

// Columns of very different units: x_j = s_j u_j. The oracle knows u alone, in which the penalty is sum_j |v_j| / s_j,
// and minimises over one coordinate after the other by bisection.
struct Unscaled {
  static constexpr Index kRows = 80, kCols = 5;
  std::vector<double> u, unit{1e6, 1e-6, 1, 1e3, 1e-3};
  Points points{kCols, {}, {}};

  explicit Unscaled(unsigned seed = 11) {
    std::mt19937_64 engine(seed);
    std::normal_distribution<double> normal;
    for (Index i = 0; i < kRows; ++i) {
      double score = 0.4 * normal(engine);
      for (std::size_t j = 0; j < kCols; ++j) {
        u.push_back(normal(engine));
        points.x.push_back(u.back() * unit[j]);
        score += (j % 2 == 0 ? 1 : -0.5) * u.back();
      }
      points.y.push_back(score > 0.2 ? 1 : -1);
    }
  }

  // sum_j |v_j| / s_j + C sum_i max(0, 1 - t_i (<v, u_i> + b))^2, over 2 C n, at its minimum.
  double oracle(double c) const {
    std::vector<double> v(kCols + 1), z(kRows);
    const auto number = [&](Index i, std::size_t j) { return j < kCols ? u[at(i) * kCols + j] : 1; };
    const auto slope = [&](std::size_t j, double to, double side) { // of the objective along v_j, at v_j = to
      double sum = j < kCols ? side / unit[j] : 0;
      for (Index i = 0; i < kRows; ++i) {
        const double t = points.y[at(i)], x = number(i, j);
        sum -= 2 * c * std::max(0.0, 1 - t * (z[at(i)] + (to - v[j]) * x)) * t * x;
      }
      return sum;
    };
    for (int sweep = 0; sweep < 3000; ++sweep)
      for (std::size_t j = 0; j <= kCols; ++j) {
        double low = -100, high = 100, to = 0;
        const bool stays = j < kCols && slope(j, 0, -1) <= 0 && slope(j, 0, 1) >= 0;
        for (int k = 0; k < 60 && !stays; ++k) {
          to = (low + high) / 2;
          (slope(j, to, to > 0 ? 1 : -1) < 0 ? low : high) = to;
        }
        for (Index i = 0; i < kRows; ++i) z[at(i)] += (to - v[j]) * number(i, j);
        v[j] = to;
      }
    double sum = 0;
    for (std::size_t j = 0; j < kCols; ++j) sum += std::abs(v[j]) / unit[j];
    for (Index i = 0; i < kRows; ++i) sum += c * std::pow(std::max(0.0, 1 - points.y[at(i)] * z[at(i)]), 2);
    return sum / (2 * c * kRows);
  }
};

TEST(AbsoluteValues, OfColumnsInVeryDifferentUnitsAreProved) {
  const Unscaled rows;
  for (const double c : {0.1, 1.0, 1e3, 1e6}) {
    FitOptions options = with({{"loss", std::string("squared-hinge")}, {"penalty", std::string("l1")}, {"C", c}});
    const auto model = fit("svm", rows.points.arrays(), options);
    ASSERT_TRUE(model) << model.error().text();
    EXPECT_EQ(model->certificate.verdict, Verdict::proved) << model->certificate.sentence();
    EXPECT_EQ(model->certificate.stop.text(), "the gap is within the tolerance");
    const double oracle = rows.oracle(c);
    EXPECT_NEAR(model->certificate.objective, oracle, 1e-9 * oracle) << c;
    EXPECT_EQ(verify(*model, rows.points.arrays())->verdict, Verdict::proved);
    options.threads = 3;
    EXPECT_EQ(machine(*fit("svm", rows.points.arrays(), options)).parts[0].w, machine(*model).parts[0].w);
  }
}

TEST(AbsoluteValues, AreWithinALooseToleranceOfTheOracle) {
  Unscaled rows(13);
  std::ranges::fill(rows.unit, 1);
  rows.points.x.assign(rows.u.begin(), rows.u.end());
  const double oracle = rows.oracle(0.5);
  for (const double tolerance : {1e-2, 1e-4, 1e-6}) {
    FitOptions options = with({{"loss", std::string("squared-hinge")}, {"penalty", std::string("l1")}, {"C", 0.5}});
    options.tolerance = tolerance;
    const auto model = fit("svm", rows.points.arrays(), options);
    ASSERT_TRUE(model) << model.error().text();
    EXPECT_EQ(model->certificate.verdict, Verdict::proved) << model->certificate.sentence();
    EXPECT_LE(model->certificate.objective - oracle, tolerance * 0.5); // the loss without a model is at most a half
    EXPECT_GE(model->certificate.objective, oracle * (1 - 1e-12));
    EXPECT_EQ(verify(*model, rows.points.arrays())->verdict, model->certificate.verdict);
  }
}

// The proof is the oracle: its bound holds for any coefficients, and a fresh pass over the rows computes it.
TEST(SoftMargin, OfColumnsInVeryDifferentUnitsIsProved) {
  for (const unsigned seed : {11U, 12U, 13U, 14U, 15U, 16U, 17U, 18U, 19U, 20U}) {
    const Unscaled rows(seed);
    for (const char* const loss : {"hinge", "squared-hinge"})
      for (const double c : {1.0, 1e3, 1e6}) {
        const auto model = fit("svm", rows.points.arrays(), with({{"loss", std::string(loss)}, {"C", c}}));
        ASSERT_TRUE(model) << model.error().text();
        EXPECT_EQ(model->certificate.verdict, Verdict::proved)
            << seed << " " << loss << " " << c << model->certificate.sentence();
        EXPECT_EQ(verify(*model, rows.points.arrays())->verdict, Verdict::proved);
      }
  }
}

// 60 columns separate 90 rows with room to spare: the larger C, the nearer is the widest margin in the largest number,
// and the rows short of the margin change all the way. The law: the minimum's |w|_1 never falls as C grows.
TEST(AbsoluteValues, OfRowsThatAreSeparableAreProvedAtAnyCost) {
  std::mt19937_64 engine(12);
  std::normal_distribution<double> normal;
  Points rows{60, {}, {}};
  for (int i = 0; i < 90; ++i) {
    double score = normal(engine);
    for (int j = 0; j < 60; ++j) rows.x.push_back(normal(engine)), score += j < 6 ? rows.x.back() : 0;
    rows.y.push_back(score > 0 ? 1 : -1);
  }
  double before = 0;
  for (const double c : {1.0, 1e2, 1e4, 1e8}) {
    const auto model = fit("svm", rows.arrays(),
                           with({{"loss", std::string("squared-hinge")}, {"penalty", std::string("l1")}, {"C", c}}));
    ASSERT_TRUE(model) << model.error().text();
    EXPECT_EQ(model->certificate.verdict, Verdict::proved) << model->certificate.sentence();
    double norm = 0; // |w|_1 grows with C towards the inverse of the widest margin
    for (const double w : machine(*model).parts[0].w) norm += std::abs(w);
    EXPECT_GE(norm, before * (1 - 1e-9));
    before = norm;
  }
}

// Rows that overlap: as C grows, half the squares of w count for nothing, and the mean loss at the optimum falls to
// that of the linear program. The oracle is the same machine at C = 1e3, which may be above it by |w|^2 / (2 C n)
// alone.
TEST(SoftMargin, OfRowsThatOverlapIsProvedAtAnyCost) {
  std::mt19937_64 engine(21);
  std::normal_distribution<double> normal;
  Points rows{6, {}, {}};
  for (int i = 0; i < 150; ++i) {
    double score = 1.5 * normal(engine);
    for (int j = 0; j < 6; ++j) rows.x.push_back(normal(engine)), score += j < 3 ? rows.x.back() : 0;
    rows.y.push_back(score > 0.3 ? 1 : -1);
  }
  const auto mean_loss = [&](const Model& model, bool squared) {
    const svm::Part& part = machine(model).parts[0];
    double sum = 0;
    for (std::size_t i = 0; i < rows.y.size(); ++i) {
      double z = part.b;
      for (std::size_t j = 0; j < 6; ++j) z += part.w[j] * rows.x[6 * i + j];
      const double lack = std::max(0.0, 1 - rows.y[i] * z);
      sum += squared ? lack * lack / 2 : lack;
    }
    return sum / static_cast<double>(rows.y.size());
  };
  for (const char* const loss : {"hinge", "squared-hinge"}) {
    const bool squared = std::string(loss) == "squared-hinge";
    const auto known = fit("svm", rows.arrays(), with({{"loss", std::string(loss)}, {"C", 1e3}}));
    ASSERT_EQ(known->certificate.verdict, Verdict::proved);
    for (const double c : {1e6, 1e9, 1e12}) {
      const auto model = fit("svm", rows.arrays(), with({{"loss", std::string(loss)}, {"C", c}}));
      ASSERT_TRUE(model) << model.error().text();
      EXPECT_EQ(model->certificate.verdict, Verdict::proved) << loss << " " << c << model->certificate.sentence();
      EXPECT_EQ(verify(*model, rows.arrays())->verdict, Verdict::proved);
      EXPECT_LE(mean_loss(*model, squared), mean_loss(*known, squared) + 1e-9);
      EXPECT_GE(model->certificate.objective, known->certificate.objective * (1 - 1e-4));
      EXPECT_LE(model->certificate.objective, known->certificate.objective);
    }
  }
}

// A column in far smaller units than the others: nanoseconds beside numbers of order 1. The law: the larger the numbers
// of a column, the less its weight costs, so that the objective never grows; and where it costs next to nothing, it
// stays the same.
struct Timed {
  Index rows, cols;
  bool far = false; // from zero, as times since 1970 are

  Points at_unit(double unit) const {
    std::mt19937_64 engine(31);
    std::normal_distribution<double> normal;
    Points out{cols, {}, {}};
    for (Index i = 0; i < rows; ++i) {
      double score = normal(engine);
      for (Index j = 0; j < cols; ++j) {
        const double x = normal(engine);
        out.x.push_back(j == 0 ? unit * x + (far ? 500 * unit : 0) : x);
        score += j < 2 ? x : 0;
      }
      out.y.push_back(score > 0.3 ? 1 : -1);
    }
    return out;
  }
};

TEST(SoftMargin, OfAColumnInFarSmallerUnitsIsProved) {
  for (const Timed& timed : {Timed{200, 4}, Timed{200, 4, true}, Timed{40, 60}})
    for (const char* const loss : {"hinge", "squared-hinge"})
      for (const double c : {1.0, 100.0}) {
        double before = kInfinity;
        for (const double unit : {1e6, 1e9, 1e12, 3e15}) {
          const Points points = timed.at_unit(unit);
          const auto model = fit("svm", points.arrays(), with({{"loss", std::string(loss)}, {"C", c}}));
          ASSERT_TRUE(model) << model.error().text();
          EXPECT_EQ(model->certificate.verdict, Verdict::proved)
              << timed.cols << " " << loss << " " << c << " " << unit << model->certificate.sentence();
          EXPECT_EQ(model->certificate.stop.text(), "the gap is within the tolerance");
          EXPECT_EQ(verify(*model, points.arrays())->verdict, Verdict::proved);
          const double objective = model->certificate.objective;
          EXPECT_LE(objective, before * (1 + 1e-9)) << unit;
          if (unit > 1e6) EXPECT_NEAR(objective, before, 1e-6 * before) << unit;
          before = objective;
        }
      }
}

// No coefficients in doubles give weights of such columns: said at once, with the column and the cure.
TEST(SoftMargin, OfColumnsThatLeaveThePenaltyNoDigitIsRefused) {
  Points rows{2, {1, 2e120, 2, -1e120, 3, 1e120, 4, -3e120}, {-1, 1, 1, -1}};
  const std::string text = fit("svm", rows.arrays(), with({})).error().text();
  EXPECT_NE(text.find("row 4, column x2: -3e+120 is too large beside C = 1"), std::string::npos) << text;
  EXPECT_NE(text.find("give the column in larger units, such as 3e+120 of the present ones"), std::string::npos)
      << text;
  for (std::size_t i = 1; i < rows.x.size(); i += 2) rows.x[i] /= 2e120;
  EXPECT_EQ(fit("svm", rows.arrays(), with({}))->certificate.verdict, Verdict::proved);
}

// Rows far apart have next to nothing in common by a narrow kernel, however large their numbers: rounding is counted by
// what values there are.
TEST(SoftMargin, OfANarrowKernelOverUnscaledColumnsIsProved) {
  std::mt19937_64 engine(3);
  std::normal_distribution<double> normal;
  Points rows{4, {}, {}};
  for (Index i = 0; i < 200; ++i) {
    double score = normal(engine);
    for (Index j = 0; j < rows.cols; ++j) rows.x.push_back(100 + 30 * normal(engine)), score += rows.x.back() - 100;
    rows.y.push_back(score > 0 ? 1 : -1);
  }
  for (const char* const kernel : {"rbf", "laplacian", "chi2"})
    for (const double gamma : {0.01, 0.1}) {
      const auto model =
          fit("svm", rows.arrays(), with({{"kernel", std::string(kernel)}, {"gamma", gamma}, {"C", 100.0}}));
      ASSERT_TRUE(model) << model.error().text();
      EXPECT_EQ(model->certificate.verdict, Verdict::proved) << kernel << gamma << model->certificate.sentence();
    }
}

// A cube of 1e12 has no digit left for the other column, and the rounding of the check is larger than any objective: no
// verdict that such a machine is near the optimum.
TEST(SoftMargin, ThatCostsMoreThanNoWeightsAtAllIsNotCalledWithinTheTolerance) {
  std::mt19937_64 engine(8);
  std::normal_distribution<double> normal;
  Points rows{2, {}, {}};
  for (Index i = 0; i < 80; ++i) {
    rows.x.push_back(1e6), rows.x.push_back(normal(engine));
    rows.y.push_back(rows.x.back() + normal(engine) > 0 ? 1 : -1);
  }
  const auto model =
      fit("svm", rows.arrays(), with({{"kernel", std::string("polynomial")}, {"gamma", 0.1}, {"C", 0.1}}));
  ASSERT_TRUE(model) << model.error().text();
  EXPECT_EQ(model->certificate.verdict, Verdict::stopped_early) << model->certificate.sentence();
  EXPECT_EQ(verify(*model, rows.arrays())->verdict, Verdict::stopped_early);
}

// Squares that are no doubles make distances that are no numbers, and of those nothing can be proved.
TEST(SoftMargin, ByAKernelOfNumbersWhoseSquaresAreNoDoublesIsRefused) {
  const Points four{2, {0, 0, 1e160, 1e160, 0, 1e160, 1e160, 0}, {-1, -1, 1, 1}};
  for (const char* const word : {"svm", "svr", "nu-svm", "nu-svr"})
    for (const char* const kernel : {"linear", "rbf", "polynomial", "sigmoid", "rbf+linear"}) {
      const auto model = fit(word, four.arrays(), with({{"kernel", std::string(kernel)}}));
      ASSERT_FALSE(model) << word << kernel << model->certificate.sentence();
      const std::string text = model.error().text();
      EXPECT_NE(text.find("row 2, column x1: 1e+160 is too large for the kernel"), std::string::npos) << text;
      EXPECT_NE(text.find("in larger units, such as 1e+160 of the present ones"), std::string::npos) << text;
    }
  Points smaller = four;
  for (double& x : smaller.x) x /= 1e10; // 1e150: the squares are doubles, and the cubes of them are not
  EXPECT_EQ(fit("svm", smaller.arrays(), with({{"kernel", std::string("rbf")}}))->certificate.verdict, Verdict::proved);
  EXPECT_FALSE(fit("svm", smaller.arrays(), with({{"kernel", std::string("polynomial")}, {"gamma", 1.0}})));
}

// Sums that cancel differ by a rounding of their terms, and not of themselves.
TEST(SoftMargin, OfAMatrixThatIsSymmetricToTheRoundingOfItsTermsIsFitted) {
  Points matrix{3, {1, 1e-17, 0.5, 0, 1, 0.5, 0.5, 0.5, 1}, {-1, 1, 1}};
  const auto params = with({{"kernel", std::string("precomputed")}});
  const auto model = fit("svm", matrix.arrays(), params);
  ASSERT_TRUE(model) << model.error().text();
  matrix.x[1] = 0;
  EXPECT_NEAR(model->certificate.objective, fit("svm", matrix.arrays(), params)->certificate.objective, 1e-15);
  matrix.x[1] = 1e-10;
  EXPECT_FALSE(fit("svm", matrix.arrays(), params));
}

} // namespace
} // namespace recta
