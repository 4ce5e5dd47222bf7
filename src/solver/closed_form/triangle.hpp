// R of the QR factorisation of [X, y], rows weighted by sqrt(v) and X, y about given centres: gathered in blocks, so
// that memory does not grow with the rows (TSQR: Demmel, Grigori, Hoemmen, Langou 2012). R'R is the Gram, but the
// digits lost are those of X, not of X'X. Cost 2 n d^2.
#pragma once

#include "stats/accumulator.hpp"

#include <memory>
#include <vector>

namespace recta {

struct Triangle : Saved<Triangle> {
  Index cols = 0, targets = 0;
  std::shared_ptr<const std::vector<double>> centre; // d: subtracted from x and from y - offset
  Index rows = 0;                                    // held: at most 4 d, the first min(rows, d) in triangular form
  std::vector<double> held;                          // row by row, d numbers each

  Triangle() = default;
  Triangle(Index cols, Index targets, std::vector<double> centre);
  Index size() const { return cols + targets; }

  void accumulate(const Batch& batch);
  void merge(const Triangle& other);
  static constexpr std::string_view kTag = "tria", kName = "triangle";
  // Without the centre.
  static void fields(auto& s, auto& io) {
    io(s.cols, s.targets, s.rows);
    constexpr Index kMost = Index{1} << 30;
    io.require(0 <= s.cols && s.cols < kMost && 0 <= s.targets && s.targets < kMost);
    if (io.good()) io.numbers({s.rows, s.size()}, s.held);
  }

  Index run_blocks() const { return size() > 128 ? 4 : 1; } // a large state holds the rows of several blocks

  void compress(); // to at most d rows
  // The rows held, by column: `rows` x d.
  std::vector<double> by_column() const;

private:
  void add_row(const double* row);
};

} // namespace recta
