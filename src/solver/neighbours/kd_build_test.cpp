// The build of a kd-tree against sorting, node by node.
#include "base/random.hpp"
#include "solver/neighbours/kd_build.hpp"

#include <algorithm>
#include <gtest/gtest.h>
#include <numeric>

namespace recta::neighbours {
namespace {

constexpr Index kLeaf = 12;

// The tree by its definition: a sort by (coordinate, row number) per node, and leaves sorted by row number.
struct SortedTree {
  const std::vector<double>& x;
  Index p;
  TreeShape shape;
  std::vector<double> cuts = std::vector<double>(at(kCut * shape.all_nodes()));
  std::vector<Index> order = {};

  double coordinate(Index row, Index column) const { return x[at(row * p + column)]; }

  void build(const TreeShape::Node& node) {
    const auto from = order.begin() + node.first, to = order.begin() + node.last;
    std::sort(from, to);
    if (shape.is_leaf(node.rows())) return;
    Index column = 0;
    double widest = -1;
    for (Index j = 0; j < p; ++j) {
      const auto [least, most] =
          std::minmax_element(from, to, [&](Index a, Index b) { return coordinate(a, j) < coordinate(b, j); });
      const double width = coordinate(*most, j) - coordinate(*least, j);
      if (width > widest) widest = width, column = j;
    }
    std::sort(from, to, [&](Index a, Index b) {
      return std::pair(coordinate(a, column), a) < std::pair(coordinate(b, column), b);
    });
    const Index left = shape.first_half(node.rows());
    double* cut = cuts.data() + kCut * node.number;
    cut[0] = static_cast<double>(column);
    cut[1] = coordinate(from[left - 1], column), cut[2] = coordinate(from[left], column);
    build(shape.first_child(node));
    build(shape.second_child(node));
  }
};

std::vector<double> numbers(Index count, Index distinct, std::uint64_t seed) {
  Random random(seed);
  std::vector<double> out;
  for (Index i = 0; i < count; ++i) {
    const double u = random.uniform();
    out.push_back(distinct > 0 ? std::floor(u * static_cast<double>(distinct)) : u);
  }
  return out;
}

Points points_of(const std::vector<double>& x, Index p) {
  return {x, std::ssize(x) / p, p};
}

TEST(BuildingAKdTree, GivesTheTreeThatSortingEveryNodeGives) {
  for (const Index p : {1, 2, 3, 5})
    for (const Index rows : {1, 12, 13, 500, 40000}) // the last is cut by several threads
      for (const Index distinct : {0, 1, 3, 1000}) {
        const std::vector<double> x = numbers(rows * p, distinct, 7);
        SortedTree want{x, p, TreeShape(rows, kLeaf, 0)};
        want.order.resize(at(rows));
        std::iota(want.order.begin(), want.order.end(), Index{0});
        want.build(want.shape.root(rows));
        for (const int threads : {1, 3}) {
          Pool pool(threads);
          const TreeParts got = build_kd_tree(points_of(x, p), want.shape, pool);
          ASSERT_TRUE(std::ranges::equal(got.cuts, want.cuts)) << rows << " x " << p << ", " << distinct;
          ASSERT_TRUE(std::ranges::equal(got.order, want.order)) << rows << " x " << p << ", " << distinct;
          for (Index i = 0; i < rows; ++i)
            for (Index j = 0; j < p; ++j) ASSERT_EQ(got.rows[at(i * p + j)], want.coordinate(want.order[at(i)], j));
          for (Index j = 0; j < p; ++j) {
            double least = kInfinity, most = -kInfinity;
            for (Index i = 0; i < rows; ++i)
              least = std::min(least, want.coordinate(i, j)), most = std::max(most, want.coordinate(i, j));
            ASSERT_EQ(got.box[at(j)], least);
            ASSERT_EQ(got.box[at(p + j)], most);
          }
        }
      }
}

TEST(SelectingTheNth, FindsWhatSortingFinds) {
  std::vector<std::vector<double>> lists;
  for (const Index count : {1, 2, 128, 129, 1000, 20000})
    for (const Index distinct : {0, 1, 2, 50}) lists.push_back(numbers(count, distinct, 11));
  std::vector<double> rising(5000), periodic(5000);
  std::iota(rising.begin(), rising.end(), -2500.0);
  lists.push_back(rising);
  lists.emplace_back(rising.rbegin(), rising.rend());
  // Every number that the sample takes (each 35th) is larger than all others: the sample misleads.
  for (std::size_t i = 0; i < periodic.size(); ++i)
    periodic[i] = i % 35 == 0 ? 1e6 + static_cast<double>(i) : rising[i];
  lists.push_back(periodic);
  std::vector<double> scratch;
  for (const auto& list : lists) {
    std::vector<double> sorted = list;
    std::ranges::sort(sorted);
    const Index count = std::ssize(list);
    for (const Index nth : {Index{0}, count / 3, count / 2, count - 1}) {
      std::vector<double> moved = list;
      EXPECT_EQ(select_nth(moved, nth, scratch), sorted[at(nth)]) << count << ", " << nth;
    }
  }
}

TEST(KdTreesAreTheSame, WhateverTheOrderInsideTheirLeaves) {
  const Index rows = 1000, p = 2;
  const std::vector<double> x = numbers(rows * p, 0, 3);
  const Points points = points_of(x, p);
  Pool pool(1);
  const TreeParts tree = *make_kd_tree({}, points, pool)->tree();
  const auto swapped = [&](std::size_t a, std::size_t b, bool coordinates) {
    std::vector<Index> order = tree.order.copy();
    std::vector<double> moved = tree.rows.copy();
    std::swap(order[a], order[b]);
    for (std::size_t j = 0; coordinates && j < at(p); ++j) std::swap(moved[a * at(p) + j], moved[b * at(p) + j]);
    return TreeParts{tree.cuts, order, moved, tree.box};
  };
  EXPECT_TRUE(same_tree(IndexWord::kd_tree, points, tree, tree));
  EXPECT_TRUE(same_tree(IndexWord::kd_tree, points, tree, swapped(0, 1, true)));
  EXPECT_FALSE(same_tree(IndexWord::kd_tree, points, tree, swapped(0, 1, false)));
  EXPECT_FALSE(same_tree(IndexWord::kd_tree, points, tree, swapped(0, 999, true)));
  std::vector<double> cuts = tree.cuts.copy();
  cuts[1] += 1;
  EXPECT_FALSE(same_tree(IndexWord::kd_tree, points, tree, {cuts, tree.order, tree.rows, tree.box}));
}

} // namespace
} // namespace recta::neighbours
