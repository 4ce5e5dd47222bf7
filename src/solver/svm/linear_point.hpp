// The point of a linear machine that its methods move: coefficients of the rows, the weights and scores they give, and
// how far that is from the optimum.
#pragma once

#include "solver/svm/heavy_columns.hpp"
#include "solver/svm/linear.hpp"
#include "solver/svm/newton.hpp"

#include <optional>

namespace recta::svm {

class LinearPoint {
protected:
  LinearPoint(const Problem& problem, const LinearRows& rows, const LinearSettings& settings, Pool& pool,
              std::vector<HeavyColumn> heavy);

  // w, scores, intercept and gap of the coefficients.
  void measure();
  bool done() const { return out_.gap <= settings_.tolerance; }
  Index free_count() const; // coefficients inside their boxes
  // If C is very large, w = X'beta is a small difference of large terms, and what a method kept of w itself is better.
  // P - D then has 1/2 |w - X'beta|^2 beside its other terms, and what it costs to scale the coefficients of one sign
  // until they add up to zero. Kept for want of an exact end.
  void try_weights(const std::vector<double>& w, const std::vector<double>& beta);
  // The point of Newton's method as it is, if the sums it had at hand are enough of a proof whatever rounding did to
  // them: no other pass over the rows is needed.
  bool take_sums(NewtonPoint& point);
  // It stays: what comes next may end further away.
  void take_fallback();
  // Only the rounding of coefficients stands between the weights and the proof: no others in doubles are nearer.
  bool only_rounding() const { return fallback_ && fallback_->rounding; }
  double fallback_gap() const { return fallback_ ? fallback_->gap : kInfinity; }
  // An answer that is further from the optimum than no weights at all is given up for those.
  void leave_weights_out();
  // Rows about a centre have another intercept than rows as they came.
  void shift_intercept();

  const Problem& problem_;
  const LinearRows& rows_;
  const LinearSettings& settings_;
  Pool& pool_;
  State state_;
  Solution out_;
  std::vector<HeavyColumn> heavy_;

private:
  struct Fallback {
    std::vector<double> w;
    Intercepts intercepts;
    double gap;
    bool rounding; // all that is left of the gap
    State state;
  };
  double cost_of_heavy() const;

  std::optional<Fallback> fallback_;
};

} // namespace recta::svm
