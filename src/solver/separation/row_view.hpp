// Rows in the units of a search: z_i = y_i (x_ij - mean_j) scale_j, with one more coordinate, y_i, if a constant is a
// feature. Means are subtracted if the intercept is free: then sum a_i y_i = 0, and they cancel.
#pragma once

#include "base/pool.hpp"
#include "solver/gradient_descent/seen_row.hpp"
#include "solver/separation/column_units.hpp"
#include "solver/separation/separate.hpp"

namespace recta::separation {

class RowView {
public:
  RowView(const Labelled& problem, Pool& pool);

  void scale_columns();  // each by its own power of two
  void scale_together(); // all by one power of two: distances keep their proportions
  // The constant becomes a feature, and points are projected to right angles to the named rows. Returns the rows that
  // vanish with that; they are no longer present.
  std::vector<Index> pass_through(std::span<const Index> rows);

  Index dimension() const { return cols_ + (constant_ ? 1 : 0); }
  Index groups() const { return problem_.intercept && !constant_ ? 2 : 1; }
  Index group(Index row) const { return groups() == 2 && sign(row) < 0 ? 1 : 0; }
  const std::vector<Index>& present() const { return present_; }

  void point(Index row, std::span<double> z) const;
  void products(std::span<const double> v, std::vector<double>& f) const; // z_i'v of all rows present, in their order
  // v in the units of the data, or times a power of two that keeps it within the doubles; returns its constant, or
  // zero.
  double hyperplane(std::span<const double> v, std::vector<double>& w) const;

private:
  template <class Rows>
  void measure(const Rows& rows);
  double sign(Index row) const { return problem_.sign[static_cast<std::size_t>(row)]; }
  void raw_point(Index row, std::span<double> z) const;
  double project(std::span<double> z) const; // returns the share of its length that is left
  double in_data_units(std::vector<double>& w, double b) const;

  const Labelled& problem_;
  Pool& pool_;
  ColumnUnits units_;
  Index cols_;
  bool constant_;
  std::vector<Index> present_;
  std::vector<double> mean_, spread_, scale_;
  double unit_ = 1;                        // the constant feature in these units
  std::vector<std::vector<double>> basis_; // of the rows passed through, orthonormal
};

} // namespace recta::separation
