// Coefficients that meet their constraints exactly. With absolute values penalised, a proof needs |g_j| <= 1 for
// g_j = sum_i beta_i x_ij and sum_i beta_i = 0. Of columns around 1e6 these are sums of large terms that cancel, and
// the rounding of beta alone breaks them: scaling all of beta by 1 / |g_j| then costs far more than the answer is
// wrong.
//
// So beta is meant plus a change that is smaller than its own rounding: delta_i = |beta_i| (u_0 + sum_j u_j (x_ij -
// m_j)) with the u that solve the constraints that are active, m_j the means of x_ij weighted by |beta_i|. It
// is kept apart from beta, as the low half of a sum of two doubles, and what it leaves of g is computed in
// double-double. No coefficient changes its sign while |delta_i| < |beta_i|.
//
// With squares penalised, what w lacks, 1/2 |w - g|^2, is part of the gap. Of columns around 1e12 the rounding of beta
// alone makes it larger than any tolerance; the same change takes g to w. Coefficients at the end of their box stay.
#pragma once

#include "base/double_double.hpp"
#include "base/numbers.hpp"

#include <cmath>
#include <optional>
#include <span>
#include <vector>

namespace recta::svm {

// The nearly active columns of the rows with a coefficient.
struct ActiveColumns {
  std::vector<double> x = {};      // a row after the other, `count()` numbers each
  std::vector<double> beta = {};   // of the rows
  std::vector<bool> fixed = {};    // of the rows: the coefficient stays; empty: none does
  std::vector<double> target = {}; // what g_j is to be, -1 or 1; 0: anything between them
  std::vector<bool> held = {};     // if given: g_j is to be its target, whatever that is, or may be anything
  bool balanced = true;            // the sum of beta is to be zero
  Index count() const { return std::ssize(target); }
  Index rows() const { return std::ssize(beta); }
  double room(Index i) const { return !fixed.empty() && fixed[at(i)] ? 0 : std::abs(beta[at(i)]); } // what delta is in
};

struct Nudge {
  std::vector<double> delta;
  std::vector<DoubleDouble> g; // of beta + delta
  DoubleDouble sum;
  double rounding = 0; // of these, in units of the sums of |beta_i x_ij| and |beta_i|
};

// Nothing if some |delta_i| would be more than `most` |beta_i|.
std::optional<Nudge> nudge_to_constraints(const ActiveColumns& active, double most);

} // namespace recta::svm
