#include "solver/interior_point/piece_sums.hpp"

#include "stats/state_bytes.hpp"

namespace recta {
namespace {

using Kind = PieceJob::Kind;

PieceBounds bounds_of(const loss::Piece& piece) {
  return {piece.low, piece.high};
}

} // namespace

PieceSums::PieceSums(std::shared_ptr<const PieceJob> made)
    : job(std::move(made)), gram(static_cast<Index>(job->w.size()), 0), right(job->w.size() + 1),
      centring(right.size()), dual(right.size()) {}

void PieceSums::add(const PieceState& s, const PieceBounds& bounds, double rest, double share) {
  const PieceSystem at(s, bounds, rest);
  gap += share * (at.p * s.plus + at.m * s.minus);
  lack += share * std::abs(at.primal);
  shares += share;
}

void PieceSums::add_affine(const PieceState& s, const PieceBounds& bounds, double rest, double share, double along) {
  const PieceSystem at(s, bounds, rest);
  const PieceStep step = at.step(s, -at.p * s.plus, -at.m * s.minus, along);
  gap += share * (at.p * s.plus + at.m * s.minus);
  by_primal += share * (at.p * step.plus + at.m * step.minus);
  by_dual += share * (-step.d * s.plus + step.d * s.minus);
  by_both += share * (-step.d * step.plus + step.d * step.minus);
  reach.add(s, at, step);
}

void PieceSums::normal_row(PieceMemory& memory, std::size_t at, double share, Workspace& room, std::size_t i) {
  if (!memory.begun)
    memory.begin(at);
  else if (job->pending)
    memory.take_step(at, job->target, job->primal, job->dual);
  for (std::size_t k = 0; k < memory.pieces.size(); ++k) {
    const PieceState& s = memory.states[k][at];
    const PieceBounds bounds = bounds_of(memory.pieces[k]);
    const double rest = memory.rest[at] - memory.pieces[k].shift;
    const PieceSystem now(s, bounds, rest);
    room.weight[i] += share / now.h;
    room.right[i] += share * rest / now.h;
    room.dual[i] += share * s.d;
    add(s, bounds, rest, share);
  }
}

void PieceSums::affine_row(PieceMemory& memory, std::size_t at, double share, Workspace& room, std::size_t i) {
  memory.affine[at] = room.along[i];
  for (std::size_t k = 0; k < memory.pieces.size(); ++k) {
    const PieceState& s = memory.states[k][at];
    const PieceBounds bounds = bounds_of(memory.pieces[k]);
    const double rest = memory.rest[at] - memory.pieces[k].shift;
    add_affine(s, bounds, rest, share, room.along[i]);
    const PieceSystem now(s, bounds, rest);
    const PieceStep step = now.step(s, -now.p * s.plus, -now.m * s.minus, room.along[i]);
    room.right[i] +=
        share * now.rho(-now.p * s.plus + step.d * step.plus, -now.m * s.minus - step.d * step.minus) / now.h;
    room.centring[i] += share * (-1 / now.p + 1 / now.m) / now.h;
  }
}

// `at`: the place of the row in the memory; `i`: in the block.
void PieceSums::row_of(PieceMemory& memory, std::size_t at, Workspace& room, std::size_t i) {
  const PresentBlock& block = room.block;
  const double share = block.v[i] / job->memory->weight, along = room.along[i];
  const double rest = block.y[i] - block.offset[i] - along;
  switch (job->kind) {
  case Kind::begin:
    if (!memory.rest.empty()) memory.rest[at] = rest;
    loss += share * std::abs(rest);
    break;
  case Kind::value:
    for (const loss::Piece& piece : job->memory->pieces)
      loss += share * std::max(piece.high * (rest - piece.shift), piece.low * (rest - piece.shift));
    break;
  case Kind::normal:
    normal_row(memory, at, share, room, i);
    break;
  case Kind::affine:
    affine_row(memory, at, share, room, i);
    break;
  case Kind::advance:
    memory.along[at] = along;
    for (std::size_t k = 0; k < memory.pieces.size(); ++k) {
      const PieceState& s = memory.states[k][at];
      const PieceSystem now(s, bounds_of(memory.pieces[k]), memory.rest[at] - memory.pieces[k].shift);
      reach.add(s, now, whole_step(now, s, job->target, memory.affine[at], along));
    }
    break;
  }
}

void PieceSums::rows_of(Workspace& room) {
  const PresentBlock& block = room.block;
  const bool recalls = job->memory->recalls, adds_columns = job->kind == Kind::normal || job->kind == Kind::affine;
  PieceMemory& memory = recalls ? room.recalled : *job->memory;
  if (recalls && (adds_columns || job->kind == Kind::advance)) memory.recall(*job->memory, block);
  const auto n = static_cast<std::size_t>(block.rows());
  for (auto* each : {&room.along, &room.weight, &room.right, &room.centring, &room.dual}) each->assign(n, 0.0);
  if (job->kind != Kind::normal) {
    block.row_dots(job->w.data(), room.along.data());
    for (double& along : room.along) along += job->b;
  }
  for (std::size_t i = 0; i < n; ++i)
    row_of(memory, recalls ? i : static_cast<std::size_t>(block.first_row + block.number[i]), room, i);
  if (!adds_columns) return;
  for (const auto& [from, to] : {std::pair{&room.right, &right}, {&room.centring, &centring}, {&room.dual, &dual}}) {
    block.column_dots(from->data(), to->data());
    for (const double x : *from) to->back() += x;
  }
}

void PieceSums::accumulate(const Batch& batch) {
  Workspace room;
  accumulate(batch, room);
}

void PieceSums::accumulate(const Batch& batch, Workspace& room) {
  room.block.take(batch, 0);
  rows_of(room);
  if (job->kind == Kind::normal) gram.accumulate(room.block.with(room.weight, nullptr), room.gram);
}

void PieceSums::accumulate(const Batch& batch, Pool& pool) {
  Workspace room;
  room.block.take(batch, 0);
  rows_of(room);
  if (job->kind == Kind::normal) gram.accumulate(room.block.with(room.weight, nullptr), pool);
}

void PieceSums::merge_sums(const PieceSums& other) {
  for (const auto& [mine, theirs] :
       {std::pair{&right, &other.right}, {&centring, &other.centring}, {&dual, &other.dual}})
    for (std::size_t j = 0; j < mine->size(); ++j) (*mine)[j] += (*theirs)[j];
  gap += other.gap, lack += other.lack, loss += other.loss, shares += other.shares;
  by_primal += other.by_primal, by_dual += other.by_dual, by_both += other.by_both;
  reach.merge(other.reach);
}

void PieceSums::merge(const PieceSums& other) {
  merge_sums(other);
  gram.merge(other.gram);
}
void PieceSums::merge(const PieceSums& other, Pool& pool) {
  merge_sums(other);
  gram.merge(other.gram, pool);
}

} // namespace recta
