// Products of all rows, kept in memory, with vectors: what Newton's method asks for where p x p numbers are too many.
//
// Sums over rows are taken in a fixed number of lanes, each a run of neighbouring rows with sums of its own, and lanes
// are added in order: the bits do not depend on the threads. A row is read once for its product and for what the
// product adds to the sums. Rows of weight zero are not read. Memory: a vector of p numbers a lane.
#pragma once

#include "base/pool.hpp"
#include "solver/gradient_descent/held_rows.hpp"

#include <span>

namespace recta {

class RowProducts {
public:
  RowProducts(const HeldRows& rows, Pool& pool); // both outlive this

  Index rows() const { return n_; }
  Index cols() const { return p_; }
  bool present(Index i) const { return rows_.weight().empty() || rows_.weight()[i] > 0; }

  void multiply(std::span<const double> v, std::span<double> z) const; // z_i = <x_i, v>
  void transposed(std::span<const double> r, std::span<double> g);     // g = sum_i r_i x_i
  // The same, and first = sum_i c_i x_i, second = sum_i c_i x_i^2, number by number.
  void sums(std::span<const double> r, std::span<const double> c, std::span<double> g, std::span<double> first,
            std::span<double> second);
  // t_i = <x_i, v> + shift, and g = sum_i c_i t_i x_i. The sum of c_i t_i is returned.
  double curved(std::span<const double> c, std::span<const double> v, double shift, std::span<double> t,
                std::span<double> g);

  std::vector<Index> counts() const; // numbers stored in every column; empty: dense
  // sum_i c_i x_ia x_ib over the columns named, their places by column (-1: not named): lower triangle, by column.
  std::vector<double> gram(std::span<const double> c, std::span<const int> place, Index size);

private:
  struct Range {
    Index first, end;
  };
  Range lane(Index l) const { return {n_ * l / lanes_, n_ * (l + 1) / lanes_}; }
  // visit(lane, its sums) for all lanes; sums of `width` numbers a column are then added into out.
  template <class Visit>
  void by_lanes(Index width, const Visit& visit);
  void gather(Index width, std::span<double> out, Index part) const;

  const HeldRows& rows_;
  Pool& pool_;
  Index n_, p_, lanes_ = 1, together_ = 1;
  std::vector<std::vector<double>> sums_; // by lane
  std::vector<double> totals_;            // by lane
};

} // namespace recta
