// The dependence of the columns on one another, from their correlation matrix R.
//
//   rank                 columns that no earlier ones determine: Cholesky of R in the order of the columns
//   condition            sqrt(largest / smallest eigenvalue of R): that of the centred columns scaled to one length
//   variance inflation   diag(R^-1)_j = 1 / (1 - R_j^2), R_j^2 of the regression of column j on all others
//   dependencies         the column with the largest inflation is written by the few others that matter and taken
//                        away, until no inflation is above kInflation
// R holds the columns to about 1e-15, so 1 - R_j^2 means nothing below that. If it is small, the regression is looked
// at again row by row: only what holds in every row to rounding is called exact.
#pragma once

#include <recta/evaluate.hpp>

#include <functional>

namespace recta::checkup {

inline constexpr double kInflation = 5; // a common rule of thumb; R_j^2 = 0.8
inline constexpr std::size_t kMostDependencies = 10;

// Centred columns of one table: means, deviations and R (p x p by column, both triangles), no constant ones.
struct Correlations {
  std::vector<std::string> names;
  std::vector<double> means, deviations, r;
  Index rows = 0;
  Index size() const { return static_cast<Index>(names.size()); }
  double at(Index i, Index j) const { return r[static_cast<std::size_t>(i + j * size())]; }
};

// x_j - intercept - sum_k factor_k x_k over the rows, as a share of the sizes of the terms: what is left at most.
struct Combination {
  Index column = 0;
  std::vector<std::pair<Index, double>> terms; // in the units of the data
  double intercept = 0;
};
using WorstRow = std::function<double(const Combination&)>;

struct Collinearity {
  Index rank = 0;
  double condition = 1;
  std::vector<double> inflation; // infinity for a column that takes part in an exact dependency
  std::vector<NearDependency> dependencies;
};

Collinearity study(const Correlations& correlations, const WorstRow& worst_row);

} // namespace recta::checkup
