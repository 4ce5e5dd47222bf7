// Machines that begin where the one before them ended.
#include "base/kept_work.hpp"
#include "family/svm/kept.hpp"

#include <recta/recta.hpp>

#include <gtest/gtest.h>
#include <random>

namespace recta::svm {
namespace {

Problem two_points(double cost) {
  return {{Loss::hinge, 0}, true, {-1, 1}, {cost, cost}};
}

// -1 and 1 with the linear kernel: beta = -+min(C, 1/2), f = 2 beta.
TEST(KeptMachine, ScalesCoefficientsToTheBestOnTheirLine) {
  KeptMachine kept;
  EXPECT_TRUE(kept.start(two_points(1)).empty());
  kept.keep(two_points(0.125), {{-0.125, 0.125}, {-0.25, 0.25}});
  EXPECT_EQ(kept.start(two_points(4)), (std::vector<double>{-0.5, 0.5}));
  EXPECT_EQ(kept.start(two_points(0.25)), (std::vector<double>{-0.25, 0.25})); // as far as the boxes go
  EXPECT_EQ(kept.start(two_points(0.0625)), (std::vector<double>{-0.0625, 0.0625}));
  Problem other = two_points(1);
  other.target = {1, -1};
  EXPECT_TRUE(kept.start(other).empty());
  other = two_points(1);
  other.terms.loss = Loss::squared_hinge;
  EXPECT_TRUE(kept.start(other).empty());
}

// Rows 1 and 4 are at the ends of their boxes, rows 2 and 3 inside.
TEST(KeptMachine, TakesCoefficientsAtAnEndAlongWithTheirBoxes) {
  const auto problem = [](double c, double last) {
    return Problem{{Loss::hinge, 0}, true, {-1, -1, 1, 1}, {c, c, c, last}};
  };
  KeptMachine kept;
  kept.keep(problem(1, 1), {{-1, -0.5, 0.5, 1}, {-1, -1, 1, 1}});
  EXPECT_EQ(kept.start(problem(2, 2)), (std::vector<double>{-2, -0.5, 0.5, 2}));
  EXPECT_EQ(kept.start(problem(0.25, 0.25)), (std::vector<double>{-0.25, -0.25, 0.25, 0.25}));
  // The last row's box is one larger: the sum is 1 too large, and of the room of 1.5 below row 2 and 0.5 below row 3
  // each takes half.
  EXPECT_EQ(kept.start(problem(2, 3)), (std::vector<double>{-2, -1.25, 0.25, 3}));
}

struct Table {
  std::vector<double> x, y;
  Table() {
    std::mt19937_64 engine(3);
    std::normal_distribution<double> normal;
    for (int i = 0; i < 700; ++i) {
      const double a = normal(engine), b = normal(engine), c = normal(engine);
      x.insert(x.end(), {a, b, c});
      y.push_back(a * b + 0.5 * c + 0.4 * normal(engine) > 0 ? 1 : -1);
    }
  }
  Arrays arrays() const {
    Arrays out;
    out.dense = MatrixView::row_major(x.data(), std::ssize(y), 3);
    out.y = MatrixView::vector(y.data(), std::ssize(y));
    return out;
  }
};

FitOptions asked(double c, double gamma, int threads) {
  FitOptions out;
  out.params = {{"kernel", std::string("rbf")}, {"C", c}, {"gamma", gamma}};
  out.threads = threads;
  return out;
}

TEST(KeptMachine, IsProvedToTheSameGapAsOneFromZeroAndHasTheSameBitsAtAnyNumberOfThreads) {
  const Table table;
  std::vector<double> first;
  for (const int threads : {1, 3}) {
    const KeptWork kept;
    std::vector<double> objectives;
    for (const double gamma : {0.5, 0.1})
      for (const double c : {0.1, 1.0, 3.0, 10.0, 1.0}) { // down again at the end
        const auto warm = fit("svm", table.arrays(), asked(c, gamma, threads));
        ASSERT_TRUE(warm) << warm.error().text();
        EXPECT_EQ(warm->certificate.verdict, Verdict::proved) << warm->certificate.sentence();
        EXPECT_EQ(verify(*warm, table.arrays())->verdict, Verdict::proved);
        objectives.push_back(warm->certificate.objective);
      }
    if (threads == 1)
      first = objectives;
    else
      EXPECT_EQ(first, objectives);
  }
  std::size_t k = 0;
  for (const double gamma : {0.5, 0.1})
    for (const double c : {0.1, 1.0, 3.0, 10.0, 1.0}) {
      const auto cold = fit("svm", table.arrays(), asked(c, gamma, 1));
      EXPECT_NEAR(first[k++], cold->certificate.objective, 2 * cold->certificate.tolerance);
    }
}

TEST(KeptMachine, ForgetsItsRowsAndNotItsCoefficients) {
  const Table table;
  kernel::Points points(3);
  for (Index i = 0; i < 700; ++i) points.add(table.x.data() + 3 * i);
  Pool pool(1);
  KeptMachine kept;
  kept.matrix({"rbf", 0.5}, std::move(points), 1 << 20, pool);
  kept.keep(two_points(0.125), {{-0.125, 0.125}, {-0.25, 0.25}});
  EXPECT_EQ(kept.points().count(), 700);
  kept.forget_rows();
  EXPECT_EQ(kept.points().count(), 0);
  EXPECT_FALSE(kept.start(two_points(4)).empty());
}

} // namespace
} // namespace recta::svm
