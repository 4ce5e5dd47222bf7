#include "solver/interior_point/piece_sums.hpp"

#include "stats/state_bytes.hpp"

namespace recta {
namespace {

using Kind = PieceJob::Kind;

PieceBounds bounds_of(const loss::Piece& piece) {
  return {piece.low, piece.high};
}

// The step of predictor and corrector together.
PieceStep whole_step(const PieceSystem& at, const PieceState& s, double target, double affine, double along) {
  const PieceStep aff = at.step(s, -at.p * s.plus, -at.m * s.minus, affine);
  return at.step(s, target - at.p * s.plus + aff.d * aff.plus, target - at.m * s.minus - aff.d * aff.minus, along);
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

void PieceSums::normal_row(std::size_t at, double share, Workspace& room, std::size_t i) {
  PieceMemory& memory = *job->memory;
  double& rest = memory.rest[at];
  const double before = rest;
  if (job->pending) rest -= job->primal * memory.along[at];
  for (std::size_t k = 0; k < memory.pieces.size(); ++k) {
    PieceState& s = memory.states[k][at];
    const loss::Piece& piece = memory.pieces[k];
    const PieceBounds bounds = bounds_of(piece);
    if (!memory.begun) {
      const double off = rest - piece.shift;
      s = {std::max(off, 0.0) + memory.start, std::max(-off, 0.0) + memory.start, (piece.low + piece.high) / 2};
    } else if (job->pending) {
      const PieceSystem old(s, bounds, before - piece.shift);
      const PieceStep step = whole_step(old, s, job->target, memory.affine[at], memory.along[at]);
      s.plus += job->primal * step.plus;
      s.minus += job->primal * step.minus;
      s.d += job->dual * step.d;
      s.keep_inside(bounds);
    }
    const PieceSystem now(s, bounds, rest - piece.shift);
    room.weight[i] += share / now.h;
    room.right[i] += share * (rest - piece.shift) / now.h;
    room.dual[i] += share * s.d;
    add(s, bounds, rest - piece.shift, share);
  }
}

void PieceSums::affine_row(std::size_t at, double share, Workspace& room, std::size_t i) {
  PieceMemory& memory = *job->memory;
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

void PieceSums::rows_of(Workspace& room) {
  const PresentBlock& block = room.block;
  PieceMemory& memory = *job->memory;
  const auto n = static_cast<std::size_t>(block.rows());
  for (auto* each : {&room.along, &room.weight, &room.right, &room.centring, &room.dual}) each->assign(n, 0.0);
  if (job->kind != Kind::normal) {
    block.row_dots(job->w.data(), room.along.data());
    for (double& along : room.along) along += job->b;
  }
  for (std::size_t i = 0; i < n; ++i) {
    const auto at = static_cast<std::size_t>(block.first_row + block.number[i]);
    const double share = block.v[i] / memory.weight;
    if (job->kind == Kind::begin) {
      memory.rest[at] = block.y[i] - block.offset[i] - room.along[i];
      loss += share * std::abs(memory.rest[at]);
    } else if (job->kind == Kind::value) {
      const double rest = block.y[i] - block.offset[i] - room.along[i];
      for (const loss::Piece& piece : memory.pieces) {
        const double off = rest - piece.shift;
        loss += share * std::max(piece.high * off, piece.low * off);
      }
    } else if (job->kind == Kind::normal) {
      normal_row(at, share, room, i);
    } else if (job->kind == Kind::affine) {
      affine_row(at, share, room, i);
    } else {
      memory.along[at] = room.along[i];
      for (std::size_t k = 0; k < memory.pieces.size(); ++k) {
        const PieceState& s = memory.states[k][at];
        const PieceSystem now(s, bounds_of(memory.pieces[k]), memory.rest[at] - memory.pieces[k].shift);
        reach.add(s, now, whole_step(now, s, job->target, memory.affine[at], room.along[i]));
      }
    }
  }
  if (job->kind != Kind::normal && job->kind != Kind::affine) return;
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

std::string PieceSums::to_bytes() const {
  StateWriter out("piec");
  out.put(static_cast<Index>(right.size()));
  for (const auto* values : {&right, &centring, &dual}) out.put(*values);
  for (const double x : {gap, lack, loss, shares, by_primal, by_dual, by_both, reach.primal, reach.dual}) out.put(x);
  out.put(std::string_view(gram.to_bytes()));
  return out.take();
}

Result<PieceSums> PieceSums::from_bytes(std::string_view bytes) {
  StateReader in("piec", bytes);
  const Index size = in.index();
  PieceSums out;
  in.require(size > 0);
  for (auto* values : {&out.right, &out.centring, &out.dual})
    if (in.good()) *values = in.numbers(size);
  for (double* x : {&out.gap, &out.lack, &out.loss, &out.shares, &out.by_primal, &out.by_dual, &out.by_both,
                    &out.reach.primal, &out.reach.dual})
    *x = in.number();
  const std::string_view part = in.text();
  if (!in.done()) return damaged_state("pieces of a loss");
  auto gram = Gram::from_bytes(part);
  if (!gram) return std::unexpected(gram.error());
  out.gram = *std::move(gram);
  return out;
}

} // namespace recta
