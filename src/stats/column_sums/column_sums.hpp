// Weighted sums and squares of every column of [x, y - offset], in double-double: the part of a Gram that remains when
// there are too many columns for their products. About the means: C_jj = sum v z^2 - W m^2, which is safe here because
// 106 bits are kept.
#pragma once

#include "base/double_double.hpp"
#include "stats/accumulator.hpp"

#include <span>
#include <vector>

namespace recta {

struct ColumnSums : Saved<ColumnSums> {
  Index cols = 0, targets = 0;
  Index rows = 0;    // with positive weight
  Index end_row = 0; // number after the last row of any weight
  DoubleDouble weight = 0.0;
  std::vector<DoubleDouble> sum, squares; // p + k

  ColumnSums() = default;
  ColumnSums(Index cols, Index targets);
  ColumnSums blank() const { return {cols, targets}; }
  Index size() const { return cols + targets; }

  DoubleDouble mean(Index z) const { return by_weight(sum[z]); }
  DoubleDouble by_weight(DoubleDouble a) const { return weight.lo == 0 ? a / weight.hi : a / weight; }
  DoubleDouble spread(Index z) const { return spread(z, mean(z)); } // sum v (z - mean)^2; 0: it is constant
  DoubleDouble spread(Index z, DoubleDouble its_mean) const;
  double deviation(Index z) const; // sqrt(spread / W)
  bool constant(Index z, bool centred) const;

  void accumulate(const Batch& batch);
  bool finite() const; // infinite or NaN only if a row brought it, or squares overflowed
  void merge(const ColumnSums& other);
  static constexpr bool kColumnwise = true;
  Index leaf_blocks() const { return 1; }
  Index run_blocks() const { return usual_run(cols); }
  void accumulate(const Batch& batch, Pool& pool);
  void accumulate_columns(const Batch& columns, Pool& pool);
  void merge(const ColumnSums& other, Pool&) { merge(other); }
  static constexpr std::string_view kTag = "sums", kName = "column sums";
  static void fields(auto& s, auto& io) {
    io(s.cols, s.targets, s.rows, s.end_row);
    io.require(io.possible(s.cols) && io.possible(s.targets) && s.rows >= 0 && s.end_row >= s.rows);
    if (!io.good()) return;
    io.length(2 + 4 * s.size());
    io(s.weight);
    io.make_room(s.size(), s.sum, s.squares);
    for (std::size_t z = 0; z < s.squares.size(); ++z) io(s.sum[z], s.squares[z]);
  }

private:
  static bool by_columns(const Batch& batch); // otherwise row by row
  void add_columns(const MatrixView& x, std::span<const double> weight, Index first, Index count);
  void add_compressed(const SparseView& x, Index first, Index end);
  void add_rows(const Batch& batch, bool features); // targets and weights, and the features if asked for
};

} // namespace recta
