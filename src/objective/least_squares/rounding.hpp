// How far the numbers of a check can be from what exact arithmetic would give, from the sizes of the rows alone;
// nothing here is an estimate. u = 2^-53, n is the number of rows in a block, s_j = sqrt(A_jj / W) the spread of column
// j as the objective sees it, |z_j| its root mean square about zero, and the ratio is the largest |z_j| / s_j.
//
// Rows in double (Precision::standard). A block is summed about a point c with rms(x - c) <= 4 s, by chains of at most
// 512 products and n sums; the means of blocks, off by 4 (n + 8) u s, enter the products once more where blocks are
// joined, over at most 40 levels and, by the inequality of Cauchy and Schwarz, with sqrt(40) of that. Sparse blocks are
// summed about zero in double-double. In all
//   |error of A_ij| <= products sqrt(A_ii A_jj),   products = 96 (n + 128) u + 16 (n + 128) u^2 ratio^2
//   |error of a mean| <= 4 (n + 8) u s + 4 (n + 128) u^2 |z|
// Rows in double-double (Precision::extended): every operation is good to 10 u^2 and no chain is longer than n:
//   products = 64 (n + 128) u^2 ratio,   |error of a mean| <= 4 (n + 128) u^2 |z|
// A residual is off by at most 2 (p + 4)^2 u^2 of the sizes of its terms (stats/residual/residual.hpp), in the mean
// square of rows therefore by that of |y| + |b| + sum |w_j z_j|. With no coefficient but zero it is the rounded y -
// offset - b, and 0 only where it is 0. Sums over rows: (128 + (n / 8 + 8)^2) u^2.
#pragma once

#include "stats/precision.hpp"
#include "stats/residual/residual.hpp"

namespace recta {

// The quantities of the rows that the bounds depend on; targets follow the features.
struct RowSizes {
  Index cols = 0, rows = 0;
  double weight = 0;
  std::vector<double> square;      // |z|: root mean square about zero, offsets taken off the target
  std::vector<double> spread;      // s: about the mean if the objective is centred; 0 for a constant column
  Precision sums, gradient;        // of means and products; of the fresh pass
  bool merged = false;             // the residual was taken from the products
  bool rounded_deviations = false; // the penalty is on the deviations that the model file holds, which are doubles
};

class Rounding {
public:
  explicit Rounding(RowSizes sizes);

  double ratio() const { return ratio_; }
  double products() const { return products_; }
  double penalty() const { return penalty_; } // of T_jj, in units of itself
  double mean(Index z) const;

  // For the residual of one answer.
  struct Target {
    double residual = 0;      // of r, root mean square over the rows
    double mean_residual = 0; // of sum v r / W
    double objective = 0;     // of F without the penalty
    double terms = 0;         // size of what the products add up to a residual: spreads only
    bool zero = false;        // every r is 0, exactly
  };
  Target target(const double* w, double b, const Residual& r, Index t) const;
  // Error of sum v r (x_j - mean_j) - T_jj w_j, not divided by W; `penalty` is the last part.
  double gradient(const Target& target, const Residual& r, Index t, Index j, double penalty) const;

private:
  double chain() const { return static_cast<double>(n_) + 128; }

  RowSizes sizes_;
  Index n_ = 0;
  double ratio_ = 1, products_ = 0, penalty_ = 0;
};

// A bound on the rounding of the last few operations on a figure, at least the smallest normal number, since squares
// may have fallen below the smallest double.
double last_bits(double figure);

} // namespace recta
