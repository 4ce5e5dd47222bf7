// The numbers that the interior point method keeps per row. Rows that are elsewhere keep none: theirs are computed
// again from the steps so far, which costs two products of a row with a vector per step, little beside the Gram of a
// pass.
#pragma once

#include "loss/row_loss.hpp"
#include "solver/interior_point/piece_state.hpp"
#include "stats/present_block.hpp"

namespace recta {

struct PieceDirection {
  std::vector<double> w;
  double b = 0;
};

// A step of the method, which every row has taken.
struct TakenStep {
  PieceDirection affine, along; // of the predictor, and of both together
  double target = 0, primal = 0, dual = 0;
};

// One entry per row, and one state per piece and row.
struct PieceMemory {
  std::vector<loss::Piece> pieces;
  double weight = 1, start = 1;            // of all rows; the size that r+ and r- begin with
  std::vector<double> rest, along, affine; // y - offset - z, a'step, a'step of the predictor
  std::vector<std::vector<PieceState>> states;
  bool begun = false;

  bool recalls = false;             // nothing is kept of rows, except what follows
  PieceDirection first, affine_now; // the point that the method began at; the predictor of the step that is sought
  std::vector<TakenStep> taken;

  void resize(Index rows);
  void begin(std::size_t row); // the states of a row, from its rest
  void take_step(std::size_t row, double target, double primal, double dual);
  // What would have been kept of the rows of a block, numbered as in the block.
  void recall(const PieceMemory& steps, const PresentBlock& block);
};

} // namespace recta
