// A loss to second order at a point, as stats/curvature gathers it, for sparse rows that are kept in memory: the
// products of the numbers that a row stores are added straight into p x p sums about zero, in double. That is far less
// work than blocks with means of their own, and good enough for steps, which need the gradient in full and the
// curvature to some digits: a column whose mean is m deviations from zero loses 2 log2 m bits of its own.
//
// Rows are taken in lanes, runs of neighbouring rows with sums of their own that are added in order: the bits do not
// depend on the threads. Memory: p^2 numbers per lane.
#pragma once

#include "base/double_double.hpp"
#include "base/pool.hpp"
#include "solver/gradient_descent/held_rows.hpp"
#include "stats/curvature/curvature.hpp"

namespace recta {

class StoredCurvature {
public:
  StoredCurvature(const HeldRows& rows, Pool& pool); // both must outlive this; rows are sparse

  Curvature look(const std::shared_ptr<const CurvaturePoint>& point);

private:
  struct Lane {
    DoubleDouble loss = 0.0;
    double weight = 0, slope = 0, squares = 0, response = 0, curved = 0; // curved: sum v c
    Index rows = 0;
    std::vector<double> gradient, first, products; // sum v l' x, sum v c x, sum v c x x'

    void clear(Index p);
  };
  template <class Rows>
  void visit(const Rows& rows, const CurvaturePoint& point, Index l, Lane& lane) const;
  Curvature gather(const std::shared_ptr<const CurvaturePoint>& point) const;

  const HeldRows& rows_;
  Pool& pool_;
  std::vector<double> y_;
  std::vector<Lane> lanes_;
};

} // namespace recta
