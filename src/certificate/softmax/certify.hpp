// The proof of a softmax regression, from the rows alone. What is claimed:
//
//   F(W, b) = sum_i s_i (log sum_k e^(z_ik) - z_iy) + sum_jk R_j(w_jk),   z_ik = <w_k, x_i> + b_k
//   R_j(w) = lambda1 sqrt(u_j) |w| + lambda2 u_j w^2 / 2
//
// For every p'_i in the simplex with d_i = Y_i - p'_i, sum_i s_i d_i = 0 if there are intercepts, and G = sum_i s_i d_i
// x_i,
//
//   F - F* <= sum_i s_i KL(p'_i | P_i) + sum_jk (R_j(w_jk) + R_j*(G_jk) - G_jk w_jk)
//
// where R_j* is (|G| - lambda1 sqrt(u_j))+^2 / (2 lambda2 u_j). Without squares it is zero if |G_jk| <= lambda1
// sqrt(u_j) everywhere, which holds for kappa d with some kappa <= 1, the d of p'' = (1 - kappa) Y + kappa p'; and KL
// is convex: that of p'' is at most (1 - kappa) times the loss and kappa times that of p'.
//
// p' = P (1 + e), e_k = <P, tau> - tau_k, tau = t with one t for all rows, or t + Q'(x - m), is a step of Newton's
// towards what the constraints ask for (projection.hpp). It is in the simplex if no e is below -1, and KL = sum_k P_k
// ((1 + e_k) log(1 + e_k) - e_k): nothing cancels. That they are met to rounding only is made up for by a further step,
// which exists and is bounded by a lower bound of the Hessian's least eigenvalue, held by a factorisation that succeeds
// (Rump 2006).
//
// Under squares t is enough except if the penalty hardly holds classes apart, and under absolute values alone if the
// solver was near enough; else Q is over the weights that are not zero. There shares far below the tolerance become
// zero, at the price of as much: along what they alone hold a step of Newton's would not end. Without any penalty all
// products G must vanish: so Q is over every weight of all classes but one, where these are 2,000 or fewer. Those of
// columns that are combinations of others in every row vanish with theirs (least_squares/left_out.hpp). Where weights
// are more, or columns combinations to rounding only, no bound holds over all columns: how far the conditions are from
// being met is told, and which columns are too alike to be told apart (loss/find_basis.hpp).
#pragma once

#include "base/pool.hpp"
#include "design/row_source.hpp"

#include <recta/certificate.hpp>
#include <recta/trace.hpp>

#include <functional>

namespace recta {

struct Gram;

struct SoftmaxClaimed {
  Index classes = 0;
  std::vector<double> w = {}, b = {}; // of the first class, then of the second, ...
  double lambda1 = 0, lambda2 = 0;
  std::vector<double> unit = {};   // u_j; 0 if a column is constant: its coefficients are zero
  std::vector<double> centre = {}; // p: m, which only rounding depends on
  std::vector<double> sd = {};     // p: root mean squares of x - m; empty: not known
  bool intercept = true;
  double null_objective = 0;
  double tolerance = 1e-10;
  Stop stop = Stop::tolerance_reached;
  bool stopped_early = false, gave_up = false;
  Index passes = 0;
  std::vector<std::string> conditions = {};
  std::function<std::string(Index)> feature = {}; // names of columns for the conditions; empty: by number
};

struct SoftmaxChecked {
  Certificate certificate;
  double mean_loss = 0, right = 0; // right: sum v of rows predicted right
  Index rows = 0;
};

Result<SoftmaxChecked> certify(const SoftmaxClaimed& claimed, const Gram* gram, RowSource* rows, Pool& pool,
                               const Watch& watch = {});

} // namespace recta
