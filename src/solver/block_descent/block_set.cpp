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
    blas::gemm(1, {column(start_[i]) + start_[i], m, m, stride_}, {u.data(), m, targets_}, 1,
               {rho.data(), m, targets_});
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

double BlockSet::worst(bool in_use_only) const {
  double most = 0;
  for (std::size_t i = 0; i < ids_.size(); ++i) {
    const std::vector<double> u = read(point_->u, i);
    if (in_use_only && norm_of(u) == 0) continue;
    most = std::max(most, violation(*blocks_[i], u, read(point_->q, i)));
  }
  return most;
}

bool BlockSet::newton(double goal, const AskToStop& stop) {
  constexpr int kSteps = 30;
  const auto begin = [&] {
    std::vector<SmoothBlock> used;
    for (std::size_t i = 0; i < ids_.size(); ++i)
      if (norm_of(read(point_->u, i)) > 0) used.push_back({start_[i], size(i), blocks_[i]});
    return Newton(std::move(used), {gram_.data(), columns(), columns(), stride_}, targets_);
  };
  Newton work = begin();
  int slow = 0; // steps that did not halve the worst violation
  double before = worst(true);
  for (int step = 0; step < kSteps && !stop();) {
    const Newton::Taken outcome = work.step(point_->u, point_->q);
    if (outcome == Newton::Taken::none) return true;
    if (outcome == Newton::Taken::shortened) return false;
    if (outcome == Newton::Taken::landed) { // at most once per block
      work = begin();
      before = worst(true);
      continue;
    }
    ++step;
    const double now = worst(true);
    slow += now > 0.5 * before ? 1 : 0;
    if (now <= goal || slow > 2) return true;
    before = now;
  }
  return false;
}

// The decrease of the cost at the other point: between two points the squares change by the mean of their gradients.
double BlockSet::gain(const Extrapolation::Point& other) const {
  double gain = 0;
  for (std::size_t i = 0; i < ids_.size(); ++i) {
    const std::vector<double> u = read(point_->u, i), v = read(other.u, i), q = read(point_->q, i),
                              p = read(other.q, i);
    for (std::size_t at = 0; at < u.size(); ++at) gain += (v[at] - u[at]) * (q[at] + p[at]) / 2;
    const double before = norm_of(u), after = norm_of(v);
    gain += blocks_[i]->l1 * (before - after) + blocks_[i]->l2 * (before - after) * (before + after) / 2;
  }
  return gain;
}

// The blocks in use alone, with their products side by side, starting at the point where this set is.
BlockSet BlockSet::in_use(Point& point) const {
  BlockSet out(targets_, {});
  std::vector<Index> places;
  for (std::size_t i = 0; i < ids_.size(); ++i) {
    if (norm_of(read(point_->u, i)) == 0) continue;
    out.ids_.push_back(static_cast<Index>(i));
    out.steps_.push_back(steps_[i]);
    out.blocks_.push_back(blocks_[i]);
    for (Index c = start_[i]; c < start_[i + 1]; ++c) out.columns_.push_back(c);
    out.start_.push_back(out.columns());
  }
  out.stride_ = out.columns();
  for (const Index c : out.columns_)
    for (const Index r : out.columns_) out.gram_.push_back(column(c)[r]);
  for (Index t = 0; t < targets_; ++t)
    for (const Index c : out.columns_) {
      point.u.push_back(point_->u[c + t * columns()]);
      point.q.push_back(point_->q[c + t * columns()]);
    }
  return out;
}

// Moves to where the blocks in use have gone.
void BlockSet::follow(const BlockSet& part, const Point& point) {
  for (Index t = 0; t < targets_; ++t)
    for (Index a = 0; a < part.columns(); ++a) {
      const Index c = part.columns_[a];
      double& u = point_->u[c + t * columns()];
      const double next = point.u[a + t * part.columns()];
      if (next != u) blas::axpy(columns(), u - next, column(c), point_->q.data() + t * columns());
      u = next;
    }
}

// Sweeps over the blocks in use as long as that promises to end sooner than Newton steps would; both are counted in
// operations, so that no clock decides. True: the goal is reached.
bool BlockSet::settle(double goal, Index& sweeps, const AskToStop& stop) {
  constexpr Index kBack = 6, kMost = 1000;
  std::vector<double> left;
  Extrapolation ahead;
  for (Index i = 0; i < kMost && !stop(); ++i, ++sweeps) {
    const Index changed = sweep(true);
    left.push_back(worst(true));
    if (left.back() <= goal) return true;
    if (changed > 0) ahead.forget();
    ahead.add(point_->u, point_->q);
    if (ahead.full()) {
      if (auto there = ahead.point(); there && gain(*there) > 0)
        std::swap(point_->u, there->u), std::swap(point_->q, there->q);
      ahead.forget();
    }
    if (i < 2 * kBack || (changed > 0 && i < 10 * kBack)) continue;
    const double rate = std::pow(left[i] / left[i - kBack], 1.0 / kBack);
    if (rate >= 1 || std::log(goal / left[i]) / std::log(rate) > newton_in_sweeps()) return false;
  }
  return false;
}

// The number of sweeps over the blocks in use that cost as much as the expected Newton steps.
double BlockSet::newton_in_sweeps() const {
  constexpr double kSteps = 3, kSlower = 8; // an operation of a sweep waits for memory
  Index count = 0;
  for (std::size_t i = 0; i < ids_.size(); ++i)
    if (norm_of(read(point_->u, i)) > 0) count += size(i);
  const auto used = static_cast<double>(count);
  const double newton = kSteps * used * used * used * (targets_ == 1 ? 1.0 / 3 : 4.0 / 3);
  return newton / (kSlower * std::max(1.0, used) * static_cast<double>(columns() * targets_));
}

Index BlockSet::solve(std::span<const Block> blocks, double goal, Point& point, const AskToStop& stop) {
  constexpr Index kRounds = 200;
  constexpr double kCheap = 10; // sweeps: where Newton steps cost no more they are taken anyway, to the very end
  point_ = &point;
  blocks_.clear();
  for (const Index id : ids_) blocks_.push_back(&blocks[id]);
  Index sweeps = 0;
  bool ended = false;
  for (Index round = 0; round < kRounds && !stop(); ++round) {
    const Index changed = sweep(false);
    ++sweeps;
    if ((ended || newton_in_sweeps() >= kCheap) && worst(false) <= goal) break;
    if (ended && changed == 0) break;
    Point of_part;
    BlockSet part = in_use(of_part);
    part.point_ = &of_part;
    const bool settled = part.settle(goal, sweeps, stop);
    follow(part, of_part);
    const bool cheap = newton_in_sweeps() < kCheap;
    ended = (!settled || cheap) && newton(cheap ? 0 : goal, stop);
    if (worst(false) <= goal) break;
  }
  return sweeps;
}

} // namespace recta::descent
