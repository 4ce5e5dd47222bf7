// Ball tree for any measure that obeys the triangle inequality (Yianilos, Data structures and algorithms for nearest
// neighbor search in general metric spaces, 1993: a vantage-point tree).
//
// A node has a row as its centre. The nearer half of its other rows lies in a ball around the centre, the farther half
// in a shell; both keep the least and the largest distance to it. If d is the distance of the query to the centre, a
// row at distance e from the centre is no nearer than |d - e|, so a half is left out if its whole range of e says so.
// The centre is the row farthest from the first one: rows at the rim cut best. The shape of the tree depends on the
// number of rows alone, and it needs distances only, no coordinates.
//
// Distances are rounded, so a half is left out only if the bound is above the farthest row kept by 2^-32 of the numbers
// it is made of, which is more than their rounding, and by what the measure says about itself beside that.
#include "solver/neighbours/nearest.hpp"
#include "solver/neighbours/search.hpp"
#include "solver/neighbours/tree_shape.hpp"

#include <cmath>

namespace recta::neighbours {
namespace {

constexpr Index kSharedRowsOfBalls = 16384; // larger subtrees are cut before they are shared out
constexpr Index kBallQueries = 64;          // of one task

struct Range {
  double least = kInfinity, most = -kInfinity; // distances to the centre
  void add(double d) {
    least = std::min(least, d);
    most = std::max(most, d);
  }
};

constexpr Index kRanges = 4; // numbers of a node: the ranges of the ball and of the shell

using Ball = TreeShape::Node; // its first row is the centre, unless this is a leaf

TreeShape shape_of_balls(Index rows) {
  constexpr Index kLeaf = 16; // a file of a tree with other leaves is another tree: see tree_layout
  return {rows, kLeaf, 1};
}

struct BallTree {
  Points points;
  TreeShape shape;
  TreeParts parts;
};

template <class M>
class BallBuilder {
public:
  BallBuilder(const M& measure, const Points& points, const TreeShape& shape)
      : measure_(measure), points_(points), shape_(shape), ranges_(at(kRanges * shape.all_nodes())),
        order_(at(points.rows)) {
    for (Index i = 0; i < points.rows; ++i) order_[at(i)] = i;
  }

  TreeParts build(Pool& pool) {
    std::vector<Ball> wide{shape_.root(points_.rows)}, shared;
    std::vector<Neighbour> scratch;
    while (!wide.empty()) {
      const Ball ball = wide.back();
      wide.pop_back();
      if (ball.rows() <= kSharedRowsOfBalls) {
        shared.push_back(ball);
        continue;
      }
      cut(ball, scratch);
      wide.push_back(shape_.first_child(ball));
      wide.push_back(shape_.second_child(ball));
    }
    pool.run(std::ssize(shared), [&](Index task, int) {
      std::vector<Neighbour> own;
      descend(shared[at(task)], own);
    });
    const Index p = points_.cols;
    std::vector<double> rows(at(points_.rows * p));
    for (Index i = 0; i < points_.rows; ++i) std::copy_n(points_.row(order_[at(i)]), p, rows.begin() + i * p);
    return {std::move(ranges_), std::move(order_), std::move(rows)};
  }

private:
  void descend(const Ball& ball, std::vector<Neighbour>& scratch) {
    if (shape_.is_leaf(ball.rows())) return;
    cut(ball, scratch);
    descend(shape_.first_child(ball), scratch);
    descend(shape_.second_child(ball), scratch);
  }

  // The rows of a ball with their distances to one of them.
  void measure_from(Index row, const Ball& ball, std::vector<Neighbour>& out) const {
    out.clear();
    for (Index i = ball.first; i < ball.last; ++i) {
      const Index other = order_[at(i)];
      out.push_back({measured(measure_, points_.row(row), points_.row(other), points_.cols), other});
    }
  }

  void cut(const Ball& ball, std::vector<Neighbour>& scratch) {
    const auto before = [](const Neighbour& a, const Neighbour& b) {
      return a.distance != b.distance ? a.distance < b.distance : a.row < b.row;
    };
    measure_from(order_[at(ball.first)], ball, scratch);
    const Index centre = std::ranges::max_element(scratch, before)->row;
    measure_from(centre, ball, scratch);
    std::ranges::iter_swap(std::ranges::find(scratch, centre, &Neighbour::row), scratch.begin());
    const Index inner = shape_.first_half(ball.rows());
    std::ranges::nth_element(scratch.begin() + 1, scratch.begin() + 1 + inner, scratch.end(), before);
    Range in_ball, in_shell;
    for (Index i = 0; i < std::ssize(scratch); ++i) {
      order_[at(ball.first + i)] = scratch[at(i)].row;
      if (i > 0) (i <= inner ? in_ball : in_shell).add(scratch[at(i)].distance);
    }
    double* numbers = ranges_.data() + kRanges * ball.number;
    numbers[0] = in_ball.least, numbers[1] = in_ball.most, numbers[2] = in_shell.least, numbers[3] = in_shell.most;
  }

  const M& measure_;
  const Points& points_;
  const TreeShape& shape_;
  std::vector<double> ranges_;
  std::vector<Index> order_;
};

// One query on its way through the tree.
template <class M>
class BallWalk {
public:
  BallWalk(const BallTree& tree, const M& measure, const double* query, Nearest& nearest)
      : tree_(tree), measure_(measure), query_(query), nearest_(nearest) {}

  void run() { visit(tree_.shape.root(tree_.points.rows)); }

private:
  void visit(const Ball& ball) {
    if (tree_.shape.is_leaf(ball.rows())) return compare(ball);
    const double* numbers = tree_.parts.cuts.from(at(kRanges * ball.number), kRanges);
    const Range in_ball{numbers[0], numbers[1]}, in_shell{numbers[2], numbers[3]};
    const double d = measured(measure_, query_, rows(ball.first, 1), tree_.points.cols);
    nearest_.offer(d, tree_.parts.order[at(ball.first)]);
    const bool inside = d < in_ball.most / 2 + in_shell.least / 2;
    for (const bool inner : {inside, !inside})
      if (!out_of_reach(d, inner ? in_ball : in_shell))
        visit(inner ? tree_.shape.first_child(ball) : tree_.shape.second_child(ball));
  }

  const double* rows(Index first, Index count) const {
    return tree_.parts.rows.from(at(first * tree_.points.cols), at(count * tree_.points.cols));
  }

  // An overflow, infinity less infinity, leaves nothing out.
  bool out_of_reach(double d, const Range& range) const {
    const double bound = std::max(range.least - d, d - range.most);
    return bound - 0x1p-32 * (d + range.most) - measure_.rounding > nearest_.limit();
  }

  void compare(const Ball& leaf) {
    const Index p = tree_.points.cols;
    double bound = measure_.bound(nearest_.limit());
    const double* row = rows(leaf.first, leaf.rows());
    for (Index i = leaf.first; i < leaf.last; ++i, row += p) {
      const double reduced = measure_.reduced(query_, row, p);
      if (reduced > bound) continue;
      nearest_.offer(measure_.finish(reduced, query_, row, p), tree_.parts.order[at(i)]);
      bound = measure_.bound(nearest_.limit());
    }
  }

  const BallTree& tree_;
  const M& measure_;
  const double* query_;
  Nearest& nearest_;
};

class BallSearch final : public Search {
public:
  BallSearch(const Metric& metric, const Points& points, Pool& pool)
      : measure_(measure_of(metric, points)), tree_{points, shape_of_balls(points.rows), {}} {
    tree_.parts = std::visit(
        [&](const auto& measure) { return BallBuilder(measure, tree_.points, tree_.shape).build(pool); }, measure_);
  }
  BallSearch(const Metric& metric, const Points& points, TreeParts parts)
      : measure_(measure_of(metric, points)), tree_{points, shape_of_balls(points.rows), std::move(parts)} {}

  const TreeParts* tree() const override { return &tree_.parts; }
  Neighbourhoods find(const double* queries, Index count, const Wanted& wanted, std::span<const Index> self,
                      Pool& pool) const override {
    const Points points = counted(tree_.points, wanted.each_one_place);
    std::vector<std::vector<Neighbour>> lists(at(count));
    pool.run((count + kBallQueries - 1) / kBallQueries, [&](Index task, int) {
      for (Index q = task * kBallQueries; q < std::min(count, (task + 1) * kBallQueries); ++q) {
        const double* query = queries + q * points.cols;
        Nearest nearest(points, wanted, self.empty() ? -1 : self[at(q)], Order(points, measure_, query));
        std::visit([&](const auto& one) { BallWalk(tree_, one, query, nearest).run(); }, measure_);
        lists[at(q)] = nearest.sorted();
      }
    });
    return joined(std::move(lists));
  }

private:
  Measure measure_;
  BallTree tree_;
};

} // namespace

std::unique_ptr<Search> make_ball_tree(const Metric& metric, const Points& points, Pool& pool) {
  return std::make_unique<BallSearch>(metric, points, pool);
}
std::unique_ptr<Search> make_ball_tree(const Metric& metric, const Points& points, TreeParts parts) {
  return std::make_unique<BallSearch>(metric, points, std::move(parts));
}
Index ball_tree_nodes(Index rows) {
  return shape_of_balls(rows).all_nodes();
}

} // namespace recta::neighbours
