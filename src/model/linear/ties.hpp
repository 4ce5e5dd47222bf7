// Scores of classes that rounding alone tells apart are the same score.
//
// A score whose size is at most 2^-51 of the sizes of its terms is zero for all that is known (stats/tie.hpp). Such
// scores are made equal, to zero if a class has a score by itself, to the largest if classes have one each, so that
// decisions, probabilities and classes all follow the one rule of ties, on every machine.
#pragma once

#include "design/batch.hpp"

#include <vector>

namespace recta {

// <w, x> + b, the score of one target.
struct Scorer {
  std::vector<double> w{};
  double b = 0;
};

class Ties {
public:
  explicit Ties(const std::vector<Scorer>& scorers); // they outlive this

  // scores: rows x targets of the batch; NaN stays. largest: no |x_ij| of the batch is larger.
  void settle(const Batch& batch, double largest, double* scores) const;

private:
  void settle_row(const Batch& batch, Index row, double near, double* z) const; // near: no larger score is a tie
  double size(const Batch& batch, Index row, std::size_t target) const;         // of all terms

  const std::vector<Scorer>& scorers_;
  double weights_ = 0, intercept_ = 0; // the largest sum of |w_j| of a target, the largest |b|
};

} // namespace recta
