// Shared by all fits that choose among the columns: the way to solve, the answer found, and what the model says of it.
#pragma once

#include "base/double_double.hpp"
#include "family/first_pass.hpp"
#include "solver/choose.hpp"
#include "solver/least_squares.hpp"
#include "stats/residual/residual.hpp"

namespace recta {

// From p x p sums or column by column, by shape, or as asked.
Result<Choice> choose_route(const Rows& rows, const std::string& solver);

// The first pass that the route needs; the rows then stand at their beginning again, if they can.
Result<FirstPass> first_pass_by(const Choice& route, const Rows& rows, const Schema& schema, Pool& pool,
                                const Watch& watch);

// A model that was judged by products is judged by them again: they may tell columns apart that sums alone do not.
GramWanted gram_to_verify(const Model& model, const Rows& rows);

// Over all targets.
struct SelectedSolution {
  std::vector<double> w, b, lambda1_max;
  std::string solver, reason;
  Stop stop = Stop::tolerance_reached;
  Index passes = 0;
  bool interrupted = false, gave_up = false;

  static SelectedSolution of(const Model& model); // as it claims
};

// The least strengths without any coefficient, one per target, as the model has them.
Result<std::vector<double>> stored_strengths_of_zero(const Model& model);

// Without a penalty that selects there is a closed form. The objective and the tolerance of the problem are given.
Result<void> solve_as_ridge(LeastSquaresProblem problem, const Rows& rows, const FirstPass& pass, Pool& pool,
                            const Watch& watch, SelectedSolution& out);

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

} // namespace recta
