// The singular vectors of a tall matrix, R = U S V', in units in which every column is penalised alike, and what least
// squares makes of them: w = V diag(s / (s^2 + lambda)) U'y. Directions whose singular value is at most `smallest`
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
  // `unit`: what each of the columns is divided by; 0: it counts as zero. `tolerance`: the share of the largest
  // singular value up to which others count as zero.
  Spectral(const Tall& tall, std::vector<double> unit, double lambda, double tolerance);

  Index rank() const { return rank_; }
  // Of the kept directions, s^2 + lambda: the largest against the smallest.
  double condition() const;
  // V diag(s / (s^2 + lambda)) U'y, of one target.
  std::vector<double> answer(const double* y) const;
  // V diag(1 / (s^2 + lambda)) V'g: a step of Newton within the kept directions.
  std::vector<double> step(const std::vector<double>& gradient) const;

private:
  std::vector<double> combine(const std::vector<double>& along) const;
  double square(Index s) const { return values_[s] * values_[s] + lambda_; }

  Index rows_, cols_, count_, rank_ = 0; // count = min(rows, cols), of which the first `rank` are kept
  double lambda_;
  std::vector<double> unit_, values_, u_, vt_;
};

} // namespace recta
