// The proof of a least-squares or ridge answer, from the rows and the statistics alone. Nothing here knows which solver
// made the answer, and nothing it computed is used.
//
// With g = X'S r - lambda2 U w (X about its means, r the residual in a fresh pass over the rows) and H = R'R the
// Hessian factored here from the Gram of the rows, the objective being quadratic,
//
//   F - F* = 1/2 ||R^-T g||^2 + 1/2 (mean r)^2       and       w* - w = R^-1 R^-T g
//
// exactly: no bound, no estimate. If columns depend on others, the same holds over the columns that do not, and a
// condition says so; it is F* over all columns where another pass finds the dependence to hold in every row without a
// rounding (exact_dependence.hpp). Without a Gram (more columns than can be multiplied out): for ridge the duality gap
// with the residual as dual point, sum_j g_j^2 / (2 lambda2 u_j); for least squares F - F* <= F; else the residual of
// the optimality condition, which proves nothing and says so.
#pragma once

#include "base/pool.hpp"
#include "design/row_source.hpp"
#include "objective/least_squares/objective.hpp"
#include "stats/gram/gram.hpp"
#include "stats/residual/residual.hpp"

#include <recta/certificate.hpp>
#include <recta/trace.hpp>

#include <functional>

namespace recta {

struct Claimed {
  LeastSquaresObjective objective = {};
  std::vector<double> w = {}, b = {}; // p x k by column; k: the numbers of the model itself
  double tolerance = 1e-10;           // of F - F*, in units of the null objective
  Stop stop = "solved in closed form";
  bool stopped_early = false;                     // by the caller: an answer that falls short is then no refutation
  Index passes = 0;                               // over the rows before this check
  std::vector<std::string> conditions = {};       // known already
  std::function<std::string(Index)> feature = {}; // names of columns for the conditions; empty: by number
};

// A condition of a claim: the sentence then does not speak of a fresh pass over the rows.
inline constexpr std::string_view kNotFresh = "taken from the sums of an earlier pass, because the fit was stopped";

struct Checked {
  Certificate certificate;
  Residual residual; // of the model's own numbers
};

// At least one of `gram` and `rows` is there. Without rows (they could be read only once) the residual is taken from
// the Gram, and the claim says that it is from merged statistics.
Result<Checked> certify(const Claimed& claimed, const Gram* gram, RowSource* rows, Pool& pool, const Watch& watch = {});

} // namespace recta
