// A working set of sparse columns: a step of coordinate descent costs the numbers stored in one column. The residual is
// kept as r_i + shift, so that a centred column moves one number for all its zeros:
//   r -= move (x_j - m_j):  r_i -= move x_ij on the stored rows, shift += move m_j
//   <x_j - m_j, r + shift> = sum of stored s_i x_ij r_i + m_j (shift - total),  total = sum s (r + shift), which no
//   step
// changes. The support is solved exactly by conjugate gradients on its normal equations; if columns are nearly
// dependent, these take so long that it pays to compute the products of all pairs of columns.
#pragma once

#include "solver/coordinate_descent/line_search.hpp"
#include "solver/coordinate_descent/working_set.hpp"

#include <cstdint>

namespace recta::descent {

class SparseFeatures;

class ResidualSet final : public WorkingSet {
public:
  explicit ResidualSet(const SparseFeatures& features) : features_(features) {}
  void add(std::span<const Index> columns) override;
  Index appetite(Index used) const override { return std::max(Index{500}, 2 * used); }
  bool cautious() const override { return false; }
  Index solve(std::span<const Term> terms, double goal, Point& point, const AskToStop& stop) override;
  bool exact() const override { return polished_; }
  bool laborious() const override { return size() <= kMostProducts && passes_ > kPatience; }

private:
  static constexpr Index kMostProducts = 4096;       // columns whose products are never too many
  static constexpr std::int64_t kPatience = 1 << 10; // passes over the numbers of the set in one solve

  Index size() const { return static_cast<Index>(ids_.size()); }
  double product(Index i) const; // <z_i, residual>
  void move(Index i, double by); // t_i += by, and the residual with it
  Index sweep(bool support_only, double& worst);
  bool sweep_support(double goal, Index& sweeps, const AskToStop& stop);
  bool newton_step(double goal, bool& full); // false: there is no step to take
  std::vector<double> multiply(std::span<const Index> support, const std::vector<double>& d); // Z'SZ d on the support
  std::vector<double> solve_support(std::span<const Index> support, const std::vector<double>& rhs, double goal);

  const SparseFeatures& features_;
  // The columns of the set, one after the other, in units of Features.
  std::vector<Index> start_{0};
  std::vector<std::int64_t> row_;
  std::vector<double> value_, weighted_; // weighted: times s
  std::vector<double> mean_, square_;    // of z before centring; norm of z squared
  // State of one solve.
  std::vector<Term> terms_;
  std::vector<double> t_, residual_;
  double shift_ = 0, total_ = 0;
  std::int64_t passes_ = 0; // over the numbers of the set
  bool polished_ = false;   // the last step was a full Newton step over a support that no sweep has changed since
};

} // namespace recta::descent
