#include "solver/block_descent/block_set.hpp"

#include "base/blas.hpp"

namespace recta::descent {

void BlockSet::make_room(Index kept) {
  if (columns() <= stride_) return;
  const Index stride = std::max(columns() + columns() / 4, Index{64});
  std::vector<double> larger(static_cast<std::size_t>(stride * stride));
  for (Index j = 0; j < kept; ++j) std::copy_n(column(j), kept, larger.data() + j * stride);
  gram_ = std::move(larger);
  stride_ = stride;
}

void BlockSet::add(std::span<const Index> ids, const Groups& columns_of) {
  const Index kept = columns();
  const std::size_t first = ids_.size();
  for (const Index id : ids) {
    ids_.push_back(id);
    columns_.insert(columns_.end(), columns_of[id].begin(), columns_of[id].end());
    start_.push_back(columns());
  }
  make_room(kept);
  products_(columns_, kept, gram_.data(), stride_);
  for (std::size_t i = first; i < ids_.size(); ++i)
    steps_.emplace_back(size(i), column(start_[i]) + start_[i], stride_);
}

std::vector<double> BlockSet::read(const std::vector<double>& from, std::size_t i) const {
  std::vector<double> out;
  for (Index t = 0; t < targets_; ++t) {
    const double* first = from.data() + t * columns() + start_[i];
    out.insert(out.end(), first, first + size(i));
  }
  return out;
}

void BlockSet::move(std::size_t i, std::span<const double> by) {
  const Index s = columns(), m = size(i);
  for (Index t = 0; t < targets_; ++t)
    for (Index c = 0; c < m; ++c)
      if (const double step = by[c + t * m]; step != 0)
        blas::axpy(s, -step, column(start_[i] + c), point_->q.data() + t * s);
}

Index BlockSet::sweep(bool in_use_only) {
  Index changed = 0;
  for (std::size_t i = 0; i < ids_.size(); ++i) {
    std::vector<double> u = read(point_->u, i), rho = read(point_->q, i);
    const bool used = norm_of(u) > 0;
    if (!used && (in_use_only || norm_of(rho) <= blocks_[i]->l1)) continue;
    const Index m = size(i);
    blas::gemm(blas::Op::plain, blas::Op::plain, m, targets_, m, 1, {column(start_[i]) + start_[i], stride_},
               {u.data(), m}, 1, {rho.data(), m});
    std::vector<double> next(u.size());
    steps_[i].minimise(*blocks_[i], rho, next);
    for (Index t = 0; t < targets_; ++t)
      std::copy_n(next.data() + t * m, m, point_->u.data() + t * columns() + start_[i]);
    changed += used != (norm_of(next) > 0);
    for (std::size_t at = 0; at < u.size(); ++at) next[at] -= u[at];
    move(i, next);
  }
  return changed;
}

double BlockSet::worst() const {
  double most = 0;
  for (std::size_t i = 0; i < ids_.size(); ++i)
    most = std::max(most, violation(*blocks_[i], read(point_->u, i), read(point_->q, i)));
  return most;
}

bool BlockSet::newton(double goal, const Stop& stop) {
  constexpr int kSteps = 30;
  std::vector<SmoothBlock> used;
  for (std::size_t i = 0; i < ids_.size(); ++i)
    if (norm_of(read(point_->u, i)) > 0) used.push_back({start_[i], size(i), blocks_[i]});
  if (used.empty()) return true;
  Newton work(std::move(used), {gram_.data(), stride_}, columns(), targets_);
  int slow = 0; // steps that did not halve what is left
  double before = worst();
  for (int step = 0; step < kSteps && !stop(); ++step) {
    const Newton::Taken taken = work.step(point_->u, point_->q);
    if (taken == Newton::Taken::none) return true;
    if (taken == Newton::Taken::shortened) return false;
    const double now = worst();
    slow += now > 0.5 * before ? 1 : 0;
    if (now <= goal || slow > 2) return true;
    before = now;
  }
  return false;
}

Index BlockSet::solve(std::span<const Block> blocks, double goal, Point& point, const Stop& stop) {
  constexpr Index kRounds = 200, kSweeps = 10;
  point_ = &point;
  blocks_.clear();
  for (const Index id : ids_) blocks_.push_back(&blocks[id]);
  Index sweeps = 0;
  bool ended = false;
  for (Index round = 0; round < kRounds && !stop(); ++round) {
    const Index changed = sweep(false);
    ++sweeps;
    if (worst() <= goal || (ended && changed == 0)) break;
    for (Index i = 0; i < kSweeps && !stop(); ++i, ++sweeps)
      if (sweep(true) == 0 && i > 0) break;
    ended = newton(goal, stop);
    if (worst() <= goal) break;
  }
  return sweeps;
}

} // namespace recta::descent
