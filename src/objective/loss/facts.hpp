// Facts about the rows of a regression that are known before there is an answer: sizes of columns, the range of the
// target, and the objective of the best constant, which is the unit of the tolerance.
#pragma once

#include "base/pool.hpp"
#include "design/row_source.hpp"
#include "objective/loss/objective.hpp"
#include "stats/column_sums/column_sums.hpp"
#include "stats/row_check.hpp"

#include <recta/trace.hpp>

#include <limits>

namespace recta {

// Minimum and maximum of y, of y - offset and of the offset, over rows of positive weight.
struct TargetRange : Saved<TargetRange> {
  double least = std::numeric_limits<double>::infinity(), largest = -least;
  Index least_row = -1; // numbered from 0
  double least_rest = least, largest_rest = -least;
  double least_offset = least, largest_offset = -least;
  double sum = 0; // sum v y

  void accumulate(const Batch& batch);
  bool finite() const { return true; }
  void merge(const TargetRange& other);
  static constexpr std::string_view kTag = "rang", kName = "range of a target";
  static void fields(auto& s, auto& io) {
    io(s.least_row, s.least, s.largest, s.least_rest, s.largest_rest, s.least_offset, s.largest_offset, s.sum);
  }
};

struct LossFacts {
  ColumnSums sums;
  TargetRange range;
  double null_objective = 0, null_intercept = 0, null_scale = 1;
  Index passes = 0;

  double weight() const { return sums.weight.hi; }
  // The unit of the penalty on column j: sd_j if the columns are standardised, otherwise 1.
  double unit(const LossObjective& objective, Index j) const { return objective.standardise ? sums.deviation(j) : 1; }
  // At most the share by which rounding moves the square of a unit: spreads are differences of sums about zero, so that
  // little is left of the digits of a column whose weighted deviation is tiny beside its mean. Zero: no more than the
  // rounding of the unit to a double, which proofs count in every term of the penalty.
  double unit_error(const LossObjective& objective) const;
  // The shifts to subtract from the columns if there is an intercept (stats/shifted_rows); empty: none.
  std::vector<double> shifts(const LossObjective& objective) const;
};

// lambda1 sum_j |u_j w_j| + (lambda2 / 2) sum_j (u_j w_j)^2.
DoubleDouble penalty_of(const LossObjective& objective, const LossFacts& facts, const std::vector<double>& w);

// One pass, which checks every number.
Result<LossFacts> loss_facts(RowSource& rows, Pool& pool, const Watch& watch, const Places& places);
// The same if the columns were summed already: the pass is over the targets alone.
Result<LossFacts> loss_facts(RowSource& rows, const ColumnSums& sums, Pool& pool, const Watch& watch);
// The best constant: a few more passes over the target alone. The loss must accept every value of the target.
Result<void> add_null(const LossObjective& objective, RowSource& rows, Pool& pool, const Watch& watch,
                      LossFacts& facts);

} // namespace recta
