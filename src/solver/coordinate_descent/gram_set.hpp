// A working set with the products of its columns at hand: a step costs one column of G = Z'Z, however many rows there
// are. Sweeps of coordinate descent, over the set and then over its support alone, find the support; Newton steps on
// the support finish exactly: each goes to the minimum for the present signs, or to the first coordinate that would
// change its sign, which then leaves the support.
#pragma once

#include "solver/coordinate_descent/line_search.hpp"
#include "solver/coordinate_descent/support_factor.hpp"
#include "solver/coordinate_descent/working_set.hpp"
#include "stats/aligned.hpp"

namespace recta::descent {

class GramSet final : public WorkingSet {
public:
  // Fills the columns starting at `from` of the k x k matrix (by column, `stride` apart) with the products of
  // ids[from..] and all of ids, and the rows starting at `from` with the same.
  using Products = std::function<void(std::span<const Index> ids, Index from, double* gram, Index stride)>;
  explicit GramSet(Products products) : products_(std::move(products)) {}

  void add(std::span<const Index> columns) override;
  Index appetite(Index used) const override { return std::max(Index{100}, used / 2); }
  bool cautious() const override { return true; }
  Index solve(std::span<const Term> terms, double goal, Point& point, const AskToStop& stop) override;
  bool exact() const override { return polished_; }

private:
  Index size() const { return static_cast<Index>(ids_.size()); }
  const double* column(Index i) const { return gram_ + i * stride_; }
  Index sweep(); // over the set; returns the number of coordinates whose sign changed or that left a bound
  Index sweep_support(Index most, const AskToStop& stop); // over the support, until signs settle; returns the sweeps
  bool polish(const AskToStop& stop);                     // true: the support is solved exactly, or to rounding
  bool newton_step(bool& full);                           // false: there is no step to take
  void settle(const std::vector<double>& before);         // updates q after t has moved from `before`
  double violation() const;

  Products products_;
  Room room_;
  double* gram_ = nullptr; // stride_ x stride_ in room_, k x k in use
  Index stride_ = 0;
  SupportFactor factor_;
  bool polished_ = true;
  // State of one solve, by place in ids_.
  std::vector<Term> terms_;
  std::vector<double> t_, q_; // q = <z, residual>
};

} // namespace recta::descent
