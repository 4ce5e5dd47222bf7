// KD-tree (Friedman, Bentley and Finkel, An algorithm for finding best matches in logarithmic expected time, 1977), for
// measures that add up or compare |a_j - b_j| column by column.
//
// A node is cut at the median of its widest column, so the shape of the tree depends on the number of rows alone: node
// 0 is the root, the left child follows its node, and the right one follows the left one's nodes. Subtrees are built in
// parallel into places known beforehand. A node keeps the gap of its cut (the largest coordinate on the left, the
// smallest on the right), which bounds distances better than the cut alone (Arya and Mount, Algorithms for fast vector
// quantization, 1993: the bound changes by one column per step).
//
// Bounds are sums like distances, but rounded in another order; a node is left out only if its bound, less 2^-32 of it,
// is above the bound of the farthest row kept. That is more than a hundred roundings per level of any tree that fits
// into memory, so a row that ties is never lost.
#include "solver/neighbours/nearest.hpp"
#include "solver/neighbours/search.hpp"

#include <cmath>

namespace recta::neighbours {
namespace {

constexpr Index kLeaf = 12;          // rows of a leaf, at most
constexpr Index kSharedRows = 16384; // larger subtrees are cut before they are shared out
constexpr Index kQueriesOfATask = 64;

struct Node {
  Index first = 0, last = 0; // rows, in the order of the tree
  Index right = 0;           // number of the right child; 0: a leaf
  Index column = 0;
  double low = 0, high = 0; // the gap of the cut
};

Index nodes_of(Index rows) {
  return rows <= kLeaf ? 1 : 1 + nodes_of(rows / 2) + nodes_of(rows - rows / 2);
}

struct Keyed {
  double key;
  Index row;
  auto operator<=>(const Keyed&) const = default;
};

class Builder {
public:
  Builder(const Points& points, std::vector<Node>& nodes, std::vector<Index>& order)
      : points_(points), nodes_(nodes), order_(order) {}

  void build(Pool& pool) {
    nodes_[0] = {0, points_.rows};
    std::vector<Index> wide{0}, shared;
    std::vector<Keyed> scratch;
    while (!wide.empty()) {
      const Index node = wide.back();
      wide.pop_back();
      if (nodes_[at(node)].last - nodes_[at(node)].first <= kSharedRows) {
        shared.push_back(node);
        continue;
      }
      cut(node, scratch);
      wide.push_back(node + 1);
      wide.push_back(nodes_[at(node)].right);
    }
    pool.run(static_cast<Index>(shared.size()), [&](Index task, int) {
      std::vector<Keyed> own;
      descend(shared[at(task)], own);
    });
  }

private:
  void descend(Index node, std::vector<Keyed>& scratch) {
    if (nodes_[at(node)].last - nodes_[at(node)].first <= kLeaf) return;
    cut(node, scratch);
    descend(node + 1, scratch);
    descend(nodes_[at(node)].right, scratch);
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

  void cut(Index number, std::vector<Keyed>& scratch) {
    Node& node = nodes_[at(number)];
    node.column = widest(node);
    scratch.clear();
    for (Index i = node.first; i < node.last; ++i)
      scratch.push_back({points_.row(order_[at(i)])[node.column], order_[at(i)]});
    const Index left = (node.last - node.first) / 2;
    std::ranges::nth_element(scratch, scratch.begin() + left);
    node.high = scratch[at(left)].key;
    node.low = -kInfinity;
    for (Index i = 0; i < left; ++i) node.low = std::max(node.low, scratch[at(i)].key);
    for (std::size_t i = 0; i < scratch.size(); ++i) order_[at(node.first) + i] = scratch[i].row;
    node.right = number + 1 + nodes_of(left);
    nodes_[at(number + 1)] = {node.first, node.first + left};
    nodes_[at(node.right)] = {node.first + left, node.last};
  }

  const Points& points_;
  std::vector<Node>& nodes_;
  std::vector<Index>& order_;
};

struct Tree {
  Points points;
  std::vector<Node> nodes;
  std::vector<Index> order;        // the rows in the order of the tree
  std::vector<double> rows;        // their coordinates
  std::vector<double> least, most; // the box of all rows
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
      const double outside = std::max({0.0, tree_.least[at(j)] - query_[j], query_[j] - tree_.most[at(j)]});
      sides_[at(j)] = measure_.side(outside);
      bound = measure_.joined(bound, 0, sides_[at(j)]);
    }
    visit(0, bound);
  }

private:
  Index cols() const { return P > 0 ? P : tree_.points.cols; }

  void visit(Index number, double bound) {
    const Node& node = tree_.nodes[at(number)];
    if (node.right == 0) return compare(node);
    const double from_low = query_[node.column] - node.low, to_high = node.high - query_[node.column];
    const bool left = from_low < to_high;
    visit(left ? number + 1 : node.right, bound);
    double& side = sides_[at(node.column)];
    const double before = side, after = std::max(before, measure_.side(std::max(0.0, left ? to_high : from_low)));
    const double farther = measure_.joined(bound, before, after);
    if (farther * (1 - 0x1p-32) > measure_.bound(nearest_.limit())) return;
    side = after;
    visit(left ? node.right : number + 1, farther);
    side = before;
  }

  void compare(const Node& node) {
    double bound = measure_.bound(nearest_.limit());
    for (Index i = node.first; i < node.last; ++i) {
      const double* row = tree_.rows.data() + i * cols();
      const double reduced = measure_.reduced(query_, row, cols());
      if (reduced > bound) continue;
      nearest_.offer(measure_.finish(reduced, query_, row, cols()), tree_.order[at(i)]);
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
  KdTree(const Metric& metric, const Points& points, Pool& pool) : measure_(measure_of(metric, points)) {
    const Index n = points.rows, p = points.cols;
    tree_.points = points;
    tree_.order.resize(at(n));
    for (Index i = 0; i < n; ++i) tree_.order[at(i)] = i;
    tree_.nodes.resize(at(nodes_of(n)));
    Builder(points, tree_.nodes, tree_.order).build(pool);
    tree_.rows.resize(at(n * p));
    tree_.least.assign(at(p), kInfinity);
    tree_.most.assign(at(p), -kInfinity);
    for (Index i = 0; i < n; ++i)
      for (Index j = 0; j < p; ++j) {
        const double x = tree_.rows[at(i * p + j)] = points.row(tree_.order[at(i)])[j];
        tree_.least[at(j)] = std::min(tree_.least[at(j)], x);
        tree_.most[at(j)] = std::max(tree_.most[at(j)], x);
      }
  }

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

} // namespace recta::neighbours
