// A table of what each feature adds to scores.
#pragma once

#include <recta/body.hpp>
#include <recta/model.hpp>

#include <functional>

namespace recta {

struct Contribution {
  std::string feature;
  Report::Cell value;
  std::vector<double> terms; // one per score
};

// `first`: what stands before all features, such as an intercept. The rows are ordered by their largest term; those
// after the first fifty are summed in the last row. The figure `rounding` bounds how far the sum can be from the score.
Report contributions_report(Contribution first, std::vector<Contribution> features, std::vector<std::string> scores);

// The same for scores of classes that only count by their differences: for two classes the terms are those of the
// positive one less those of the other, the log-odds; for more they are less the mean over the classes. `rounding`: of
// a score that is the sum of other terms.
Report class_contributions_report(Contribution first, std::vector<Contribution> features, const Classes& classes,
                                  double rounding = 0);

// The same for scores <w_k, x> + b_k of one row, without the columns that no score uses.
struct LinearTerms {
  std::vector<std::string> scores;               // their names
  std::function<std::string(Index column)> name; // of a column
  std::function<double(Index score, Index column)> weight;
};
Report linear_contributions_report(const Batch& row, Contribution first, const LinearTerms& terms);

} // namespace recta
