// The proof of a lasso or elastic-net answer, from the rows and the statistics alone. Nothing here knows which solver
// made the answer, and nothing it computed is used.
//
// For every d with sum_i s_i d_i = 0 (if there is an intercept) and g = X'S d, X about its means where centred,
//
//   F(w, b) - F* <= 1/2 sum_i s_i (r_i - d_i)^2 + sum_j [P_j(w_j) + P_j*(g_j) - g_j w_j]
//
// with r the residual in a fresh pass over the rows and P_j* the conjugate of the penalty of column j on its interval:
// a sum of terms that are not negative, never a difference of two large numbers. d is the residual about its mean,
// scaled if a constraint |g_j| <= lambda1 v_j asks for it; if that is not enough, d is the residual that an exact solve
// on the columns in use would leave, whose gap is quadratic in the error (dual_point.hpp). The constraints are kept
// with the rounding of g counted against them, so d is feasible as a real vector and the bound is a bound.
//
// In the constrained form, F0 = F without lambda1 over sum_j v_j |w_j| <= psi, the last sum becomes
//   psi max_j |z_j| / v_j - sum_j z_j w_j,   z_j = g_j - lambda2 u_j w_j      (the gap of Frank and Wolfe),
// and max_j |z_j| / v_j is the multiplier lambda1 of the constraint.
#pragma once

#include "base/double_double.hpp"
#include "base/pool.hpp"
#include "design/row_source.hpp"
#include "objective/elastic_net/objective.hpp"
#include "stats/column_sums/column_sums.hpp"
#include "stats/gram/gram.hpp"
#include "stats/residual/residual.hpp"

#include <recta/certificate.hpp>
#include <recta/trace.hpp>

#include <cmath>
#include <limits>

namespace recta {

struct ElasticNetClaimed {
  ElasticNetObjective objective = {};
  double psi = std::numeric_limits<double>::quiet_NaN(); // of the constrained form, which has no lambda1
  std::vector<double> w = {}, b = {};                    // p x k by column; k: the numbers of the model itself
  double tolerance = 1e-10;                              // of F - F*, in units of the null objective
  Stop stop = Stop::tolerance_reached;
  bool stopped_early = false;               // by the caller: an answer that falls short is then no refutation
  bool gave_up = false;                     // the solver itself says that it came no nearer: no refutation either
  Index passes = 0;                         // over the rows before this check
  std::vector<std::string> conditions = {}; // known already

  bool constrained() const { return !std::isnan(psi); }
};

// A column at the bound of its penalty that is a combination of others there: the answer is one of many.
struct Dependence {
  Index column = 0;
  std::vector<std::pair<Index, double>> equals; // earlier columns and factors; about the means if centred
  bool operator==(const Dependence&) const = default;
};

struct ElasticNetChecked {
  Certificate certificate;
  Residual residual;              // of the model's own numbers
  std::vector<double> multiplier; // k: max_j |z_j| / v_j, which is lambda1 if the penalty is in use
  std::vector<Dependence> dependent;
  std::vector<DoubleDouble> target_square; // k: sum v (y - o)^2, about the mean if there is an intercept
  std::vector<double> mean, deviation;     // p: of the features
};

// Statistics of the rows that were gathered already, by code that does not know the answer.
struct KnownOfRows {
  const Gram* gram = nullptr;
  const ColumnSums* sums = nullptr;

  KnownOfRows(const Gram* products, const ColumnSums* of_columns = nullptr) : gram(products), sums(of_columns) {}
  explicit operator bool() const { return gram != nullptr; } // enough without the rows
};

// At least one of the Gram and `rows` is there. Without rows (they could be read only once) the residual is taken from
// the Gram, and the claim says that it is from merged statistics.
Result<ElasticNetChecked> certify(const ElasticNetClaimed& claimed, const KnownOfRows& known, RowSource* rows,
                                  Pool& pool, const Watch& watch = {});

} // namespace recta
