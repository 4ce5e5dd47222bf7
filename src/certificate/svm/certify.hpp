// The proof of a machine, from the numbers of the model and a fresh pass over the rows. Nothing here knows how the
// coefficients were found: they are a witness that need not be believed.
//
// For scores z_i = <w, phi(x_i)> + b as the model computes them and every beta inside the boxes with sum beta = 0,
//
//   P(w, b) - P* <= sum_i C_i FY(t_i, z_i, beta_i / C_i) + 1/2 |w - sum_i beta_i phi(x_i)|^2
//
// (objective/svm/objective.hpp). With a kernel w is that sum itself, and the last term is nothing; the weights of a
// linear machine are numbers of their own, and it is computed. The sum of beta is zero to rounding only: if the
// positive ones add up to A and the negative ones to B > A, the latter are meant times A / B = 1 - eta, which costs at
// most eta times the loss and 1/2 (eta sum |beta| |phi|)^2 more. What rounding can have done to z (sums, products, the
// kernel's own error) is bounded row by row and added as slack. A coefficient outside its box proves nothing: the gap
// is infinite.
//
// A row with beta = 0 whose loss is zero by more than any rounding is zero in every sum: kernel/near_sums.hpp finds
// most of them at half the work.
//
// A penalty of absolute values asks for |g_j| <= 1, g_j = sum_i beta_i x_ij. beta is meant times the largest kappa <= 1
// that meets it, the rounding of g and the factor 1 - eta included: every term is convex in beta and the loss itself at
// beta = 0, so that
//
//   P(w, b) - P* <= sum_i C_i [kappa FY(t_i, z_i, beta_i / C_i) + (1 - kappa) loss(t_i, z_i)] + sum_j (|w_j| - kappa
//   w_j g_j).
//
// If that costs more than the tolerance, beta is meant plus a change below its rounding instead, which meets the
// constraints (nudge.hpp); of columns around 1e6 only this proves anything. A penalised intercept is the weight of one
// more column here, and the sum of beta is free.
//
// If the kernel is not positive semidefinite the dual is not concave, and the conditions of a stationary point are all
// that can be claimed: `violation` is how far the worst row is from them.
#pragma once

#include "design/row_source.hpp"
#include "kernel/points.hpp"
#include "objective/svm/objective.hpp"

#include <recta/trace.hpp>

namespace recta::svm {

struct Claimed {
  RowTerms terms;
  bool intercept = true;         // it is free
  double cost = 1;               // C of a row of weight 1
  std::vector<Index> rows = {};  // with a coefficient, ascending, numbered from 0
  std::vector<double> beta = {}; // theirs
  double b = 0;
  std::vector<double> w = {}; // of a linear machine; empty: the kernel's
  Penalty penalty = Penalty::squares;
  double tolerance = 0;       // of the gap, in units of P at w = 0: what is worth another pass
  double intercept_scale = 0; // of a linear machine: b / intercept_scale is penalised like a weight; 0: it is not
  const kernel::Kernel* kernel = nullptr;
  const kernel::Points* points = nullptr; // the rows with a coefficient, as the model holds them
};

// Target and weight of every row of the source, by number; weight 0: the row is not there.
struct JudgedRows {
  RowSource& source;
  std::span<const double> target, weight;
};

struct Proof {
  double primal = 0, gap = 0, slack = 0; // in units of P: P - P* <= gap + slack
  double violation = 0;
  double null = 0;                // P at w = 0 with the best intercept
  double squared = 0;             // |w|^2
  double weight = 0;              // of all rows
  double right = 0;               // of the rows whose class the sign of their score tells
  double mass = 0;                // sum |beta|
  double longest = 0;             // no |phi(x)| is larger
  double beyond = 0, support = 0; // weights of the rows beyond the margin or tube, and of those with a coefficient
  Index count = 0;
  bool same_rows = true; // the model's support vectors are the rows it says
  // Kernels: the numbers of the rows whose class their score tells by more than any rounding, and rightly.
  std::vector<Index> clear = {};
};

// The same numbers at any number of threads.
Result<Proof> certify(const Claimed& claimed, const JudgedRows& rows, Pool& pool, const Watch& watch);

// The same machine with each of these intercepts, at least one. With a kernel its sums are computed once.
Result<std::vector<Proof>> certify(const Claimed& claimed, std::span<const double> intercepts, const JudgedRows& rows,
                                   Pool& pool, const Watch& watch);

} // namespace recta::svm
