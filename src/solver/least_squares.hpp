// Least squares and ridge: the problem, the answer, and the one call between them. The objective is in
// objective/least_squares/objective.hpp.
#pragma once

#include "base/pool.hpp"
#include "design/row_source.hpp"
#include "objective/least_squares/objective.hpp"
#include "solver/gradient_descent/settings.hpp"
#include "stats/gram/gram.hpp"

#include <recta/stop.hpp>
#include <recta/trace.hpp>

#include <memory>
#include <optional>

namespace recta {

struct LeastSquaresProblem {
  LeastSquaresObjective objective = {};
  std::string solver = "auto";           // or one of solver_words()
  double tolerance = 1e-10;              // of F - F*, in units of the null objective; what iterations aim at
  bool single_pass = false;              // the rows cannot be read again
  bool sparse = false;                   // few numbers of a row are non-zero
  std::shared_ptr<const Gram> gram = {}; // of these rows, if it was gathered already; see gram_precision()
  DescentSettings descent = {};          // of the solvers in descent_words()
};

// A column that is a combination of others: no coefficient of its own is determined.
struct AliasedColumn {
  Index column = 0;
  std::vector<std::pair<Index, double>> equals; // earlier columns and factors; about the means if centred
};

struct LeastSquaresSolution {
  Index cols = 0, targets = 0;
  std::vector<double> w, w_low; // p x k by column; low: what the double does not hold, or empty
  std::vector<double> b;        // k
  std::string solver, reason;
  Stop stop = "solved in closed form";
  bool interrupted = false;
  bool ended_by_rule = false; // of its own, said in `stop`: an answer that falls short is then no refutation

  Index rows = 0;                      // with positive weight
  double weight = 0;                   // their sum
  std::vector<double> mean, deviation; // of the features
  std::vector<double> target_square,
      target_square_low; // k: sum v (y - o)^2 about the mean; about zero if there is no intercept

  Index rank = 0; // of the features, about their means if centred
  std::vector<AliasedColumn> aliased;
  std::vector<Index> constant; // constant columns: coefficient 0
  double condition = 0;        // of the features scaled to unit length; dependent directions left out
  bool condition_is_estimate = false;
  std::vector<double> singular_values; // of the features in the units the penalty sees; empty above 500 columns
  std::vector<double> shrinkage;       // s^2 / (s^2 + W lambda2), one per singular value

  // Diagonal of (X'VX)^-1: variances of the coefficients in units of sigma^2. NaN if a coefficient is not determined;
  // empty if there is a penalty.
  std::vector<double> inverse_diagonal;
  double inverse_intercept = 0; // the same for b; NaN as above

  std::shared_ptr<const Gram> gram; // of the rows, for certify()
  Index passes = 0;                 // made by this solver
  std::vector<std::string> notes;
};

const std::vector<std::string>& solver_words();

// The precision in which to gather the Gram of such rows: the products themselves limit the digits if columns are
// alike.
Precision gram_precision(std::optional<Index> rows, Index cols, Index targets);
bool extended_is_affordable(Index rows, Index cols, Index targets); // a matter of seconds

inline constexpr Index kGramCols = 8192; // above this many columns p^2 numbers are too many: 512 MiB

// The rows must be at their beginning. If interrupted before there is an answer, it returns an error of that name;
// afterwards it returns the best answer so far, which says so.
Result<LeastSquaresSolution> solve(const LeastSquaresProblem& problem, RowSource& rows, Pool& pool,
                                   const Watch& watch = {});

} // namespace recta
