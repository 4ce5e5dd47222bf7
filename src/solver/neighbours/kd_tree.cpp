// KD-tree (Friedman, Bentley and Finkel, An algorithm for finding best matches in logarithmic expected time, 1977), for
// measures that add up or compare |a_j - b_j| column by column.
//
// A node is cut at the median of its widest column, so the shape of the tree depends on the number of rows alone
// (tree_shape.hpp), and nodes are cut in parallel, at places known beforehand (kd_build.hpp). A node keeps the gap of
// its cut (the largest coordinate on the left, the smallest on the right), which bounds distances better than the cut
// alone (Arya and Mount, Algorithms for fast vector quantization, 1993: the bound changes by one column per step).
//
// Bounds are sums like distances, but rounded in another order; a node is left out only if its bound, less 2^-32 of it,
// is above the bound of the farthest row kept. That is more than a hundred roundings per level of any tree that fits
// into memory, so a row that ties is never lost.
#include "solver/neighbours/kd_build.hpp"
#include "solver/neighbours/nearest.hpp"

#include <cmath>
#include <numeric>

namespace recta::neighbours {
namespace {

constexpr Index kQueriesOfATask = 64;
constexpr Index kQueriesToOrder = 512; // from so many on
constexpr std::size_t kLevels = 12;    // of the tree, by which queries are ordered

using Node = TreeShape::Node;

TreeShape shape_of(Index rows) {
  constexpr Index kLeaf = 12; // a file of a tree with other leaves is another tree: see tree_layout
  return {rows, kLeaf, 0};
}

struct Tree {
  Points points;
  TreeShape shape;
  TreeParts parts;
};

// One query on its way through the tree. P: the number of columns if it is known when this is compiled, else 0.
template <class M, int P>
class Walk {
public:
  Walk(const Tree& tree, const M& measure, const double* query, std::vector<double>& sides, Nearest& nearest)
      : tree_(tree), measure_(measure), query_(query), sides_(sides), nearest_(nearest) {}

  void run() {
    double bound = 0;
    for (Index j = 0; j < cols(); ++j) {
      const double least = tree_.parts.box[at(j)], most = tree_.parts.box[at(cols() + j)];
      const double outside = std::max({0.0, least - query_[j], query_[j] - most});
      sides_[at(j)] = measure_.side(outside);
      bound = measure_.joined(bound, 0, sides_[at(j)]);
    }
    visit(tree_.shape.root(tree_.points.rows), bound);
  }

private:
  Index cols() const { return P > 0 ? P : tree_.points.cols; }

  void visit(const Node& node, double bound) {
    if (tree_.shape.is_leaf(node.rows())) return compare(node);
    const double* cut = tree_.parts.cuts.from(at(kCut * node.number), kCut);
    const auto column = static_cast<Index>(cut[0]);
    const double from_low = query_[column] - cut[1], to_high = cut[2] - query_[column];
    const bool left = from_low < to_high;
    visit(left ? tree_.shape.first_child(node) : tree_.shape.second_child(node), bound);
    double& side = sides_[at(column)];
    const double before = side, after = std::max(before, measure_.side(std::max(0.0, left ? to_high : from_low)));
    const double farther = measure_.joined(bound, before, after);
    if (farther * (1 - 0x1p-32) > measure_.bound(nearest_.limit())) return;
    side = after;
    visit(left ? tree_.shape.second_child(node) : tree_.shape.first_child(node), farther);
    side = before;
  }

  void compare(const Node& node) {
    double bound = measure_.bound(nearest_.limit());
    const double* row = tree_.parts.rows.from(at(node.first * cols()), at(node.rows() * cols()));
    for (Index i = node.first; i < node.last; ++i, row += cols()) {
      const double reduced = measure_.reduced(query_, row, cols());
      if (reduced > bound) continue;
      nearest_.offer(measure_.finish(reduced, query_, row, cols()), tree_.parts.order[at(i)]);
      bound = measure_.bound(nearest_.limit());
    }
  }

  const Tree& tree_;
  const M& measure_;
  const double* query_;
  std::vector<double>& sides_; // what every column adds to the bound
  Nearest& nearest_;
};

template <class M>
void walk(const Tree& tree, const M& measure, const double* query, std::vector<double>& sides, Nearest& nearest) {
  switch (tree.points.cols) {
  case 1:
    return Walk<M, 1>(tree, measure, query, sides, nearest).run();
  case 2:
    return Walk<M, 2>(tree, measure, query, sides, nearest).run();
  case 3:
    return Walk<M, 3>(tree, measure, query, sides, nearest).run();
  default:
    return Walk<M, 0>(tree, measure, query, sides, nearest).run();
  }
}

// The node of the tree's first levels in which a point lies, as the sides at which its cuts were passed.
std::size_t place_of(const Tree& tree, const double* x) {
  Node node = tree.shape.root(tree.points.rows);
  std::size_t place = 0;
  while (node.depth < kLevels && !tree.shape.is_leaf(node.rows())) {
    const double* cut = tree.parts.cuts.from(at(kCut * node.number), kCut);
    const double at_cut = x[static_cast<Index>(cut[0])];
    const bool left = at_cut - cut[1] < cut[2] - at_cut;
    node = left ? tree.shape.first_child(node) : tree.shape.second_child(node);
    place = 2 * place + (left ? 0 : 1);
  }
  return place << (kLevels - node.depth);
}

// Queries that are asked one after another should be near each other, since they then read the same part of the tree.
std::vector<Index> in_order_of_place(const Tree& tree, const double* queries, Index count) {
  std::vector<Index> out(at(count));
  std::iota(out.begin(), out.end(), Index{0});
  if (count < kQueriesToOrder) return out;
  std::vector<std::size_t> place(at(count)), start((std::size_t{1} << kLevels) + 1);
  for (Index q = 0; q < count; ++q) ++start[(place[at(q)] = place_of(tree, queries + q * tree.points.cols)) + 1];
  std::partial_sum(start.begin(), start.end(), start.begin());
  for (Index q = 0; q < count; ++q) out[start[place[at(q)]]++] = q;
  return out;
}

class KdTree final : public Search {
public:
  KdTree(const Metric& metric, const Points& points, Pool& pool)
      : measure_(measure_of(metric, points)), tree_{points, shape_of(points.rows), {}} {
    tree_.parts = build_kd_tree(tree_.points, tree_.shape, pool);
  }
  KdTree(const Metric& metric, const Points& points, TreeParts parts)
      : measure_(measure_of(metric, points)), tree_{points, shape_of(points.rows), std::move(parts)} {}

  const TreeParts* tree() const override { return &tree_.parts; }
  Neighbourhoods find(const double* queries, Index count, const Wanted& wanted, std::span<const Index> self,
                      Pool& pool) const override {
    const Points points = counted(tree_.points, wanted.each_one_place);
    const std::vector<Index> turn = in_order_of_place(tree_, queries, count);
    std::vector<std::vector<Neighbour>> lists(at(count));
    pool.run((count + kQueriesOfATask - 1) / kQueriesOfATask, [&](Index task, int) {
      std::vector<double> sides(at(tree_.points.cols));
      for (Index k = task * kQueriesOfATask; k < std::min(count, (task + 1) * kQueriesOfATask); ++k) {
        const Index q = turn[at(k)];
        const double* query = queries + q * points.cols;
        Nearest nearest(points, wanted, self.empty() ? -1 : self[at(q)], Order(points, measure_, query));
        std::visit(
            [&](const auto& measure) {
              if constexpr (std::decay_t<decltype(measure)>::boxes) walk(tree_, measure, query, sides, nearest);
            },
            measure_);
        lists[at(q)] = nearest.sorted();
      }
    });
    return joined(std::move(lists));
  }

private:
  Measure measure_;
  Tree tree_;
};

// The rows of the tree, those of every leaf in the order of their numbers.
std::vector<Index> rows_by_leaf(const TreeShape& shape, const TreeParts& parts) {
  std::vector<Index> order = parts.order.copy();
  std::vector<Node> left{shape.root(std::ssize(order))};
  while (!left.empty()) {
    const Node node = left.back();
    left.pop_back();
    if (shape.is_leaf(node.rows())) {
      std::sort(order.begin() + node.first, order.begin() + node.last);
      continue;
    }
    left.push_back(shape.first_child(node));
    left.push_back(shape.second_child(node));
  }
  return order;
}

bool has_rows_of(const Points& points, const TreeParts& parts) {
  const auto order = parts.order.all();
  const double* row = parts.rows.all().data();
  if (std::ssize(order) != points.rows) return false;
  for (Index i = 0; i < points.rows; ++i, row += points.cols)
    if (!std::equal(row, row + points.cols, points.row(order[at(i)]))) return false;
  return true;
}

} // namespace

bool same_kd_tree(const Points& points, const TreeParts& a, const TreeParts& b) {
  const TreeShape shape = shape_of(points.rows);
  return std::ranges::equal(a.cuts, b.cuts) && a.box == b.box && has_rows_of(points, a) && has_rows_of(points, b) &&
         rows_by_leaf(shape, a) == rows_by_leaf(shape, b);
}

std::unique_ptr<Search> make_kd_tree(const Metric& metric, const Points& points, Pool& pool) {
  return std::make_unique<KdTree>(metric, points, pool);
}
std::unique_ptr<Search> make_kd_tree(const Metric& metric, const Points& points, TreeParts parts) {
  return std::make_unique<KdTree>(metric, points, std::move(parts));
}
Index kd_tree_nodes(Index rows) {
  return shape_of(rows).all_nodes();
}

} // namespace recta::neighbours
