// Facts that the check knows about the columns before it looks at the answer, from a Gram or from sums of columns
// alone, and the penalty of each column in the units of the data.
#pragma once

#include "base/double_double.hpp"
#include "base/pool.hpp"
#include "objective/elastic_net/objective.hpp"
#include "stats/column_sums/column_sums.hpp"
#include "stats/gram/gram.hpp"

namespace recta {

struct ColumnFacts {
  Index cols = 0, targets = 0, rows = 0;
  DoubleDouble weight = 0.0;
  std::vector<DoubleDouble> mean;   // p + k
  std::vector<double> square;       // p: mean square, about the mean if centred; a little rounded up
  std::vector<double> size;         // p: mean square about zero
  std::vector<double> deviation;    // p: 0 for a column that does not vary
  std::vector<char> constant;       // p: to rounding
  std::vector<DoubleDouble> target; // k: sum v (y - o)^2, about the mean if there is an intercept
  std::vector<double> target_size;  // k: mean square of y - o about zero

  double null_objective() const;
  // The effect on F of rounding y, w and b to doubles: no answer in doubles could do better.
  double rounding_floor(const std::vector<double>& w) const;
};

ColumnFacts facts_of(const ElasticNetObjective& objective, const Gram& gram);
ColumnFacts facts_of(const ElasticNetObjective& objective, const ColumnSums& sums, Pool& pool);

// a |w| + t w^2 / 2 on [low, high].
struct Term {
  double a = 0, t = 0;
  double low = 0, high = 0;
  double rounding = 0;   // bound on what rounding did to a
  bool left_out = false; // a column that does not vary, to rounding: only its own penalty counts

  bool free() const { return a == 0 && t == 0; }
  double value(double w) const;
};

// `lambda1` replaces the objective's own: 1 gives the weights of the constrained form.
std::vector<Term> terms_of(const ElasticNetObjective& objective, double lambda1, const ColumnFacts& facts);

// P(w) + P*(g) - g w, as a sum of terms that are not negative; infinite where P*(g) is.
DoubleDouble conjugate_gap(const Term& term, double w, DoubleDouble g);

} // namespace recta
