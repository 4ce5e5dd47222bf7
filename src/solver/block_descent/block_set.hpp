// The working set of blocks, with the products of their columns at hand: a step costs the columns of G = Z'Z that it
// moves, however many rows there are. Sweeps of exact steps find which blocks are zero and, extrapolated, come near the
// answer. On the other blocks the cost is smooth, and if Newton steps with an exact line search are cheaper than the
// remaining sweeps, they finish the work. A block that heads for zero is taken there by the next sweep.
#pragma once

#include "objective/group_norm/objective.hpp"
#include "solver/block_descent/block_step.hpp"
#include "solver/block_descent/extrapolation.hpp"
#include "solver/block_descent/newton.hpp"

#include <functional>

namespace recta::descent {

class BlockSet {
public:
  // Fills the columns starting at `from`, and the rows, of the products of `columns`.
  using Products = std::function<void(std::span<const Index> columns, Index from, double* gram, Index stride)>;
  using AskToStop = std::function<bool()>; // asked between sweeps

  BlockSet(Index targets, Products products) : targets_(targets), products_(std::move(products)) {}

  Index columns() const { return static_cast<Index>(columns_.size()); }
  void add(std::span<const Index> ids, const Groups& columns_of);

  // Coordinates and gradient of the set, column by column as they were added; s x k by target.
  struct Point {
    std::vector<double> u, q;
  };
  const std::vector<Index>& column_ids() const { return columns_; }

  // Lowers the cost from `point` until no block violates its condition by more than `goal`, or rounding ends it.
  // Returns the number of sweeps.
  Index solve(std::span<const Block> blocks, double goal, Point& point, const AskToStop& stop);

private:
  Index size(std::size_t i) const { return start_[i + 1] - start_[i]; }
  const double* column(Index c) const { return gram_.data() + c * stride_; }
  void make_room(Index kept);
  std::vector<double> read(const std::vector<double>& from, std::size_t i) const;
  void move(std::size_t i, std::span<const double> by); // updates q as well
  Index sweep(bool in_use_only);                        // returns the number of blocks that became zero or non-zero
  BlockSet in_use(Point& point) const;
  void follow(const BlockSet& part, const Point& point);
  bool settle(double goal, Index& sweeps, const AskToStop& stop);
  bool newton(double goal, const AskToStop& stop); // true: no step is left to take
  double newton_in_sweeps() const;
  double gain(const Extrapolation::Point& other) const;
  double worst(bool in_use_only) const;

  Index targets_;
  Products products_;
  std::vector<Index> ids_, start_{0}, columns_;
  std::vector<BlockStep> steps_;
  std::vector<double> gram_; // stride_ x stride_
  Index stride_ = 0;
  // State of one solve.
  std::vector<const Block*> blocks_;
  Point* point_ = nullptr;
};

} // namespace recta::descent
