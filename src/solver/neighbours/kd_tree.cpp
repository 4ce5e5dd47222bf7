// KD-tree (Friedman, Bentley and Finkel, An algorithm for finding best matches in logarithmic expected time, 1977), for
// measures that add up or compare |a_j - b_j| column by column.
//
// A node is cut at the median of its widest column, so the shape of the tree depends on the number of rows alone
// (tree_shape.hpp). Subtrees are built in parallel into places known beforehand. A node keeps the gap of its cut (the
// largest coordinate on the left, the smallest on the right), which bounds distances better than the cut alone (Arya
// and Mount, Algorithms for fast vector quantization, 1993: the bound changes by one column per step).
//
// Bounds are sums like distances, but rounded in another order; a node is left out only if its bound, less 2^-32 of it,
// is above the bound of the farthest row kept. That is more than a hundred roundings per level of any tree that fits
// into memory, so a row that ties is never lost.
#include "solver/neighbours/nearest.hpp"
#include "solver/neighbours/search.hpp"
#include "solver/neighbours/tree_shape.hpp"

#include <cmath>

namespace recta::neighbours {
namespace {

constexpr Index kSharedRows = 16384; // larger subtrees are cut before they are shared out
constexpr Index kQueriesOfATask = 64;
constexpr Index kCut = 3; // numbers of a node

using Node = TreeShape::Node;

struct Keyed {
  double key;
  Index row;
  auto operator<=>(const Keyed&) const = default;
};

TreeShape shape_of(Index rows) {
  constexpr Index kLeaf = 12; // a file of a tree with other leaves is another tree: see tree_layout
  return {rows, kLeaf, 0};
}

class Builder {
public:
  Builder(const Points& points, const TreeShape& shape)
      : points_(points), shape_(shape), cuts_(at(kCut * shape.all_nodes())), order_(at(points.rows)) {
    for (Index i = 0; i < points.rows; ++i) order_[at(i)] = i;
  }

  TreeParts build(Pool& pool) {
    std::vector<Node> wide{shape_.root(points_.rows)}, shared;
    std::vector<Keyed> scratch;
    while (!wide.empty()) {
      const Node node = wide.back();
      wide.pop_back();
      if (node.rows() <= kSharedRows) {
        shared.push_back(node);
        continue;
      }
      cut(node, scratch);
      wide.push_back(shape_.first_child(node));
      wide.push_back(shape_.second_child(node));
    }
    pool.run(static_cast<Index>(shared.size()), [&](Index task, int) {
      std::vector<Keyed> own;
      descend(shared[at(task)], own);
    });
    return ordered();
  }

private:
  void descend(const Node& node, std::vector<Keyed>& scratch) {
    if (shape_.is_leaf(node.rows())) return;
    cut(node, scratch);
    descend(shape_.first_child(node), scratch);
    descend(shape_.second_child(node), scratch);
  }

  Index widest(const Node& node) const {
    std::vector<double> least(at(points_.cols), kInfinity), most(at(points_.cols), -kInfinity);
    for (Index i = node.first; i < node.last; ++i) {
      const double* row = points_.row(order_[at(i)]);
      for (std::size_t j = 0; j < least.size(); ++j) {
        least[j] = std::min(least[j], row[j]);
        most[j] = std::max(most[j], row[j]);
      }
    }
    std::size_t best = 0;
    for (std::size_t j = 1; j < least.size(); ++j)
      if (most[j] - least[j] > most[best] - least[best]) best = j;
    return static_cast<Index>(best);
  }

  void cut(const Node& node, std::vector<Keyed>& scratch) {
    const Index column = widest(node), left = shape_.first_half(node.rows());
    scratch.clear();
    for (Index i = node.first; i < node.last; ++i)
      scratch.push_back({points_.row(order_[at(i)])[column], order_[at(i)]});
    std::ranges::nth_element(scratch, scratch.begin() + left);
    double low = -kInfinity;
    for (Index i = 0; i < left; ++i) low = std::max(low, scratch[at(i)].key);
    for (std::size_t i = 0; i < scratch.size(); ++i) order_[at(node.first) + i] = scratch[i].row;
    double* numbers = cuts_.data() + kCut * node.number;
    numbers[0] = static_cast<double>(column), numbers[1] = low, numbers[2] = scratch[at(left)].key;
  }

  TreeParts ordered() {
    const Index n = points_.rows, p = points_.cols;
    std::vector<double> rows(at(n * p)), box(at(p), kInfinity);
    box.resize(at(2 * p), -kInfinity);
    for (Index i = 0; i < n; ++i)
      for (Index j = 0; j < p; ++j) {
        const double x = rows[at(i * p + j)] = points_.row(order_[at(i)])[j];
        box[at(j)] = std::min(box[at(j)], x);
        box[at(p + j)] = std::max(box[at(p + j)], x);
      }
    return {std::move(cuts_), std::move(order_), std::move(rows), std::move(box)};
  }

  const Points& points_;
  const TreeShape& shape_;
  std::vector<double> cuts_;
  std::vector<Index> order_;
};

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

class KdTree final : public Search {
public:
  KdTree(const Metric& metric, const Points& points, Pool& pool)
      : measure_(measure_of(metric, points)), tree_{points, shape_of(points.rows), {}} {
    tree_.parts = Builder(tree_.points, tree_.shape).build(pool);
  }
  KdTree(const Metric& metric, const Points& points, TreeParts parts)
      : measure_(measure_of(metric, points)), tree_{points, shape_of(points.rows), std::move(parts)} {}

  const TreeParts* tree() const override { return &tree_.parts; }
  Neighbourhoods find(const double* queries, Index count, const Wanted& wanted, std::span<const Index> self,
                      Pool& pool) const override {
    const Points points = counted(tree_.points, wanted.each_one_place);
    std::vector<std::vector<Neighbour>> lists(at(count));
    pool.run((count + kQueriesOfATask - 1) / kQueriesOfATask, [&](Index task, int) {
      std::vector<double> sides(at(tree_.points.cols));
      for (Index q = task * kQueriesOfATask; q < std::min(count, (task + 1) * kQueriesOfATask); ++q) {
        Nearest nearest(points, wanted, self.empty() ? -1 : self[at(q)]);
        std::visit(
            [&](const auto& measure) {
              if constexpr (std::decay_t<decltype(measure)>::boxes)
                walk(tree_, measure, queries + q * tree_.points.cols, sides, nearest);
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

} // namespace

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
