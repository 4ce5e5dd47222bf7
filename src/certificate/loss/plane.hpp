// The proof that a logistic likelihood has no finite maximum: a direction (q, q_b) with m_i = y_i (<q, x_i> + q_b) >= 0
// in every row and above zero in some. Along it no row's loss rises, and those of some fall for ever (Albert and
// Anderson 1984). All m_i > 0: the classes are separated completely; else the rows with m_i = 0 lie on the plane.
//
// Margins are summed in double-double, their error below 2^-96 of the sum of |terms|: signs beyond that are certain. A
// zero is exact where the numbers have few bits - multiples of 2^-20 below 2^30 times those of 2^-12 - and otherwise
// one to rounding. A solver's direction is rounded, so next to it itself its multiples in which one part is 1 are
// tried, every part a multiple of 2^-12.
#pragma once

#include "base/pool.hpp"
#include "design/batch.hpp"
#include "design/row_source.hpp"

#include <recta/certificate.hpp>
#include <recta/trace.hpp>

namespace recta {

struct SeparatingPlane {
  bool found = false;
  bool exact = true;                       // every zero is one, not only to rounding
  std::vector<double> direction = {};      // p, then that of the intercept
  Index rows = 0, on_plane = 0, apart = 0; // rows of positive weight; with m = 0; with m > 0
  Index passes = 0;

  bool complete() const { return found && on_plane == 0; }
};

// <q, x_i> + q_b, summed in double-double, for the direction q, the intercept's last.
struct PlaneMargin {
  double sum = 0, size = 0; // size: the sum of the terms' absolute values
  bool few_bits = true;     // in every number: a zero is then exact

  bool zero() const;
};
PlaneMargin margin_of(const std::variant<MatrixView, SparseView>& x, Index i, const std::vector<double>& direction);

// `direction`: p numbers and that of the intercept. `as_it_is`: no others are tried.
Result<SeparatingPlane> find_plane(const std::vector<double>& direction, bool as_it_is, RowSource& rows, Pool& pool,
                                   const Watch& watch = {});

} // namespace recta
