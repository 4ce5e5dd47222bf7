// Rows are moved, not only their numbers: those of a node lie side by side, and every pass over them reads memory in
// order. Passes are free of branches that depend on the data, since half of them would be guessed wrong.
#include "solver/neighbours/kd_build.hpp"

#include "stats/aligned.hpp"

#include <algorithm>
#include <cmath>

namespace recta::neighbours {
namespace {

constexpr Index kSharedRows = 16384; // larger nodes are cut level by level, smaller subtrees by one thread each
constexpr Index kFewNumbers = 128;   // are selected among without a sample

using Node = TreeShape::Node;

struct Scratch {
  std::vector<double> keys, inside, rows, least, most;
  std::vector<Index> order;
};

// P: the number of columns if it is known when this is compiled, else 0.
template <int P>
class Builder {
public:
  Builder(const Points& points, const TreeShape& shape)
      : shape_(shape), cols_(points.cols), cuts_(at(kCut * shape.all_nodes())), order_(at(points.rows)) {
    const double* x = points.rows_from(0, points.rows);
    rows_.assign(x, x + points.rows * points.cols);
    for (Index i = 0; i < points.rows; ++i) order_[at(i)] = i;
  }

  TreeParts build(Pool& pool) {
    std::vector<double> box = extent();
    std::vector<Scratch> scratch(static_cast<std::size_t>(pool.threads()));
    std::vector<Node> level{shape_.root(std::ssize(order_))};
    while (level.front().rows() > kSharedRows) { // the nodes of a level differ by one row at most
      pool.run(std::ssize(level), [&](Index task, int worker) { cut(level[at(task)], scratch[at(worker)]); });
      std::vector<Node> below;
      for (const Node& node : level) {
        below.push_back(shape_.first_child(node));
        below.push_back(shape_.second_child(node));
      }
      level = std::move(below);
    }
    pool.run(std::ssize(level), [&](Index task, int worker) { descend(level[at(task)], scratch[at(worker)]); });
    return {std::move(cuts_), std::move(order_), std::move(rows_), std::move(box)};
  }

private:
  Index cols() const { return P > 0 ? P : cols_; }

  std::vector<double> extent() const {
    Scratch scratch;
    measure_extent({0, 0, std::ssize(order_), 0}, scratch);
    scratch.least.insert(scratch.least.end(), scratch.most.begin(), scratch.most.end());
    return std::move(scratch.least);
  }

  void descend(const Node& node, Scratch& scratch) {
    if (shape_.is_leaf(node.rows())) return;
    cut(node, scratch);
    descend(shape_.first_child(node), scratch);
    descend(shape_.second_child(node), scratch);
  }

  void measure_extent(const Node& node, Scratch& scratch) const {
    const double* row = rows_.data() + node.first * cols();
    const auto measure = [&](double* least, double* most) {
      for (Index i = node.first; i < node.last; ++i, row += cols())
        for (Index j = 0; j < cols(); ++j) {
          least[j] = row[j] < least[j] ? row[j] : least[j];
          most[j] = row[j] > most[j] ? row[j] : most[j];
        }
    };
    scratch.least.assign(at(cols()), kInfinity);
    scratch.most.assign(at(cols()), -kInfinity);
    if constexpr (P == 0) return measure(scratch.least.data(), scratch.most.data());
    double least[P + 1], most[P + 1]; // in registers, since nothing else can point to them
    std::copy_n(scratch.least.data(), P, least);
    std::copy_n(scratch.most.data(), P, most);
    measure(least, most);
    std::copy_n(least, P, scratch.least.data());
    std::copy_n(most, P, scratch.most.data());
  }

  Index widest(const Node& node, Scratch& scratch) const {
    measure_extent(node, scratch);
    const auto width = [&](Index j) { return scratch.most[at(j)] - scratch.least[at(j)]; };
    Index best = 0;
    for (Index j = 1; j < cols(); ++j)
      if (width(j) > width(best)) best = j;
    return best;
  }

  void cut(const Node& node, Scratch& scratch) {
    const Index column = widest(node, scratch), left = shape_.first_half(node.rows());
    const double* x = rows_.data() + node.first * cols() + column;
    scratch.keys.resize(at(node.rows()));
    for (Index i = 0; i < node.rows(); ++i) scratch.keys[at(i)] = x[i * cols()];
    const double high = select_nth(scratch.keys, left, scratch.inside);
    Index below = 0;
    for (Index i = 0; i < node.rows(); ++i) below += x[i * cols()] < high ? 1 : 0;
    double* numbers = cuts_.data() + kCut * node.number;
    numbers[0] = static_cast<double>(column), numbers[2] = high;
    numbers[1] = part(node, column, high, left - below, scratch);
  }

  // Brings the rows below `middle` and the first `equal_left` of those at it before the others, and keeps the order
  // inside both parts. Returns the largest coordinate of the first one. Every row is written to both: what is written
  // to the wrong one is overwritten by the next, and the place in the first part has been read already.
  double part(const Node& node, Index column, double middle, Index equal_left, Scratch& scratch) {
    scratch.rows.resize(at(node.rows() * cols()));
    scratch.order.resize(at(node.rows()));
    const double* row = rows_.data() + node.first * cols();
    double *left = rows_.data() + node.first * cols(), *right = scratch.rows.data();
    Index *left_number = order_.data() + node.first, *right_number = scratch.order.data(), count_right = 0;
    double low = -kInfinity;
    for (Index i = node.first; i < node.last; ++i, row += cols()) {
      const double key = row[column];
      const bool equal = key == middle, stays = equal & (equal_left > 0), goes = !((key < middle) | stays);
      equal_left -= stays ? 1 : 0;
      low = (!goes & (key > low)) ? key : low;
      const Index number = order_[at(i)];
      for (Index j = 0; j < cols(); ++j) left[j] = right[j] = row[j];
      *left_number = *right_number = number;
      left += goes ? 0 : cols(), right += goes ? cols() : 0;
      left_number += goes ? 0 : 1, right_number += goes ? 1 : 0;
      count_right += goes ? 1 : 0;
    }
    std::copy_n(scratch.rows.data(), count_right * cols(), left);
    std::copy_n(scratch.order.data(), count_right, left_number);
    return low;
  }

  const TreeShape& shape_;
  Index cols_;
  std::vector<double> cuts_;
  std::vector<Index> order_;
  LargeVector rows_; // walks read them at random
};

} // namespace

double select_nth(std::span<double> numbers, Index nth, std::vector<double>& scratch) {
  const Index count = std::ssize(numbers);
  if (count <= kFewNumbers) {
    std::nth_element(numbers.begin(), numbers.begin() + nth, numbers.end());
    return numbers[at(nth)];
  }
  // The place in a sample of m numbers is off by less than sqrt(m) / 2 two times in three; three times that is a margin
  // that is seldom too little, and then only costs time.
  const Index sampled = 2 * static_cast<Index>(std::sqrt(static_cast<double>(count))), step = count / sampled;
  const auto margin = static_cast<Index>(1.5 * std::sqrt(static_cast<double>(sampled))) + 1;
  scratch.resize(at(count));
  for (Index k = 0; k < sampled; ++k) scratch[at(k)] = numbers[at(k * step)];
  std::sort(scratch.begin(), scratch.begin() + sampled);
  const Index place =
      static_cast<Index>(static_cast<double>(nth) / static_cast<double>(count) * static_cast<double>(sampled));
  const double from = place < margin ? -kInfinity : scratch[at(place - margin)];
  const double to = place + margin >= sampled ? kInfinity : scratch[at(place + margin)];
  Index below = 0, inside = 0;
  for (const double x : numbers) {
    scratch[at(inside)] = x;
    below += x < from ? 1 : 0;
    inside += (!(x < from) & !(x > to)) ? 1 : 0;
  }
  const std::span<double> all = nth < below || nth >= below + inside ? numbers : std::span(scratch).first(at(inside));
  const auto wanted = all.begin() + (all.data() == numbers.data() ? nth : nth - below);
  std::nth_element(all.begin(), wanted, all.end());
  return *wanted;
}

TreeParts build_kd_tree(const Points& points, const TreeShape& shape, Pool& pool) {
  switch (points.cols) {
  case 1:
    return Builder<1>(points, shape).build(pool);
  case 2:
    return Builder<2>(points, shape).build(pool);
  case 3:
    return Builder<3>(points, shape).build(pool);
  default:
    return Builder<0>(points, shape).build(pool);
  }
}

} // namespace recta::neighbours
