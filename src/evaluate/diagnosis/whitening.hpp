// Rows in coordinates in which their own sums of squares are the unit matrix.
//
//   z_i = (1 / sqrt(W), R^-T (x_i - mean)),   R'R = H = X'VX + T      (T: the penalty; 0 for least squares)
//
// The first coordinate is there if the intercept is free. Then v_i |z_i|^2 is the leverage h_i, the diagonal of the
// matrix that maps y to the fit: s_i (1 + (x_i - mean)' M^-1 (x_i - mean)) of Hoaglin and Welsch (1978). Columns that
// are combinations of earlier ones have no coordinate: the space they span is the same without them. R^-1 is formed
// once; where the statistics are double-double so are R^-1 and the products with it, and only z is rounded.
#pragma once

#include "base/double_double.hpp"
#include "objective/least_squares/quadratic.hpp"
#include "stats/accumulator.hpp"
#include "stats/gram/gram.hpp"

#include <span>

namespace recta::diagnosis {

class Whitening {
public:
  Whitening(const LeastSquaresObjective& objective, const Gram& gram, Pool& pool);

  Index cols() const { return cols_; }
  Index size() const { return rank_ + (intercept_ ? 1 : 0); } // coordinates
  Index rank() const { return rank_; }                        // of the features
  double condition() const { return condition_; }             // of the scaled H, estimated
  double weight() const { return weight_; }
  bool determined(Index j) const { return determined_[static_cast<std::size_t>(j)] != 0; }
  bool intercept_determined() const { return intercept_determined_; }

  struct Room {
    std::vector<double> x, z; // row by row: the rows present, and their coordinates
  };
  // x and z of the rows named, row by row.
  void transform(const Batch& batch, std::span<const Index> present, Room& room) const;

  // The coefficient of column j by coordinates: w_j = sum_s out[s] c_s for c in the space of z. The intercept is
  // cols().
  std::vector<double> of_coefficient(Index j) const;
  // The slopes of a target as coordinates, R w = R^-T X'Vy: rank numbers.
  std::vector<double> coordinates_of(const Quadratic& quadratic, Index target) const;
  const std::vector<double>& root() const { return root_; } // R^-T, rank x cols by row

private:
  template <class T>
  void prepare(const LeastSquaresObjective& objective, const Gram& gram, Pool& pool, std::vector<T>& root);
  void transform_extended(const Batch& batch, std::span<const Index> present, Room& room) const;

  Index cols_, rank_ = 0;
  bool intercept_, centred_, extended_;
  double condition_ = 1, weight_;
  std::vector<double> root_;                // R^-T, rank x cols by row
  std::vector<DoubleDouble> extended_root_; // the same, if the statistics are double-double
  std::vector<Index> last_;                 // of each coordinate: columns from here on have no share
  std::vector<DoubleDouble> mean_;
  std::vector<char> determined_;
  bool intercept_determined_ = true;
};

// The rows named, as doubles, row by row; sparse ones with their zeros.
void gather_rows(const Batch& batch, std::span<const Index> present, std::vector<double>& x);

} // namespace recta::diagnosis
