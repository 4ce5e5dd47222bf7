// From counts to probabilities: closed forms, all in logarithms.
//
//   gaussian     mean_kj, var_kj = scatter_kj / N_kj + eps_j
//   bernoulli    P(x_j > threshold | k) = (N_kj1 + a_j) / (N_kj0 + N_kj1 + 2 a_j)
//   categorical  P(x_j = v | k) = (N_kjv + a_j) / (N_kj + a_j V_j)
//   multinomial  theta_kj = (T_kj + a_j) / sum_j (T_kj + a_j)
//   complement   w_kj = -log((O_kj + a_j) / sum_j (O_kj + a_j)), O_kj the sum of T_lj over the other classes l, divided
//                by sum_j w_kj if `norm` (Rennie, Shih, Teevan, Karger 2003)
//
// a = 0 is the largest likelihood, a = 1 is Laplace's rule. eps_j is `variance` times the variance of the column over
// all rows, or over the column of the largest variance (`widest`, as scikit-learn has it). A class without any value in
// a column takes what the column has over all classes. A column without any variance, or any value, has no factor.
#pragma once

#include "objective/naive_bayes/layout.hpp"

namespace recta::naive_bayes {

struct Smoothing {
  std::vector<double> alpha{1.0}; // one for all columns, or one per column
  double variance = 1e-9;
  bool widest = false, norm = false;
  bool operator==(const Smoothing&) const = default;

  double of(Index column) const { return alpha.size() == 1 ? alpha[0] : alpha[static_cast<std::size_t>(column)]; }
};

// One number per cell and class, at cell * classes + k.
//
//   gaussian     n of -log(2 pi var) / 2, n means, n of 1 / (2 var); var is NaN-free: 0, 0, 0 where there is no factor
//   bernoulli    n of log P(x_j <= threshold | k), n of log P(x_j > threshold | k)
//   others       log P, or w
struct Estimates {
  std::vector<double> log_prior; // zeros with complement, which has none
  std::vector<double> table;
};
Estimates estimate(const Layout& layout, const Counts& counts, const Smoothing& smoothing,
                   const std::vector<double>& prior);

// eps_j of every column; 0 for those that are not gaussian. `all`: pooled counts.
std::vector<double> added_variances(const Layout& layout, const Counts& all, const Smoothing& smoothing);
// The column and the class of a gaussian variance that is zero; -1, -1: there is none.
struct Flat {
  Index column = -1, k = -1;
};
Flat first_without_variance(const Layout& layout, const Counts& counts, const Smoothing& smoothing);

// sum_i v_i log P(k_i, x_i), from the counts. Without the terms of complement, which is no likelihood.
double log_likelihood(const Layout& layout, const Counts& counts, const Estimates& estimates);

// Free parameters of the factors and the prior; and of a joint distribution without independence: NaN if it has no
// finite number of them, as counts in a bag have not.
struct Parameters {
  double naive = 0, joint = 0;
};
Parameters parameters(const Layout& layout);

} // namespace recta::naive_bayes
