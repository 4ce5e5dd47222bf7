// Searches against a sort of all rows by (distance, target), on random, clustered and degenerate rows.
#include "base/random.hpp"
#include "objective/neighbours/order.hpp"
#include "solver/neighbours/search.hpp"
#include "solver/neighbours/tree_shape.hpp"

#include <gtest/gtest.h>
#include <numeric>

namespace recta::neighbours {
namespace {

struct Rows {
  Index n, p;
  std::vector<double> x{};
  std::vector<double> places{};
  std::vector<double> target{};

  Points points() const { return {x, n, p, places, target}; }
};

enum class Shape { normal, clustered, integers, equal, line, sphere };

Rows rows_of(Shape shape, Index n, Index p, std::uint64_t seed) {
  Random random(seed);
  Rows out{n, p};
  for (Index i = 0; i < n; ++i)
    for (Index j = 0; j < p; ++j) {
      const double u = random.uniform();
      switch (shape) {
      case Shape::normal:
        out.x.push_back(u + random.uniform() + random.uniform() - 1.5);
        break;
      case Shape::clustered:
        out.x.push_back(static_cast<double>(i % 5) * 100 + 1e-3 * u);
        break;
      case Shape::integers:
        out.x.push_back(std::floor(4 * u));
        break;
      case Shape::equal:
        out.x.push_back(7);
        break;
      case Shape::line:
        out.x.push_back(j == 0 ? u : 3);
        break;
      case Shape::sphere: // about 0.1 in all columns: as far from there as any other row, but for rounding
        out.x.push_back(u < 0.5 ? 0.1 + 0.3 : 0.1 - 0.3);
        break;
      }
    }
  return out;
}

// Sorts everything: the definition.
std::vector<Neighbour> sorted_all(const Metric& metric, const Points& points, const double* query, const Wanted& wanted,
                                  Index self) {
  std::vector<Neighbour> all;
  const Measure known = measure_of(metric, points);
  std::visit(
      [&](const auto& measure) {
        for (Index i = 0; i < points.rows; ++i)
          if (i != self) all.push_back({measured(measure, query, points.row(i), points.cols), i});
      },
      known);
  std::erase_if(all, [&](const Neighbour& one) { return one.distance > wanted.radius; });
  std::ranges::sort(all, Order(points, known, query));
  never_falling(all);
  double places = 0;
  std::size_t count = 0;
  while (count < all.size() && (wanted.k == 0 || places < wanted.k)) places += points.places_of(all[count++].row);
  all.resize(count);
  return all;
}

void expect_first_of_the_order(IndexWord index, const Metric& metric, const Rows& rows,
                               const std::vector<double>& queries, const Wanted& wanted,
                               const std::vector<Index>& self = {}) {
  const Index count = static_cast<Index>(queries.size()) / rows.p;
  for (const int threads : {1, 3}) {
    Pool pool(threads);
    const Points points = rows.points();
    const auto found = make_search(index, metric, points, pool)->find(queries.data(), count, wanted, self, pool);
    for (Index q = 0; q < count; ++q) {
      const auto want =
          sorted_all(metric, points, queries.data() + q * rows.p, wanted, self.empty() ? -1 : self[at(q)]);
      const auto got = found.of(q);
      ASSERT_EQ(got.size(), want.size()) << metric.word << " query " << q;
      for (std::size_t i = 0; i < want.size(); ++i) {
        ASSERT_EQ(got[i].row, want[i].row) << metric.word << " query " << q << " neighbour " << i;
        ASSERT_EQ(got[i].distance, want[i].distance);
      }
    }
  }
}

const std::vector<Metric> kMetrics = {{"euclidean"}, {"manhattan"}, {"chebyshev"}, {"minkowski", 3},
                                      {"hamming"},   {"jaccard"},   {"canberra"},  {"bray-curtis"}};

constexpr IndexWord kExact[] = {IndexWord::brute, IndexWord::kd_tree, IndexWord::ball_tree};

TEST(Neighbours, OfEveryIndexAreTheFirstOfTheOrder) {
  for (const Shape shape : {Shape::normal, Shape::clustered, Shape::integers, Shape::equal, Shape::line})
    for (const Index p : {1, 2, 3, 5, 17}) {
      const Rows rows = rows_of(shape, 150, p, 1);
      const std::vector<double> queries = rows_of(shape, 5, p, 2).x;
      for (const Metric& metric : kMetrics)
        for (const IndexWord index : kExact) {
          if (!obstacle(index, metric).empty()) continue;
          expect_first_of_the_order(index, metric, rows, queries, {.k = 7});
          expect_first_of_the_order(index, metric, rows, queries, {.k = 0, .radius = 0.8});
          expect_first_of_the_order(index, metric, rows, queries, {.k = 150});
        }
    }
}

TEST(Neighbours, ThatAreAsFarButForRoundingAreOrderedByEveryIndex) {
  for (const Index p : {3, 17}) {
    const Rows rows = rows_of(Shape::sphere, 400, p, 11);
    const std::vector<double> queries(at(p), 0.1);
    for (const Metric& metric : {Metric{}, Metric{"manhattan"}, Metric{"chebyshev"}})
      for (const IndexWord index : kExact)
        for (const double k : {1.0, 20.0, 399.0}) expect_first_of_the_order(index, metric, rows, queries, {.k = k});
  }
}

TEST(Neighbours, StayTheSameWithPlacesTargetsAndRowsLeftOut) {
  Rows rows = rows_of(Shape::integers, 500, 3, 3);
  Random random(4);
  for (Index i = 0; i < rows.n; ++i)
    rows.places.push_back(0.1 + random.uniform() * 2), rows.target.push_back(static_cast<double>(rows.n - 1 - i));
  std::vector<Index> self(100);
  const std::vector<double> queries(rows.x.begin(), rows.x.begin() + 100 * rows.p);
  std::iota(self.begin(), self.end(), 0);
  for (const IndexWord index : kExact) {
    Rows plain{rows.n, rows.p, rows.x};
    expect_first_of_the_order(index, {}, plain, queries, {.k = 3}, self);
    expect_first_of_the_order(index, {}, plain, queries, {.k = 0, .radius = 1}, self);
    for (const double k : {0.05, 1.0, 7.5, 60.0}) expect_first_of_the_order(index, {}, rows, queries, {.k = k}, self);
  }
}

TEST(Neighbours, AreTheTrueOnesAfterAddingAMillion) {
  const Rows plain = rows_of(Shape::integers, 3000, 24, 5);
  const std::vector<double> queries = rows_of(Shape::integers, 50, 24, 6).x;
  for (const double shift : {1e6, 1e12}) {
    Rows moved = plain;
    std::vector<double> moved_queries = queries;
    for (double& x : moved.x) x += shift;
    for (double& x : moved_queries) x += shift;
    Pool pool(2);
    const auto before = make_brute({}, plain.points(), pool)->find(queries.data(), 50, {.k = 10}, {}, pool);
    const Points points = moved.points();
    const auto after = make_brute({}, points, pool)->find(moved_queries.data(), 50, {.k = 10}, {}, pool);
    for (std::size_t i = 0; i < before.list.size(); ++i) {
      EXPECT_EQ(before.list[i].row, after.list[i].row);
      EXPECT_EQ(before.list[i].distance, after.list[i].distance); // roots of whole numbers
    }
  }
}

TEST(Neighbours, HaveExactDistancesFarFromTheOrigin) { // where products in single precision alone say 0
  const double o = 1e8;
  const Rows rows{3, 2, {o, o, o + 3, o + 4, o + 100, o + 97}};
  const std::vector<double> query{o, o};
  Pool pool(1);
  for (const IndexWord index : kExact) {
    const Points points = rows.points();
    const auto found = make_search(index, {}, points, pool)->find(query.data(), 1, {.k = 3}, {}, pool);
    ASSERT_EQ(found.list.size(), 3U);
    EXPECT_EQ(found.list[0].distance, 0);
    EXPECT_EQ(found.list[1].distance, 5);
    EXPECT_EQ(found.list[2].distance, std::sqrt(19409.0));
  }
}

TEST(Neighbours, AreFoundAmongCoordinatesOfAnySize) {
  for (const double size : {1e-300, 1e-160, 1e160, 1e300}) {
    Rows rows = rows_of(Shape::normal, 300, 6, 7);
    for (double& x : rows.x) x *= size;
    std::vector<double> queries = rows_of(Shape::normal, 20, 6, 8).x;
    for (double& x : queries) x *= size;
    queries[0] = 1e300;
    for (const Metric& metric : {Metric{}, Metric{"manhattan"}, Metric{"minkowski", 3}})
      for (const IndexWord index : kExact) expect_first_of_the_order(index, metric, rows, queries, {.k = 5});
    Pool pool(1);
    const Points points = rows.points();
    const auto found = make_brute({}, points, pool)->find(queries.data() + 6, 1, {.k = 300}, {}, pool);
    for (std::size_t i = 1; i < found.list.size(); ++i) ASSERT_GT(found.list[i].distance, found.list[i - 1].distance);
  }
}

TEST(Neighbours, OneQueryAmongManyRowsIsSharedOut) {
  const Rows rows = rows_of(Shape::integers, 30000, 4, 9);
  expect_first_of_the_order(IndexWord::brute, {}, rows, {1, 2, 3, 0}, {.k = 50});
  expect_first_of_the_order(IndexWord::kd_tree, {}, rows, {1, 2, 3, 0}, {.k = 50});
  expect_first_of_the_order(IndexWord::ball_tree, {}, rows, {1, 2, 3, 0}, {.k = 50});
}

TEST(Neighbours, OnASphereAreFoundByABallTreeUpToTheOtherSide) {
  Random random(10);
  Rows rows{2000, 2};
  for (Index i = 0; i < rows.n; ++i) {
    rows.x.push_back((random.uniform() - 0.5) * 3.141592653589793);
    rows.x.push_back((random.uniform() - 0.5) * 6.283185307179586);
  }
  const std::vector<double> queries{
      0, 0, 1.5707963267948966, 0, 0, 3.141592653589793, -rows.x[0], rows.x[1] + 3.14159265};
  for (const Wanted& wanted : {Wanted{.k = 5}, Wanted{.k = 1990}, Wanted{.radius = 3.1415}})
    expect_first_of_the_order(IndexWord::ball_tree, {"haversine"}, rows, queries, wanted);
}

TEST(Neighbours, ChoiceSaysWhy) {
  EXPECT_EQ(choose_index({}, 1'000'000, 3).word, IndexWord::kd_tree);
  EXPECT_EQ(choose_index({}, 1'000'000, 64).word, IndexWord::brute);
  EXPECT_EQ(choose_index({}, 100, 3).reason, "100 rows are compared faster than a tree is built");
  EXPECT_EQ(choose_index({"haversine"}, 1'000'000, 2).reason,
            "1000000 rows in 2 columns: a tree visits few of its leaves, and no box of a kd-tree bounds the metric "
            "haversine from below");
  EXPECT_EQ(choose_index({"bray-curtis"}, 1'000'000, 3).reason,
            "the metric bray-curtis breaks the triangle inequality, on which a ball tree rests");
}

Index nodes_by_recursion(Index rows, Index leaf, Index centres) {
  if (rows <= leaf) return 1;
  const Index half = (rows - centres) / 2;
  return 1 + nodes_by_recursion(half, leaf, centres) + nodes_by_recursion(rows - centres - half, leaf, centres);
}

// Nodes are met in the order of their numbers, and leaves and centres in the order of the rows.
void expect_walk_in_order(const TreeShape& shape, const TreeShape::Node& node, Index centres, Index& number,
                          Index& row) {
  EXPECT_EQ(node.number, number++);
  EXPECT_EQ(node.first, row);
  row += shape.is_leaf(node.rows()) ? node.rows() : centres;
  if (shape.is_leaf(node.rows())) return;
  expect_walk_in_order(shape, shape.first_child(node), centres, number, row);
  expect_walk_in_order(shape, shape.second_child(node), centres, number, row);
  EXPECT_EQ(row, node.last);
}

TEST(TreeShape, IsThatOfARecursion) {
  for (const Index centres : {0, 1})
    for (const Index leaf : {2, 12, 16})
      for (const Index rows : {1, 2, 3, 4, 5, 12, 13, 16, 17, 18, 24, 25, 26, 33, 99, 100, 1000, 4095, 4096, 4097}) {
        const TreeShape shape(rows, leaf, centres);
        Index number = 0, row = 0;
        expect_walk_in_order(shape, shape.root(rows), centres, number, row);
        EXPECT_EQ(number, nodes_by_recursion(rows, leaf, centres)) << rows << ' ' << leaf << ' ' << centres;
        EXPECT_EQ(shape.all_nodes(), number);
        EXPECT_EQ(row, rows);
      }
}

} // namespace
} // namespace recta::neighbours
