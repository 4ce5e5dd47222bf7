// The sums of one pass of the interior point method over the rows, and the numbers that it keeps per row.
#pragma once

#include "loss/row_loss.hpp"
#include "solver/interior_point/piece_state.hpp"
#include "stats/gram/gram.hpp"
#include "stats/present_block.hpp"

#include <memory>

namespace recta {

// One entry per row, and one state per piece and row.
struct PieceMemory {
  std::vector<loss::Piece> pieces;
  double weight = 1, start = 1;            // of all rows; the size that r+ and r- begin with
  std::vector<double> rest, along, affine; // y - offset - z, a'step, a'step of the predictor
  std::vector<std::vector<PieceState>> states;
  bool begun = false;

  void resize(Index rows) {
    for (auto* each : {&rest, &along, &affine}) each->assign(static_cast<std::size_t>(rows), 0.0);
    states.assign(pieces.size(), std::vector<PieceState>(static_cast<std::size_t>(rows)));
  }
};

struct PieceJob {
  // begin: residuals at (w, b), and their mean size. normal: takes the last step, then computes the Gram and right side
  // of the predictor. affine: the predictor along (w, b), and the right side of the corrector. advance: how far (w, b)
  // may go. value: the loss at (w, b).
  enum class Kind : std::uint8_t { begin, normal, affine, advance, value };
  Kind kind = Kind::begin;
  std::shared_ptr<PieceMemory> memory; // every row is written by the one block that holds it
  std::vector<double> w;
  double b = 0;
  double primal = 0, dual = 0, target = 0; // of the next step
  bool pending = false;
};

struct PieceSums {
  static constexpr bool kKeepsRows = true;

  std::shared_ptr<const PieceJob> job;
  Gram gram;                                      // weights v / W sum 1 / h
  std::vector<double> right, centring, dual;      // p, then the intercept
  double gap = 0, lack = 0, loss = 0, shares = 0; // sum s (p r+ + m r-), sum s |residual of the split|
  double by_primal = 0, by_dual = 0, by_both = 0; // how the gap changes with the lengths of the predictor
  Reach reach;

  PieceSums() = default;
  explicit PieceSums(std::shared_ptr<const PieceJob> made);

  void add(const PieceState& state, const PieceBounds& bounds, double rest, double share);
  void add_affine(const PieceState& state, const PieceBounds& bounds, double rest, double share, double along);

  struct Workspace {
    PresentBlock block;
    std::vector<double> along, weight, right, centring, dual;
    Gram::Workspace gram;
  };
  void accumulate(const Batch& batch);
  void accumulate(const Batch& batch, Workspace& room);
  void merge(const PieceSums& other);
  std::string to_bytes() const;
  static Result<PieceSums> from_bytes(std::string_view bytes); // without the job
  bool finite() const { return true; }
  Index leaf_blocks() const { return job->kind == PieceJob::Kind::normal ? gram.leaf_blocks() : 1; }
  void accumulate(const Batch& batch, Pool& pool);
  void merge(const PieceSums& other, Pool& pool);

private:
  void rows_of(Workspace& room);
  void normal_row(std::size_t at, double share, Workspace& room, std::size_t i);
  void affine_row(std::size_t at, double share, Workspace& room, std::size_t i);
  void merge_sums(const PieceSums& other);
};

} // namespace recta
