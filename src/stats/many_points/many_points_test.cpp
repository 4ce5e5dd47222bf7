#include "stats/loss_gradient/loss_gradient.hpp"
#include "stats/many_points/logistic_points.hpp"
#include "stats/many_points/softmax_points.hpp"
#include "stats/reduce.hpp"
#include "stats/softmax/softmax.hpp"
#include "stats/test_rows.hpp"

#include <cmath>
#include <gtest/gtest.h>

namespace recta {
namespace {

constexpr Index kCols = 4, kPoints = 3;

std::vector<double> numbers(Index count, double unit) {
  std::vector<double> out;
  for (Index s = 0; s < count; ++s) out.push_back(unit * static_cast<double>((s * 7) % 11 - 5));
  return out;
}

testing::Table labelled(Index rows, Index classes, bool weighted) {
  testing::Table table = testing::Table::integers(rows, kCols, 9);
  for (Index i = 0; i < rows; ++i) {
    table.y[i] = classes == 2 ? (i % 3 == 0 ? 1 : -1) : static_cast<double>((i * i) % classes);
    if (!weighted) continue;
    table.weight.push_back(i % 5 == 0 ? 0 : 0.25 + static_cast<double>(i % 4));
    table.offset.push_back(classes == 2 ? 0.1 * static_cast<double>(i % 3) : 0);
    if (i % 5 == 0) table.x[i * kCols] = std::nan(""); // a row of weight zero is absent
  }
  return table;
}

double logistic_losses(Index n, const double* y, const double* z, const double* v, double* d) {
  double sum = 0;
  for (Index i = 0; i < n; ++i) {
    const double weight = v ? v[i] : 1, margin = y[i] * z[i];
    sum += weight * (margin > 0 ? std::log1p(std::exp(-margin)) : std::log1p(std::exp(margin)) - margin);
    d[i] = -y[i] * weight / (1 + std::exp(margin));
  }
  return sum;
}

void expect_near(double found, double sought, double unit) {
  EXPECT_NEAR(found, sought, 1e-12 * unit);
}

TEST(LogisticPoints, HaveTheSumsOfEveryPointByItself) {
  auto points = std::make_shared<LogisticPoints>();
  points->w = numbers(kPoints * kCols, 0.3); // scores up to 50, where e^-z is lost beside 1
  points->b = {0.5, -1, 0};
  for (const bool weighted : {false, true}) {
    const testing::Table table = labelled(1500, 2, weighted); // more rows than share a logarithm
    LogisticSums found(points);
    found.accumulate(table.all());
    for (Index k = 0; k < kPoints; ++k) {
      auto point = std::make_shared<LossPoint>();
      *point = {logistic_losses, {points->w.begin() + k * kCols, points->w.begin() + (k + 1) * kCols}, points->b[k], 0};
      LossGradient sought(point);
      sought.accumulate(table.all());
      EXPECT_EQ(found.rows, sought.rows);
      EXPECT_EQ(found.weight, sought.weight);
      expect_near(found.loss[k], sought.loss, sought.loss);
      expect_near(found.slope[k], sought.slope, sought.weight);
      for (Index j = 0; j < kCols; ++j)
        expect_near(found.gradient[k * kCols + j], sought.gradient[j], 9 * sought.weight);
    }
  }
}

TEST(SoftmaxPoints, HaveTheSumsOfEveryPointByItself) {
  constexpr Index kClasses = 5, kEach = kClasses * kCols;
  auto points = std::make_shared<SoftmaxPoints>();
  points->classes = kClasses;
  points->w = numbers(kPoints * kEach, 0.2);
  points->b = numbers(kPoints * kClasses, 0.1);
  for (const bool weighted : {false, true}) {
    const testing::Table table = labelled(700, kClasses, weighted);
    SoftmaxPointSums found(points);
    found.accumulate(table.all());
    for (Index q = 0; q < kPoints; ++q) {
      auto point = std::make_shared<SoftmaxPoint>();
      point->classes = kClasses;
      point->w.assign(points->w.begin() + q * kEach, points->w.begin() + (q + 1) * kEach);
      point->b.assign(points->b.begin() + q * kClasses, points->b.begin() + (q + 1) * kClasses);
      SoftmaxSums sought(point);
      sought.accumulate(table.all());
      EXPECT_EQ(found.rows, sought.rows);
      EXPECT_EQ(found.weight, sought.weight);
      expect_near(found.loss[q], sought.loss, sought.loss);
      for (Index k = 0; k < kClasses; ++k) expect_near(found.slope[q * kClasses + k], sought.slope[k], sought.weight);
      for (Index s = 0; s < kEach; ++s)
        expect_near(found.gradient[q * kEach + s], sought.gradient[s], 9 * sought.weight);
    }
  }
}

template <class Sums>
void expect_travels(const Sums& state) {
  const std::string bytes = state.to_bytes();
  const auto back = Sums::from_bytes(bytes);
  ASSERT_TRUE(back) << back.error().text();
  EXPECT_EQ(back->loss, state.loss);
  EXPECT_EQ(back->slope, state.slope);
  EXPECT_EQ(back->gradient, state.gradient);
  EXPECT_EQ(back->weight, state.weight);
  EXPECT_FALSE(Sums::from_bytes(bytes.substr(1)));
  EXPECT_FALSE(Sums::from_bytes(bytes.substr(0, bytes.size() - 1)));
}

TEST(ManyPoints, TravelAsBytesAndRefuseOthers) {
  auto two = std::make_shared<LogisticPoints>();
  two->w = numbers(kPoints * kCols, 0.3);
  two->b = numbers(kPoints, 1);
  LogisticSums logistic(two);
  logistic.accumulate(labelled(20, 2, true).all());
  expect_travels(logistic);
  auto five = std::make_shared<SoftmaxPoints>();
  five->classes = 5;
  five->w = numbers(5 * kPoints * kCols, 0.3);
  five->b = numbers(5 * kPoints, 1);
  SoftmaxPointSums softmax(five);
  softmax.accumulate(labelled(20, 5, true).all());
  expect_travels(softmax);
}

} // namespace
} // namespace recta
