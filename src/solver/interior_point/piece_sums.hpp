// The sums of one pass of the interior point method over the rows.
#pragma once

#include "solver/interior_point/piece_memory.hpp"
#include "stats/gram/gram.hpp"

#include <memory>

namespace recta {

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

struct PieceSums : Saved<PieceSums> {
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
    PieceMemory recalled; // of the rows of the block, if nothing is kept
    Gram::Workspace gram;
  };
  void accumulate(const Batch& batch);
  void accumulate(const Batch& batch, Workspace& room);
  void merge(const PieceSums& other);
  static constexpr std::string_view kTag = "piec", kName = "pieces of a loss";
  // Without the job.
  static void fields(auto& s, auto& io) {
    const Index size = io.size(s.right);
    io.require(size > 0);
    io.numbers(size, s.right, s.centring, s.dual);
    io(s.gap, s.lack, s.loss, s.shares, s.by_primal, s.by_dual, s.by_both, s.reach.primal, s.reach.dual);
    io.state(s.gram);
  }
  bool finite() const { return true; }
  Index leaf_blocks() const { return job->kind == PieceJob::Kind::normal ? gram.leaf_blocks() : 1; }
  void accumulate(const Batch& batch, Pool& pool);
  void merge(const PieceSums& other, Pool& pool);

private:
  void rows_of(Workspace& room);
  void row_of(PieceMemory& memory, std::size_t at, Workspace& room, std::size_t i);
  void normal_row(PieceMemory& memory, std::size_t at, double share, Workspace& room, std::size_t i);
  void affine_row(PieceMemory& memory, std::size_t at, double share, Workspace& room, std::size_t i);
  void merge_sums(const PieceSums& other);
};

} // namespace recta
