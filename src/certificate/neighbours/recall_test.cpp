// Bounds on the recall: known values, and how often they hold.
#include "base/random.hpp"
#include "certificate/neighbours/recall.hpp"

#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>

namespace recta::neighbours {
namespace {

TEST(Recall, OfOneIsBoundedByTheChanceOfNoMiss) { // r^n = delta
  EXPECT_NEAR(least_mean(1, 400, 0.95), std::pow(0.05, 1.0 / 400), 1e-12);
  EXPECT_EQ(least_mean(0, 400, 0.95), 0);
}

TEST(Recall, BoundSolvesItsEquation) {
  const double m = 0.9, r = least_mean(m, 100, 0.99);
  EXPECT_LT(r, m);
  EXPECT_NEAR(100 * (m * std::log(m / r) + (1 - m) * std::log((1 - m) / (1 - r))), std::log(100), 1e-9);
}

// 1000 samples from populations of known mean: the bound is above it in at most a twentieth of them, and with 1000
// tries in no more than 72 (the binomial bound at 1 in 1000).
TEST(Recall, BoundHoldsAsOftenAsItSays) {
  for (const double mean : {0.5, 0.9, 0.99}) {
    Index missed = 0;
    for (std::uint64_t seed = 0; seed < 1000; ++seed) {
      Random random(seed);
      double sum = 0;
      for (int q = 0; q < 100; ++q) sum += random.uniform() < mean ? 1 : 0; // the widest distribution of this mean
      missed += least_mean(sum / 100, 100, 0.95) > mean ? 1 : 0;
    }
    EXPECT_LE(missed, 72) << mean;
  }
}

// Enough rows that the list is cut on the way, many of them equally far, and rows of several places.
TEST(ByDefinition, IsTheBeginningOfAllRowsInOrder) {
  Random random(2);
  std::vector<double> x, places, target;
  for (Index i = 0; i < 5000; ++i) {
    x.push_back(std::floor(40 * random.uniform()));
    places.push_back(1 + std::floor(3 * random.uniform()));
    target.push_back(std::floor(2 * random.uniform()));
  }
  for (const bool weighed : {false, true}) {
    const Points points{x, 5000, 1, weighed ? CheckedSpan<double>(places) : CheckedSpan<double>(), target};
    const double query = 17;
    std::vector<Neighbour> all;
    for (Index i = 0; i < 5000; ++i)
      if (i != 30) all.push_back({std::fabs(x[at(i)] - query), i});
    std::ranges::sort(all, [&](const Neighbour& a, const Neighbour& b) { return nearer(points, a, b); });
    for (const Wanted& wanted : {Wanted{.k = 1}, Wanted{.k = 300}, Wanted{.k = 3000}, Wanted{.k = 1e6},
                                 Wanted{.radius = 3}, Wanted{.k = 2000, .radius = 2}}) {
      std::vector<Neighbour> want;
      double filled = 0;
      for (const Neighbour& one : all) {
        if (one.distance > wanted.radius || (wanted.k > 0 && filled >= wanted.k)) break;
        filled += points.places_of(one.row);
        want.push_back(one);
      }
      const auto got = by_definition({}, points, wanted, &query, 30);
      ASSERT_EQ(got.size(), want.size()) << wanted.k;
      for (std::size_t i = 0; i < got.size(); ++i) ASSERT_EQ(got[i].row, want[i].row) << wanted.k;
    }
  }
}

// A search that misses the nearest neighbour of every third row.
TEST(Recall, OfASampleCoversTheRecallOfAllRows) {
  Random random(1);
  std::vector<double> x;
  for (int i = 0; i < 700 * 3; ++i) x.push_back(random.uniform());
  const Points points{x, 700, 3};
  Pool pool(1);
  std::vector<std::vector<Neighbour>> truth;
  for (Index i = 0; i < 700; ++i) truth.push_back(by_definition({}, points, {.k = 3}, points.row(i), i));
  const RowFinder find = [&](std::span<const Index> rows) {
    Neighbourhoods out{{0}, {}};
    for (const Index row : rows) {
      const auto& list = truth[at(row)];
      out.list.insert(out.list.end(), list.begin() + (row % 3 == 0 ? 1 : 0), list.end());
      out.start.push_back(std::ssize(out.list));
    }
    return out;
  };
  const double all = 1 - (234.0 / 700) / 3;
  Index missed = 0;
  for (std::uint64_t seed = 0; seed < 30; ++seed) {
    const Recall found = measure_recall({}, points, {.k = 3}, seed, find, pool);
    EXPECT_EQ(found.queries, 400);
    EXPECT_FALSE(found.all);
    EXPECT_NEAR(found.measured, all, 0.05);
    missed += found.at_least > all ? 1 : 0;
  }
  EXPECT_LE(missed, 7); // the binomial bound at 1 in 1000
  const Points few{x, 300, 3};
  for (Index i = 0; i < 300; ++i) truth[at(i)] = by_definition({}, few, {.k = 3}, few.row(i), i);
  const Recall exact = measure_recall({}, few, {.k = 3}, 0, find, pool);
  EXPECT_TRUE(exact.all);
  EXPECT_NEAR(exact.measured, 1 - (100.0 / 300) / 3, 1e-12);
  EXPECT_EQ(exact.at_least, exact.measured);
}

} // namespace
} // namespace recta::neighbours
