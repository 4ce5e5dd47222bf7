// Machines that find their margin, tube or level themselves, given the share nu of rows that may fall short of it:
// nu-svm, nu-svr and one-class (Schoelkopf, Smola, Williamson, Bartlett 2000; Schoelkopf et al. 2001). All of them are
//
//   min over w and r_g of  1/2 |w|^2 - sum_g m_g r_g + sum_v c_v max(0, r_g - s_v),   s_v = sigma_g (<w, phi(x_i)> -
//   t_v),
//
// v a term of row i in group g. The dual is over 0 <= sigma_g beta_v <= c_v with sum_v in g sigma_g beta_v = m_g,
//
//   D(beta) = t'beta - 1/2 beta'K beta,   P - D = sum_v { (c_v - a_v) (r - s_v) if s_v < r, a_v (s_v - r) if not },
//
// a_v = sigma beta_v: again a sum of terms that are not negative. Given w, r_g is a quantile of the s_v.
//
//   nu-svm     one group per class, sigma = 1 and -1, t = 0, c_i = s_i (weights that add up to 1), m = nu / 2 each;
//              rho = (r_0 + r_1) / 2, b = (r_1 - r_0) / 2. Divided by rho it is the machine with C = 1 / rho beside the
//              mean of the losses.
//   nu-svr     two terms per row, sigma = 1 and -1, t the target, c_i = C v_i, m = nu sum_i c_i / 2 each; b - epsilon
//              = r_1 and b + epsilon = -r_0. It is svr with this epsilon.
//   one-class  one group, sigma = 1, t = 0, c_i = s_i / nu, m = 1; rho = r_0.
#pragma once

#include "base/numbers.hpp"

#include <span>
#include <vector>

namespace recta::svm {

struct GroupedProblem {
  struct Group {
    double sigma = 1, mass = 0;
  };
  std::vector<Group> groups;
  std::vector<Index> row, group;    // of every term
  std::vector<double> target, cost; // t_v and c_v > 0

  Index terms() const { return std::ssize(row); }
  double sigma(Index v) const { return groups[at(group[at(v)])].sigma; }
  double low(Index v) const { return sigma(v) > 0 ? 0 : -cost[at(v)]; }
  double high(Index v) const { return sigma(v) > 0 ? cost[at(v)] : 0; }
  double lead(Index v, std::span<const double> f) const { // s_v for scores f of the rows
    return sigma(v) * (f[at(row[at(v)])] - target[at(v)]);
  }
};

// nu-svr for rows of these targets and weights, those of weight above zero; mass: of either group.
GroupedProblem tube_problem(std::span<const double> target, std::span<const double> weight, double mass, double cost);

// The levels of least cost of one group for scores f, every one between low and high.
struct Levels {
  double low = 0, high = 0;
  double middle() const { return low + (high - low) / 2; }
};
Levels best_levels(const GroupedProblem& problem, Index group, std::span<const double> f);
std::vector<double> best_level_of_groups(const GroupedProblem& problem, std::span<const double> f); // middles

// P - D for coefficients of the terms and the scores they give.
double grouped_gap(const GroupedProblem& problem, std::span<const double> beta, std::span<const double> f,
                   std::span<const double> levels);

// P for scores f and |w|^2.
double grouped_primal(const GroupedProblem& problem, std::span<const double> f, double squared,
                      std::span<const double> levels);

} // namespace recta::svm
