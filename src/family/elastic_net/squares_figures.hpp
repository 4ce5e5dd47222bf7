// Figures that judge the points of a path of squares, besides rows left out: r2, the objective, and the criteria that
// count degrees of freedom.
#pragma once

#include "family/elastic_net/request.hpp"
#include "select/column_path.hpp"

#include <limits>

namespace recta {

struct SquaresFigures {
  Index rows = 0;                                           // with weight
  double null_mse = 0;                                      // of the best constant, or of zero without an intercept
  double sigma2 = std::numeric_limits<double>::quiet_NaN(); // variance of the fit without a penalty; NaN: there is none
  std::vector<double> deviation = {};                       // of the columns, if the penalty is on standardised ones

  static SquaresFigures of(const Gram& all, const NetRequest& net);
  static SquaresFigures of(const select::ColumnProblem& data, Index cols, const NetRequest& net);

  // From the point's lambda, coefficients, degrees of freedom and mse.
  void finish(PathPoint& point, const NetRequest& net) const;

private:
  double penalty(const PathPoint& point, const NetRequest& net) const;
};

} // namespace recta
