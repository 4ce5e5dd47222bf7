// What is known about the rows of a regression before there is an answer: sizes of columns, the range of the target,
// and the objective of the best constant, in whose units a tolerance is given.
#pragma once

#include "base/pool.hpp"
#include "design/row_source.hpp"
#include "objective/loss/objective.hpp"
#include "stats/column_sums/column_sums.hpp"
#include "stats/row_check.hpp"

#include <recta/trace.hpp>

#include <limits>

namespace recta {

// Least and largest of y, of y - offset and of the offset, over rows of positive weight.
struct TargetRange {
  double least = std::numeric_limits<double>::infinity(), largest = -least;
  Index least_row = -1; // numbered from 0
  double least_rest = least, largest_rest = -least;
  double least_offset = least, largest_offset = -least;
  double sum = 0; // sum v y

  void accumulate(const Batch& batch);
  bool finite() const { return true; }
  void merge(const TargetRange& other);
  std::string to_bytes() const;
  static Result<TargetRange> from_bytes(std::string_view bytes);
};

struct LossFacts {
  ColumnSums sums;
  TargetRange range;
  double null_objective = 0, null_intercept = 0, null_scale = 1;
  Index passes = 0;

  double weight() const { return sums.weight.hi; }
  // The unit that a penalty on column j is in: sd_j where it is on standardised columns, else 1.
  double unit(const LossObjective& objective, Index j) const { return objective.standardise ? sums.deviation(j) : 1; }
  // What to take off the columns where there is an intercept (stats/shifted_rows); empty: nothing.
  std::vector<double> shifts(const LossObjective& objective) const;
};

// lambda1 sum_j |u_j w_j| + (lambda2 / 2) sum_j (u_j w_j)^2.
DoubleDouble penalty_of(const LossObjective& objective, const LossFacts& facts, const std::vector<double>& w);

// One pass, in which every number is looked at.
Result<LossFacts> loss_facts(RowSource& rows, Pool& pool, const Watch& watch, const Places& places);
// The same where the columns were summed already: the pass is over the targets alone.
Result<LossFacts> loss_facts(RowSource& rows, const ColumnSums& sums, Pool& pool, const Watch& watch);
// The best constant: some more passes over the target alone. The target must be one that the loss takes.
Result<void> add_null(const LossObjective& objective, RowSource& rows, Pool& pool, const Watch& watch,
                      LossFacts& facts);

} // namespace recta
