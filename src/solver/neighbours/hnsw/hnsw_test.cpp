// Approximate search: the same graph at any number of threads, true distances, most of the neighbours, and answers on
// degenerate rows.
#include "base/random.hpp"
#include "solver/neighbours/hnsw/distinct.hpp"
#include "solver/neighbours/hnsw/hnsw.hpp"

#include <gtest/gtest.h>
#include <numeric>
#include <set>

namespace recta::neighbours {
namespace {

std::vector<double> normals(Index count, std::uint64_t seed) {
  Random random(seed);
  std::vector<double> out;
  for (Index i = 0; i < count; ++i) out.push_back(random.normal());
  return out;
}

double recall(const Metric& metric, const Points& points, const GraphOptions& options,
              const std::vector<double>& queries, double k) {
  Pool pool(2);
  const Index count = static_cast<Index>(queries.size()) / points.cols;
  const auto found = make_hnsw(metric, points, options, pool)->find(queries.data(), count, {.k = k}, {}, pool);
  const auto truth = make_brute(metric, points, pool)->find(queries.data(), count, {.k = k}, {}, pool);
  double right = 0;
  for (Index q = 0; q < count; ++q) {
    std::set<Index> rows;
    for (const Neighbour& one : truth.of(q)) rows.insert(one.row);
    EXPECT_EQ(found.of(q).size(), truth.of(q).size());
    for (const Neighbour& one : found.of(q)) {
      const double distance = std::visit(
          [&](const auto& measure) {
            return measured(measure, queries.data() + q * points.cols, points.row(one.row), points.cols);
          },
          measure_of(metric, points));
      EXPECT_EQ(one.distance, distance);
      right += rows.contains(one.row) ? 1 : 0;
    }
  }
  return right / static_cast<double>(truth.list.size());
}

TEST(Hnsw, FindsMostNeighbours) {
  const std::vector<double> x = normals(1500 * 8, 1), queries = normals(100 * 8, 2);
  const Points points{x, 1500, 8};
  EXPECT_GT(recall({}, points, {}, queries, 10), 0.98);
  EXPECT_GT(recall({"manhattan"}, points, {}, queries, 10), 0.98);
  EXPECT_GT(recall({"canberra"}, points, {}, queries, 10), 0.9);
  EXPECT_LT(recall({}, points, {.links = 2, .ef_construction = 4, .ef_search = 1}, queries, 1), 0.9);
}

TEST(Hnsw, FindsMoreWithAWiderSearch) {
  const std::vector<double> x = normals(1500 * 16, 3), queries = normals(100 * 16, 4);
  const Points points{x, 1500, 16};
  const double narrow = recall({}, points, {.links = 6, .ef_construction = 40, .ef_search = 10}, queries, 10);
  const double wide = recall({}, points, {.links = 6, .ef_construction = 40, .ef_search = 300}, queries, 10);
  EXPECT_LT(narrow, wide);
  EXPECT_GT(wide, 0.97);
}

TEST(Hnsw, HasTheSameGraphAtAnyNumberOfThreads) {
  const std::vector<double> x = normals(1500 * 5, 5);
  const Points points{x, 1500, 5};
  Pool one(1), three(3);
  const auto a = make_hnsw({}, points, {.seed = 7}, one), b = make_hnsw({}, points, {.seed = 7}, three);
  EXPECT_EQ(a->parts(), b->parts());
  EXPECT_NE(a->parts(), make_hnsw({}, points, {.seed = 8}, three)->parts());
  const auto found = a->find(x.data(), 300, {.k = 4}, {}, one), again = b->find(x.data(), 300, {.k = 4}, {}, three);
  for (std::size_t i = 0; i < found.list.size(); ++i) ASSERT_EQ(found.list[i].row, again.list[i].row);
}

TEST(Hnsw, AnswersManyQueriesAsItAnswersEachAlone) {
  const std::vector<double> x = normals(2000 * 6, 12), queries = normals(75 * 6, 13);
  Pool pool(2);
  const auto search = make_hnsw({}, {x, 2000, 6}, {.links = 5, .ef_search = 20}, pool);
  const auto together = search->find(queries.data(), 75, {.k = 7}, {}, pool);
  for (Index q = 0; q < 75; ++q) {
    const auto alone = search->find(queries.data() + q * 6, 1, {.k = 7}, {}, pool);
    ASSERT_EQ(together.of(q).size(), alone.of(0).size());
    for (std::size_t i = 0; i < alone.of(0).size(); ++i) ASSERT_EQ(together.of(q)[i].row, alone.of(0)[i].row);
  }
}

TEST(Hnsw, LeavesOutTheQueryItself) {
  const std::vector<double> x = normals(500 * 3, 6);
  Pool pool(2);
  std::vector<Index> self(500);
  std::iota(self.begin(), self.end(), 0);
  const auto found = make_hnsw({}, {x, 500, 3}, {}, pool)->find(x.data(), 500, {.k = 5}, self, pool);
  for (Index q = 0; q < 500; ++q) {
    ASSERT_EQ(found.of(q).size(), 5U);
    for (const Neighbour& one : found.of(q)) EXPECT_NE(one.row, q);
  }
}

TEST(Hnsw, AnswersAmongEqualRowsOneRowAndRowsOfAnySize) {
  Pool pool(2);
  std::vector<double> x(600, 7);
  const auto equal = make_hnsw({}, {x, 300, 2}, {}, pool)->find(x.data(), 1, {.k = 40}, {}, pool);
  ASSERT_EQ(equal.list.size(), 40U);
  for (Index i = 0; i < 40; ++i) EXPECT_EQ(equal.list[at(i)].row, i);
  EXPECT_EQ(make_hnsw({}, {x, 1, 2}, {}, pool)->find(x.data(), 1, {.k = 1}, {}, pool).list.size(), 1U);
  for (const double size : {1e-300, 1e300}) {
    x = normals(600, 8);
    for (double& one : x) one *= size / 10;
    EXPECT_GT(recall({}, {x, 300, 2}, {}, x, 5), 0.9);
  }
  const std::vector<double> far = normals(2, 9); // a query beyond single precision
  EXPECT_EQ(make_hnsw({}, {x, 300, 2}, {}, pool)->find(far.data(), 1, {.k = 300}, {}, pool).list.size(), 300U);
}

TEST(Hnsw, CountsPlaces) {
  const std::vector<double> x = normals(400, 10);
  std::vector<double> places(200, 0.25);
  const Points points{x, 200, 2, places};
  Pool pool(1);
  const GraphOptions narrow{.ef_search = 4};
  const auto found = make_hnsw({}, points, narrow, pool)->find(x.data(), 1, {.k = 6}, {}, pool);
  EXPECT_EQ(found.list.size(), 24U); // 24 rows of a quarter of a place
}

TEST(Hnsw, EqualRowsShareANode) {
  const std::vector<double> x{1, 2, 1, -0.0, 0.0, 2};
  const DistinctRows distinct = distinct_rows({x, 6, 1}, 0);
  ASSERT_EQ(distinct.nodes(), 3);
  std::multiset<Index> sizes;
  for (Index v = 0; v < 3; ++v) {
    sizes.insert(std::ssize(distinct.rows_of(v)));
    for (const Index row : distinct.rows_of(v)) EXPECT_EQ(x[at(row)], x[at(distinct.row_of(v))]);
  }
  EXPECT_EQ(sizes, (std::multiset<Index>{2, 2, 2}));
}

} // namespace
} // namespace recta::neighbours
