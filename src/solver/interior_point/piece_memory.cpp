#include "solver/interior_point/piece_memory.hpp"

#include "base/numbers.hpp"

namespace recta {
namespace {

void score(const PresentBlock& block, const PieceDirection& by, std::vector<double>& out) {
  block.row_dots(by.w.data(), out.data());
  for (double& one : out) one += by.b;
}

} // namespace

void PieceMemory::resize(Index rows) {
  for (auto* each : {&rest, &along, &affine}) each->assign(at(rows), 0.0);
  states.assign(pieces.size(), std::vector<PieceState>(at(rows)));
}

void PieceMemory::begin(std::size_t row) {
  for (std::size_t k = 0; k < pieces.size(); ++k) {
    const double off = rest[row] - pieces[k].shift;
    states[k][row] = {std::max(off, 0.0) + start, std::max(-off, 0.0) + start, (pieces[k].low + pieces[k].high) / 2};
  }
}

void PieceMemory::take_step(std::size_t row, double target, double primal, double dual) {
  for (std::size_t k = 0; k < pieces.size(); ++k) {
    PieceState& s = states[k][row];
    const PieceBounds bounds{pieces[k].low, pieces[k].high};
    const PieceSystem before(s, bounds, rest[row] - pieces[k].shift);
    const PieceStep step = whole_step(before, s, target, affine[row], along[row]);
    s.plus += primal * step.plus;
    s.minus += primal * step.minus;
    s.d += dual * step.d;
    s.keep_inside(bounds);
  }
  rest[row] -= primal * along[row];
}

void PieceMemory::recall(const PieceMemory& steps, const PresentBlock& block) {
  pieces = steps.pieces, weight = steps.weight, start = steps.start, begun = true;
  resize(block.rows());
  score(block, steps.first, rest);
  for (std::size_t i = 0; i < rest.size(); ++i) {
    rest[i] = block.y[i] - block.offset[i] - rest[i];
    begin(i);
  }
  for (const TakenStep& one : steps.taken) {
    score(block, one.affine, affine);
    score(block, one.along, along);
    for (std::size_t i = 0; i < rest.size(); ++i) take_step(i, one.target, one.primal, one.dual);
  }
  if (!steps.affine_now.w.empty()) score(block, steps.affine_now, affine);
}

} // namespace recta
