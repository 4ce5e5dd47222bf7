// The outer loop: look at all columns, measure the gap, discard columns that cannot matter, let the most urgent ones
// into the working set, solve over it, look again.
//
// Looking at a column costs a pass over it. A column is not looked at while its last gradient, and the distance the
// residual has moved since, prove that it may stay zero: |g_j(r)| <= |g_j(r')| + ||z_j|| ||r - r'||. It is discarded
// permanently at this penalty once the gap proves that it is zero at the optimum (gap-safe, Ndiaye et al. 2017): |g_j|
// + ||z_j|| sqrt(2 gap) < l1_j.
#pragma once

#include "solver/coordinate_descent/features.hpp"
#include "solver/coordinate_descent/gap.hpp"
#include "solver/elastic_net.hpp"

#include <cmath>

namespace recta::descent {

class Descent final : public ElasticNetSolver {
public:
  using Make = std::function<std::unique_ptr<Features>(const Centring&)>;
  explicit Descent(Make make) : make_(std::move(make)) {}

  double lambda1_max(const ElasticNetObjective& objective) override;
  void start_at(std::span<const double> w) override { start_.assign(w.begin(), w.end()); }
  void end_at_tolerance() override { exact_end_ = false; }
  ElasticNetSolution solve(const ElasticNetObjective& objective, double tolerance, const Watch& watch) override;

private:
  void prepare(const ElasticNetObjective& objective);
  void set_penalty(const ElasticNetObjective& objective);
  void hold_products();                      // of the set's columns, from now on
  Term term(Index j, double ease = 1) const; // with l1 this many times larger
  // |g_j| + ||z_j|| (moved_ - seen_at_j) < l1_j, with a margin for the rounding of g_j and of this sum.
  double safe_to(Index j) const { return seen_at_[j] + (l1_[j] * (1 - 1e-9) - std::abs(point_.g[j])) * per_norm_[j]; }
  void renew_residual();
  void look();             // at every column that is not known to stay zero
  void screen(double gap); // discards columns
  double easing() const;
  std::vector<Index> urgent(double ease) const;
  Index improve(double screening_gap, const AskToStop& stop);
  ElasticNetSolution solution(const ElasticNetObjective& objective) const;

  Make make_;
  std::vector<double> start_; // empty: zero
  bool exact_end_ = true;
  Centring centring_;
  std::unique_ptr<Features> features_;
  std::unique_ptr<WorkingSet> set_;
  std::vector<char> in_set_;

  std::vector<Index> varying_;                     // columns of non-zero length
  std::vector<double> per_norm_;                   // 1 / norm of these
  std::vector<double> scale_;                      // of the penalties, by column
  bool standardised_ = false;                      // what they are scaled for
  const ElasticNetObjective* objective_ = nullptr; // of the solve at hand
  double ease_ = 1;                                // factor by which l1 is larger at the start of a solve
  std::vector<double> l1_, l2_;                    // l2_ is empty if it is zero
  Point point_;
  std::vector<double> settled_t_;    // the coefficients the residual belongs to
  double moved_ = 0;                 // the distance the residual has moved since the beginning
  std::vector<double> seen_at_;      // moved_ when g_j was computed
  std::vector<double> safe_to_;      // column j stays zero while moved_ is below this
  std::vector<Index> live_, looked_; // looked: in the set, or not certain to stay zero
  std::vector<Term> terms_;          // of looked_
};

} // namespace recta::descent
