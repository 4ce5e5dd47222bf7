// Shared by all fits that choose among the columns: the way to solve, the answer found, and what the model says of it.
#pragma once

#include "base/double_double.hpp"
#include "certificate/stated/figures.hpp"
#include "driver/procedure.hpp"
#include "solver/choose.hpp"
#include "solver/least_squares.hpp"
#include "stats/residual/residual.hpp"

#include <fmt/format.h>

namespace recta {

// From p x p sums or column by column, by shape, or as asked.
Result<Choice> choose_route(const Rows& rows, const std::string& solver);

// The first pass that the route needs. A model that was judged by products is judged by them again: they may tell
// columns apart that sums alone do not.
Result<FirstPass> first_pass_of_selection(Work& work);

// Over all targets.
struct SelectedSolution {
  std::vector<double> w, b, lambda1_max;
  std::string solver, reason;
  Stop stop = Stop::tolerance_reached;
  Index passes = 0;
  bool interrupted = false, gave_up = false;

  static SelectedSolution of(const Model& model); // as it claims, with the strengths of zero that it states

  // Takes over how a search over one target, or over several together, ended.
  template <class One>
  void add_end(const One& one) {
    passes += one.passes;
    interrupted = interrupted || one.interrupted;
    if (one.stop.reason() == Stop::tolerance_reached) return;
    gave_up = true;
    stop = one.stop;
  }
  // The nearest double to the best intercept: means of large numbers take more than a double.
  template <class Mean, class TargetMean>
  void set_intercepts(bool intercept, const Mean& mean, const TargetMean& target_mean) {
    const std::size_t p = w.size() / b.size();
    for (std::size_t t = 0; t < b.size(); ++t) {
      DoubleDouble best = intercept ? target_mean(static_cast<Index>(t)) : DoubleDouble(0.0);
      for (std::size_t j = 0; j < p; ++j)
        if (const double weight = w[j + t * p]; weight != 0) best -= mean(static_cast<Index>(j)) * weight;
      b[t] = best.hi;
    }
  }
  // No strength was given: a tenth of the least without any coefficient, and the share of the squares that goes with
  // it.
  template <class Objective>
  void choose_strength(double l1_share, Objective& objective) {
    const double most = most_strength();
    objective.lambda1 = most / 10;
    if (l1_share < 1) objective.lambda2 = objective.lambda1 * (1 - l1_share) / l1_share;
    reason += fmt::format("; no strength was given: lambda1 is a tenth of lambda_max = {:.6g}", most);
  }
  double most_strength() const; // NaN: there is none
};

// Without a penalty that selects there is a closed form. The objective and the tolerance of the problem are given.
Result<void> solve_as_ridge(LeastSquaresProblem problem, Work& work, SelectedSolution& out);

// The columns in use take the place of the rank.
struct Selected {
  double lambda1 = 0;
  bool grouped = false;               // coefficients are chosen in groups
  LeastSquaresObjective squares = {}; // with lambda2
  const SelectedSolution* solution = nullptr;
  const Residual* residual = nullptr;            // of the model's own numbers
  std::vector<DoubleDouble> target_square = {};  // k
  std::vector<double> mean = {}, deviation = {}; // p
  std::vector<AliasedColumn> aliased = {};
  double weight = 0;
};
LinearSummary summary_of(Selected selected, const Schema& schema, const FitOptions& options);

// The strengths that the request asks for, against those that the verified model states. `most`: the least strength
// without any coefficient.
template <class Asked>
void compare_selection(const Work& work, const Asked& asked, double most, Certificate& certificate) {
  const double lambda1 = asked.choose ? most / 10 : asked.objective.lambda1;
  const bool both = asked.choose && asked.l1_share < 1;
  compare_strengths(*work.stated->linear(), lambda1,
                    both ? lambda1 * (1 - asked.l1_share) / asked.l1_share : asked.objective.lambda2, certificate);
}

} // namespace recta
