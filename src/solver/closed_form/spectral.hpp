// The singular vectors of a tall matrix, R = U S V', in units in which every column is penalised alike, and the least
// squares answer from them: w = V diag(s / (s^2 + lambda)) U'y. Directions whose singular value is at most `smallest`
// count as zero.
#pragma once

#include <recta/error.hpp>

#include <vector>

namespace recta {

// Rows of the features and of the targets, by column.
struct Tall {
  Index rows = 0;
  std::vector<double> x, y;
};

class Spectral {
public:
  // `unit`: the divisor of each column; 0: the column counts as zero. `tolerance`: singular values up to this share of
  // the largest count as zero.
  Spectral(const Tall& tall, std::vector<double> unit, double lambda, double tolerance);

  Index rank() const { return rank_; }
  // The ratio of the largest to the smallest s^2 + lambda among the kept directions.
  double condition() const;
  // V diag(s / (s^2 + lambda)) U'y, for one target.
  std::vector<double> answer(const double* y) const;
  // V diag(1 / (s^2 + lambda)) V'g: a Newton step within the kept directions.
  std::vector<double> step(const std::vector<double>& gradient) const;

private:
  std::vector<double> combine(const std::vector<double>& along) const;
  double square(Index s) const { return values_[s] * values_[s] + lambda_; }

  Index rows_, cols_, count_, rank_ = 0; // count = min(rows, cols), of which the first `rank` are kept
  double lambda_;
  std::vector<double> unit_, values_, u_, vt_;
};

} // namespace recta
