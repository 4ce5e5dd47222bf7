// Products of all rows, kept in memory, with vectors: Newton's method needs them if p x p numbers do not fit.
//
// Sums over rows are taken in a fixed number of lanes, each a run of neighbouring rows with sums of its own, and lanes
// are added in order: the bits do not depend on the threads. A row is read once for its product and for the product's
// share of the sums. Rows of weight zero are not read. Memory: a vector of p numbers per lane, up to three if several
// sums are taken at once. For sparse rows a lane holds the factor of a column beside its sum: the number that a row
// looks up for its product is at hand when it adds to the sums.
#pragma once

#include "base/pool.hpp"
#include "solver/gradient_descent/held_rows.hpp"

#include <recta/dataset.hpp>

#include <span>

namespace recta {

class RowProducts {
public:
  RowProducts(const HeldRows& rows, Pool& pool); // both must outlive this

  Index rows() const { return n_; }
  Index cols() const { return p_; }
  bool present(Index i) const { return rows_.weight().empty() || rows_.weight()[i] > 0; }

  void multiply(std::span<const double> v, std::span<double> z) const; // z_i = <x_i, v>
  void transposed(std::span<const double> r, std::span<double> g);     // g = sum_i r_i x_i
  // The same, and first = sum_i c_i x_i, second = sum_i c_i x_i^2, elementwise.
  void sums(std::span<const double> r, std::span<const double> c, std::span<double> g, std::span<double> first,
            std::span<double> second);
  // t_i = <x_i, v> + shift, and g = sum_i c_i t_i x_i. Returns the sum of c_i t_i.
  double curved(std::span<const double> c, std::span<const double> v, double shift, std::span<double> t,
                std::span<double> g);

  // Some of the rows tell what most rows have in common: one row in this many is looked at.
  Index apart() const { return std::max<Index>(1, n_ / 32768); }
  std::vector<Index> counts() const; // numbers that those rows store in every column; empty: dense
  // sum_i c_i x_ia x_ib over those rows and the named columns, their places by column (-1: not named), then a column of
  // ones: lower triangle of size `size` plus one, by column.
  std::vector<double> gram(std::span<const double> c, std::span<const int> place, Index size);

private:
  struct Range {
    Index first, end;
  };
  Range lane(Index l) const { return {n_ * l / lanes_, n_ * (l + 1) / lanes_}; }
  // Calls visit(its rows, its sums, its total) for all lanes. Sums begin as zeros, or as pairs (v_j, 0) if v is given.
  template <class Visit>
  void by_lanes(Index width, const double* v, const Visit& visit);
  void gather(Index width, std::span<double> out, Index part) const;

  const HeldRows& rows_;
  Pool& pool_;
  Index n_, p_, lanes_ = 1, together_ = 1;
  Values sums_;                // by lane, of one `width` or another
  std::vector<double> totals_; // by lane
};

} // namespace recta
