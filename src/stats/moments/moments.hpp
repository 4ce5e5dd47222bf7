// Statistics of each column by itself: the count of its numbers, their weighted mean and scatter, minimum and maximum.
// Missing numbers (NaN) are counted and otherwise left out, separately for each column; infinities are left out too,
// and counted separately.
//
//   W_j = sum v_i,  m_j = sum v_i x_ij / W_j,  M_j = sum v_i (x_ij - m_j)^2     over the rows where x_ij is present
//
// All sums are double-double, row by row about the running mean (West 1979), joined as in gram.hpp: the error is about
// 2^-100 of M_j, so integers of any size that a double holds give the exact mean and scatter, rounded once.
#pragma once

#include "base/double_double.hpp"
#include "stats/accumulator.hpp"

#include <limits>
#include <vector>

namespace recta {

struct ColumnMoments {
  Index count = 0;    // rows of positive weight with a number
  Index missing = 0;  // with NaN
  Index infinite = 0; // with an infinity
  Index zeros = 0;
  DoubleDouble weight, mean, scatter;
  double least = std::numeric_limits<double>::infinity(), largest = -std::numeric_limits<double>::infinity();

  double variance() const; // scatter / weight; 0 without numbers

  void add(double value, double v);
  void add_zeros(Index rows, DoubleDouble v); // that many at once
  void merge(const ColumnMoments& other);
};

// Moments of the columns of x, then of the targets minus offset.
struct Moments : Saved<Moments> {
  Index cols = 0, targets = 0;
  std::vector<ColumnMoments> columns;

  Moments() = default;
  Moments(Index cols, Index targets);

  void accumulate(const Batch& batch);
  void merge(const Moments& other);
  static constexpr std::string_view kTag = "mome", kName = "column moments";
  static void fields(auto& s, auto& io) {
    io(s.cols, s.targets);
    io.require(io.possible(s.cols) && io.possible(s.targets));
    if (io.good()) io.make_room(s.cols + s.targets, s.columns);
    for (auto& c : s.columns) {
      io(c.count, c.missing, c.infinite, c.zeros, c.weight, c.mean, c.scatter, c.least, c.largest);
      io.require(c.zeros >= 0 && c.zeros <= c.count && c.missing >= 0 && c.infinite >= 0 && c.weight.hi >= 0);
      io.require(!std::isnan(c.mean.hi) && !std::isnan(c.scatter.hi) && !std::isnan(c.least) && !std::isnan(c.largest));
    }
  }

  bool finite() const { return true; } // whatever the rows hold: missing numbers are counted, not refused
  bool same_kind(const Moments& other) const;
};

} // namespace recta
