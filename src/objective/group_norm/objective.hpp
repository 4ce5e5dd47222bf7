// The objective that the group lasso and the multi-task lasso minimise, over the columns w_t of k targets:
//
//   F(w, b) = sum_t sum_i s_i (y_it - o_i - b_t - <w_t, x_i>)^2 / 2
//             + lambda1 sum_g f_g |w_g| + (lambda2 / 2) sum w_jt^2,     s_i = weight_i / sum weight
//
// |w_g| is the norm of the coefficients of group g. If the targets are joint, one norm covers all of them, so that a
// group is used for all targets or for none; otherwise every target has its own norms, and F is a sum of k objectives.
// Groups of one column with joint targets give the multi-task lasso; one target gives the group lasso. The intercepts
// are free. With `standardise` the features are (x - mean) / sd, so the penalties are on sd_j w_j; without an intercept
// the fit then passes through the means.
#pragma once

#include <recta/error.hpp>

#include <span>
#include <vector>

namespace recta {

// A partition of the columns.
class Groups {
public:
  void add(std::span<const Index> columns) {
    column_.insert(column_.end(), columns.begin(), columns.end());
    start_.push_back(static_cast<Index>(column_.size()));
  }
  static Groups of_one(Index cols) {
    Groups out;
    for (Index j = 0; j < cols; ++j) out.add({&j, 1});
    return out;
  }
  Index count() const { return static_cast<Index>(start_.size()) - 1; }
  std::span<const Index> operator[](Index g) const {
    return std::span(column_).subspan(static_cast<std::size_t>(start_[g]),
                                      static_cast<std::size_t>(start_[g + 1] - start_[g]));
  }
  bool operator==(const Groups&) const = default;

private:
  std::vector<Index> start_{0}, column_;
};

struct GroupNormObjective {
  double lambda1 = 0, lambda2 = 0;
  Groups groups = {};
  std::vector<double> factors = {}; // f_g > 0, one per group
  bool joint = false;
  bool intercept = true;
  bool standardise = false;

  bool centred() const { return intercept || standardise; } // features enter about their means
};

} // namespace recta
