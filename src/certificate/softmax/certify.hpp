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
// The dual point is p' = P (1 + e) with e_k = <P, tau> - tau_k, where tau = t is the same in all rows, or tau = t +
// Q'(x - m). It is Newton's step towards the constraints (projection.hpp). It lies in the simplex if no e is below -1,
// and KL = sum_k P_k ((1 + e_k) log(1 + e_k) - e_k), in which nothing cancels. The constraints are then met to rounding
// only. A further step would meet them exactly: it exists, and its length is bounded by a lower bound on the least
// eigenvalue of the Hessian, which a Cholesky factorisation that succeeds proves (Rump 2006).
//
// Which tau is tried:
// - With squares (lambda2 > 0), t is enough unless the penalty hardly holds the classes apart. With absolute values
//   alone, t is enough if the solver came near enough.
// - Otherwise Q is over the weights that are not zero. Shares far below the tolerance are set to zero first, which
// costs
//   no more than they are worth: along directions that only those shares determine, Newton's step would have no end.
// - Without any penalty all products G must vanish, so Q is over every weight of all classes but one, if these are
// 2,000
//   or fewer. Products of columns that are combinations of others in every row vanish with those of the others
//   (least_squares/left_out.hpp).
// - If there are more weights, or columns are combinations of others only to rounding, no bound holds over all columns.
//   The certificate then states how far the conditions are from being met, and which columns are too alike to be told
//   apart (objective/loss/find_basis.hpp).
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
