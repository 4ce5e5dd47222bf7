// Weighted means and scatter of z = [x, y - offset]: everything that least squares, ridge, the lasso and their
// cross-validation need to know about the rows.
//
//   W = sum v_i,  m = sum v_i z_i / W,  C = sum v_i (z_i - m)(z_i - m)'
//
// A block is centred on its own mean before its products are summed; blocks are joined by
//   C = C_a + C_b + d d' W_a W_b / W,  d = m_b - m_a         (Chan, Golub, LeVeque 1979)
// in double-double, so the error is that of one block. Never sum x x' - n m m'.
// Cost: n d^2 multiply-adds, plus d^2 per block. Rows of weight zero are absent.
#pragma once

#include "stats/accumulator.hpp"
#include "stats/aligned.hpp"
#include "stats/precision.hpp"

#include <vector>

namespace recta {

struct Gram {
  Index cols = 0, targets = 0; // p, k; d = p + k
  Precision precision = Precision::standard;
  Index rows = 0;                     // with positive weight
  double weight = 0, weight_low = 0;  // W as high and low part
  std::vector<double> mean, mean_low; // d
  // d x d by column, lower triangle only, zeros above. Both are filled from the first row on and empty before.
  LargeVector scatter, scatter_low;

  Gram() = default;
  Gram(Index cols, Index targets, Precision precision = Precision::standard);
  Index size() const { return cols + targets; }

  struct Workspace {
    Room packed, sums;
  };

  void accumulate(const Batch& batch);
  void accumulate(const Batch& batch, Workspace& room);
  void merge(const Gram& other);
  std::string to_bytes() const;
  static Result<Gram> from_bytes(std::string_view bytes);

  // From 500 columns on, tiles of the scatter are shared among threads, and two blocks go into one state.
  Index leaf_blocks() const;
  void accumulate(const Batch& batch, Pool& pool);
  void merge(const Gram& other, Pool& pool);

  bool finite() const;
  bool same_kind(const Gram& other) const;
};

} // namespace recta
