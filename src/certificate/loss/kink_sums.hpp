// One pass over the rows for the proof of an answer under a loss of straight lines: rows away from the kinks have the
// one dual variable that there is, rows near them are kept, to be given theirs together.
#pragma once

#include "base/double_double.hpp"
#include "certificate/loss/said_constant.hpp"
#include "loss/row_loss.hpp"
#include "stats/gram/gram.hpp"
#include "stats/present_block.hpp"

#include <memory>

namespace recta {

struct KinkPoint {
  std::vector<loss::Piece> pieces;
  std::vector<double> w, w_low; // low: empty for zeros
  DoubleDouble b = 0.0;
  double z_error = 0; // z of a row of weight v may be off by z_error / sqrt(v), besides what is always allowed for
  std::vector<SaidConstant> constant = {}; // see said_constant.hpp
  double near = 0;                         // distance from a kink up to which a row is kept
  std::size_t most = 0;                    // rows that are kept at most; more are counted only
  bool gather = false;                     // the Gram
  // Rows near a kink are not kept, but have d = <q, x - m> + q_b between the two slopes; the Gram is that of those to
  // which the slopes leave room.
  bool spread = false;
  std::vector<double> q, centre; // p; centre may be empty
  double q_b = 0;
};

// One piece of one row: y - z - shift, which is `off` away from the kink.
struct NearRow {
  std::vector<double> x, x_low; // low: empty for zeros
  double off = 0, weight = 0, low = 0, high = 0;
};

struct KinkSums : Saved<KinkSums> {
  static constexpr double kRounding = 0x1p-80;

  std::shared_ptr<const KinkPoint> point;
  Index cols = 0, rows = 0, count = 0;               // count: pieces that are near
  DoubleDouble weight, value, sum, residual_squares; // sum v loss; sum v d and sum v d x of what is not kept
  DoubleDouble squares;                              // sum v d^2 of the same
  double near_gap = 0;                               // the cost of d of the rows near a kink, if it is spread
  double sum_abs = 0, distance = 0;                  // sum v |d|, sum v |r|
  double blur = 0;                                   // sum v of what r is off by, at most
  std::vector<double> gradient, gradient_low, gradient_abs;
  std::vector<Index> varying; // per column said to be constant: numbers that are another
  std::vector<NearRow> near;
  Gram gram;

  KinkSums() = default;
  explicit KinkSums(std::shared_ptr<const KinkPoint> at);

  struct Workspace {
    PresentBlock block;
    std::vector<double> z, z_low, v_d, v_d_low, weight, along;
    Gram::Workspace gram;
  };
  void accumulate(const Batch& batch);
  void accumulate(const Batch& batch, Workspace& room);
  void merge(const KinkSums& other);
  static constexpr std::string_view kTag = "kink", kName = "kinks of a loss";
  // Without the point.
  static void fields(auto& s, auto& io) {
    io(s.cols, s.rows, s.count);
    io.each(io.size(s.varying), s.varying);
    io(s.weight, s.value, s.sum, s.residual_squares, s.squares, s.sum_abs, s.distance, s.near_gap, s.blur);
    io.require(s.rows >= 0);
    io.numbers(s.cols, s.gradient, s.gradient_low, s.gradient_abs);
    io.state(s.gram);
    io.make_room(io.size(s.near), s.near);
    for (auto& row : s.near) {
      io(row.off, row.weight, row.low, row.high);
      io.numbers(s.cols, row.x);
      const Index lows = io.size(row.x_low);
      io.require(lows == 0 || lows == s.cols);
      io.each(lows, row.x_low);
    }
  }
  bool finite() const { return true; }
  Index leaf_blocks() const { return point->gather ? gram.leaf_blocks() : 1; }
  void accumulate(const Batch& batch, Pool& pool);
  void merge(const KinkSums& other, Pool& pool);

private:
  void rows_of(const Batch& batch, Workspace& room);
  void keep(const PresentBlock& block, Index i, double off, const loss::Piece& piece);
  void along(Workspace& room) const;
  double near_row(Workspace& room, std::size_t i, double off, const loss::Piece& piece);
  const std::vector<double>& gram_weights(const Workspace& room) const;
  void merge_sums(const KinkSums& other);
};

// The largest |D (x - m)| of a row, with the intercept's part.
struct LongestRow : Saved<LongestRow> {
  std::shared_ptr<const std::vector<double>> unit, centre; // p; centre may be empty
  double intercept = 0;
  double square = 0;

  void accumulate(const Batch& batch);
  void merge(const LongestRow& other) { square = std::max(square, other.square); }
  bool finite() const { return true; }
  static constexpr std::string_view kTag = "long", kName = "longest row";
  static void fields(auto& s, auto& io) { io(s.square); }
};

} // namespace recta
