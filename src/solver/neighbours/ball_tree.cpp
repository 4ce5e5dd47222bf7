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

#include <cmath>

namespace recta::neighbours {
namespace {

constexpr Index kLeafOfBalls = 16;          // rows of a leaf, at most
constexpr Index kSharedRowsOfBalls = 16384; // larger subtrees are cut before they are shared out
constexpr Index kBallQueries = 64;          // of one task

struct Range {
  double least = kInfinity, most = -kInfinity; // distances to the centre
  void add(double d) {
    least = std::min(least, d);
    most = std::max(most, d);
  }
};

struct Ball {
  Index first = 0, last = 0; // rows, in the order of the tree; the first is the centre, unless this is a leaf
  Index shell = 0;           // number of the outer half, the inner one follows; 0: a leaf
  Range inner{}, outer{};
};

Index balls_of(Index rows) {
  if (rows <= kLeafOfBalls) return 1;
  const Index inner = (rows - 1) / 2;
  return 1 + balls_of(inner) + balls_of(rows - 1 - inner);
}

struct BallTree {
  Points points;
  std::vector<Ball> balls;
  std::vector<Index> order; // the rows in the order of the tree
  std::vector<double> rows; // their coordinates
};

template <class M>
class BallBuilder {
public:
  BallBuilder(const M& measure, BallTree& tree) : measure_(measure), tree_(tree) {}

  void build(Pool& pool) {
    tree_.balls[0] = {0, tree_.points.rows};
    std::vector<Index> wide{0}, shared;
    std::vector<Neighbour> scratch;
    while (!wide.empty()) {
      const Index ball = wide.back();
      wide.pop_back();
      if (size(ball) <= kSharedRowsOfBalls) {
        shared.push_back(ball);
        continue;
      }
      cut(ball, scratch);
      wide.push_back(ball + 1);
      wide.push_back(tree_.balls[at(ball)].shell);
    }
    pool.run(std::ssize(shared), [&](Index task, int) {
      std::vector<Neighbour> own;
      descend(shared[at(task)], own);
    });
  }

private:
  Index size(Index ball) const { return tree_.balls[at(ball)].last - tree_.balls[at(ball)].first; }

  void descend(Index ball, std::vector<Neighbour>& scratch) {
    if (size(ball) <= kLeafOfBalls) return;
    cut(ball, scratch);
    descend(ball + 1, scratch);
    descend(tree_.balls[at(ball)].shell, scratch);
  }

  // The rows of a ball with their distances to one of them.
  void measure_from(Index row, const Ball& ball, std::vector<Neighbour>& out) const {
    const Points& points = tree_.points;
    out.clear();
    for (Index i = ball.first; i < ball.last; ++i) {
      const Index other = tree_.order[at(i)];
      out.push_back({measured(measure_, points.row(row), points.row(other), points.cols), other});
    }
  }

  void cut(Index number, std::vector<Neighbour>& scratch) {
    Ball& ball = tree_.balls[at(number)];
    const auto before = [](const Neighbour& a, const Neighbour& b) {
      return a.distance != b.distance ? a.distance < b.distance : a.row < b.row;
    };
    measure_from(tree_.order[at(ball.first)], ball, scratch);
    const Index centre = std::ranges::max_element(scratch, before)->row;
    measure_from(centre, ball, scratch);
    std::ranges::iter_swap(std::ranges::find(scratch, centre, &Neighbour::row), scratch.begin());
    const Index inner = (std::ssize(scratch) - 1) / 2;
    std::ranges::nth_element(scratch.begin() + 1, scratch.begin() + 1 + inner, scratch.end(), before);
    for (Index i = 0; i < std::ssize(scratch); ++i) {
      tree_.order[at(ball.first + i)] = scratch[at(i)].row;
      if (i > 0) (i <= inner ? ball.inner : ball.outer).add(scratch[at(i)].distance);
    }
    ball.shell = number + 1 + balls_of(inner);
    const Index middle = ball.first + 1 + inner;
    tree_.balls[at(number + 1)] = {ball.first + 1, middle};
    tree_.balls[at(ball.shell)] = {middle, ball.last};
  }

  const M& measure_;
  BallTree& tree_;
};

// One query on its way through the tree.
template <class M>
class BallWalk {
public:
  BallWalk(const BallTree& tree, const M& measure, const double* query, Nearest& nearest)
      : tree_(tree), measure_(measure), query_(query), nearest_(nearest) {}

  void visit(Index number) {
    const Ball& ball = tree_.balls[at(number)];
    if (ball.shell == 0) return compare(ball);
    const double d = measured(measure_, query_, row(ball.first), tree_.points.cols);
    nearest_.offer(d, tree_.order[at(ball.first)]);
    const bool inside = d < ball.inner.most / 2 + ball.outer.least / 2;
    for (const bool inner : {inside, !inside})
      if (!out_of_reach(d, inner ? ball.inner : ball.outer)) visit(inner ? number + 1 : ball.shell);
  }

private:
  const double* row(Index place) const { return tree_.rows.data() + place * tree_.points.cols; }

  // An overflow, infinity less infinity, leaves nothing out.
  bool out_of_reach(double d, const Range& range) const {
    const double bound = std::max(range.least - d, d - range.most);
    return bound - 0x1p-32 * (d + range.most) - M::rounding > nearest_.limit();
  }

  void compare(const Ball& leaf) {
    double bound = measure_.bound(nearest_.limit());
    for (Index i = leaf.first; i < leaf.last; ++i) {
      const double reduced = measure_.reduced(query_, row(i), tree_.points.cols);
      if (reduced > bound) continue;
      nearest_.offer(measure_.finish(reduced, query_, row(i), tree_.points.cols), tree_.order[at(i)]);
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
  BallSearch(const Metric& metric, const Points& points, Pool& pool) : measure_(measure_of(metric)) {
    const Index n = points.rows, p = points.cols;
    tree_.points = points;
    tree_.order.resize(at(n));
    for (Index i = 0; i < n; ++i) tree_.order[at(i)] = i;
    tree_.balls.resize(at(balls_of(n)));
    std::visit([&](const auto& measure) { BallBuilder(measure, tree_).build(pool); }, measure_);
    tree_.rows.resize(at(n * p));
    for (Index i = 0; i < n; ++i) std::copy_n(points.row(tree_.order[at(i)]), p, tree_.rows.begin() + i * p);
  }

  Neighbourhoods find(const double* queries, Index count, const Wanted& wanted, std::span<const Index> self,
                      Pool& pool) const override {
    const Points points = counted(tree_.points, wanted.each_one_place);
    std::vector<std::vector<Neighbour>> lists(at(count));
    pool.run((count + kBallQueries - 1) / kBallQueries, [&](Index task, int) {
      for (Index q = task * kBallQueries; q < std::min(count, (task + 1) * kBallQueries); ++q) {
        Nearest nearest(points, wanted, self.empty() ? -1 : self[at(q)]);
        std::visit([&](const auto& one) { BallWalk(tree_, one, queries + q * points.cols, nearest).visit(0); },
                   measure_);
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

} // namespace recta::neighbours
