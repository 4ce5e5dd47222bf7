// The bounds that dual points give an answer under a curved loss: certify.hpp has the mathematics.
#pragma once

#include "certificate/loss/dual_sums.hpp"
#include "certificate/loss/geometry.hpp"
#include "certificate/loss/penalty_bound.hpp"
#include "certificate/loss/proof_rows.hpp"
#include "certificate/loss/verdict.hpp"

#include <optional>

namespace recta {

class LossJudge {
public:
  // `hurried`: the watch is the patience of the caller who stopped the fit, and the best bound when it ends is the
  // answer.
  LossJudge(const LossClaimed& claimed, ProofRows view, Pool& pool, const Watch& watch, bool hurried)
      : claimed_(claimed), view_(std::move(view)), facts_(*claimed.facts), rows_(view_.rows), pool_(pool),
        watch_(watch), hurried_(hurried) {}

  Result<void> run();
  // Constraints are met to rounding only, or not looked at: a basis that tells columns apart may do better.
  bool wants_basis() const;
  // The distance of the columns as they are from their conditions, beside the sums of sizes. Not for those of a basis.
  double residual() const { return residual_of(claimed_, first_.gradient, first_.gradient_abs); }
  Index passes() const { return passes_; }

  Certificate written(double residual) const;
  LossChecked checked() const;
  const Gram* curvature() const { return geometry_ ? &first_.gram : nullptr; }

private:
  double limit() const { return claimed_.tolerance * facts_.null_objective; }

  Result<void> brief();
  Result<void> or_best_so_far(Result<void> done) const;
  std::shared_ptr<DualPoint> fresh_point() const;
  Result<void> look(std::shared_ptr<const DualPoint> point);
  void add_objective();

  double hidden() const;
  Bound without_dual_point() const;
  bool every_column_forgives() const;
  Bound without_curvature() const;
  Shortfall shortfall(std::vector<double>* error) const;
  double length(const Shortfall& e, const std::vector<double>& error) const;
  double expected(const Shortfall& e) const;
  std::shared_ptr<DualPoint> placed(const DualStep& step, double beta) const;
  Result<void> project();
  Result<void> plain();
  Bound bound(const Shortfall& e, const std::vector<double>& error, double left) const;
  void scaled(Bound& out, double left) const;

  std::vector<Index> left_over() const;
  // Columns left out are combinations of others in all rows, not in the curved ones alone.
  bool in_all_rows() const { return view_.basis != nullptr && view_.basis->any_left_out(); }
  Result<void> look_at_combinations();
  void consider(const Bound& bound, bool exact);

  const LossClaimed& claimed_;
  ProofRows view_;
  const LossFacts& facts_;
  RowSource& rows_;
  Pool& pool_;
  const Watch& watch_;
  bool hurried_;
  DualSums sums_, first_;
  std::optional<Geometry> geometry_;
  double objective_ = 0, mean_loss_ = 0, penalty_ = 0;
  Bound best_;
  bool trivial_ = true; // the best bound is that of d = 0, which meets every constraint
  LeftOut left_out_;    // columns that others determine
  double near_ = std::numeric_limits<double>::infinity();
  Index passes_ = 0;
};

} // namespace recta
