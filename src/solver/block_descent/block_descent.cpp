#include "solver/block_descent/block_descent.hpp"

#include "solver/coordinate_descent/attention.hpp"
#include "solver/coordinate_descent/dense_features.hpp"
#include "solver/coordinate_descent/eased.hpp"
#include "solver/coordinate_descent/gram_features.hpp"
#include "solver/coordinate_descent/sparse_features.hpp"

namespace recta::descent {
namespace {

constexpr Index kStalled = 60; // looks without halving the gap: more than easing a penalty ever needs

} // namespace

void BlockDescent::prepare(const GroupNormObjective& objective) {
  const Centring centring{objective.centred(), objective.intercept};
  const bool same = features_ && centring == centring_;
  if (same && standardise_ == objective.standardise && groups_ == objective.groups) return;
  if (!same) features_ = make_(centring);
  centring_ = centring;
  standardise_ = objective.standardise;
  groups_ = objective.groups;
  make_blocks(objective);
  set_ = std::make_unique<BlockSet>(
      targets(), [this](std::span<const Index> columns, Index from, double* gram, Index stride) {
        features_->products(columns, from, gram, stride);
        const auto size = static_cast<Index>(columns.size());
        for (Index j = from; j < size; ++j)
          for (Index i = 0; i <= j; ++i)
            gram[i * stride + j] = gram[j * stride + i] *= ratio_[columns[i]] * ratio_[columns[j]];
      });
  const std::size_t numbers = features_->correlation.size();
  u_.assign(numbers, 0);
  settled_u_.assign(numbers, 0);
  features_->set_residual({}, {});
  g_ = features_->correlation;
  in_set_.assign(blocks_.size(), 0);
  seen_at_.assign(blocks_.size(), 0);
  moved_ = 0;
  for (std::size_t b = 0; b < blocks_.size(); ++b) size_.push_back(norm_of(read(static_cast<Index>(b)).g));
}

void BlockDescent::make_blocks(const GroupNormObjective& objective) {
  const Features& f = *features_;
  blocks_.clear(), unit_.clear(), size_.clear();
  columns_ = {};
  ratio_.assign(f.unit.size(), 0);
  for (Index g = 0; g < groups_.count(); ++g) {
    Block& block = blocks_.emplace_back();
    double largest = 0;
    std::vector<Index> varying;
    for (const Index j : groups_[g]) {
      if (f.length[j] == 0) continue;
      varying.push_back(j);
      largest = std::max(largest, objective.standardise ? 1 : f.length[j]);
    }
    columns_.add(varying);
    const double unit = unit_.emplace_back(power_of_two_near(largest));
    for (const Index j : varying) {
      ratio_[j] = f.unit[j] / unit / (objective.standardise ? f.length[j] : 1);
      block.norm += f.norm[j] * ratio_[j] * f.norm[j] * ratio_[j];
    }
    block.norm = std::sqrt(block.norm);
  }
}

// F / target_unit^2 in the coordinates u.
void BlockDescent::set_penalties(const GroupNormObjective& objective) {
  live_.clear();
  for (Index b = 0; b < groups_.count(); ++b) {
    blocks_[b].l1 = objective.lambda1 * objective.factors[b] / unit_[b] / features_->target_unit;
    blocks_[b].l2 = objective.lambda2 / unit_[b] / unit_[b];
    if (!columns_[b].empty()) live_.push_back(b);
  }
}

const BlockPoint& BlockDescent::read(Index b) const {
  read_.u.clear(), read_.g.clear();
  for (Index t = 0; t < targets(); ++t)
    for (const Index j : columns_[b]) {
      read_.u.push_back(u_[j + t * features_->cols()]);
      read_.g.push_back(g_[j + t * features_->cols()] * ratio_[j]);
    }
  return read_;
}

void BlockDescent::renew_residual() {
  if (settled_u_ == u_) return;
  const Index p = features_->cols();
  std::vector<Index> support;
  double way = 0; // |Z (u - u')| <= sum |u_j - u'_j| |z_j|
  for (Index j = 0; j < p; ++j) {
    double apart = 0;
    bool used = false;
    for (Index at = j; at < p * targets(); at += p) {
      apart += (u_[at] - settled_u_[at]) * (u_[at] - settled_u_[at]);
      used = used || u_[at] != 0;
    }
    way += std::sqrt(apart) * ratio_[j] * features_->norm[j];
    if (used) support.push_back(j);
  }
  std::vector<double> t;
  for (Index k = 0; k < targets(); ++k)
    for (const Index j : support) t.push_back(u_[j + k * p] * ratio_[j]);
  features_->set_residual(support, t);
  settled_u_ = u_;
  moved_ += std::min(way, features_->moved);
}

void BlockDescent::look() {
  looked_.clear();
  std::vector<Index> stale, columns;
  for (const Index b : live_) {
    const double reach = (moved_ - seen_at_[b]) * blocks_[b].norm;
    if (!in_set_[b] && size_[b] + reach < blocks_[b].l1 * (1 - 1e-9)) continue;
    looked_.push_back(b);
    if (reach == 0) continue;
    stale.push_back(b);
    columns.insert(columns.end(), columns_[b].begin(), columns_[b].end());
  }
  std::ranges::sort(columns);
  features_->gradient(columns, g_);
  for (const Index b : stale) {
    seen_at_[b] = moved_;
    size_[b] = norm_of(read(b).g);
  }
}

void BlockDescent::screen(double gap) {
  const double radius = std::sqrt(2 * gap) * (1 + 1e-9);
  std::erase_if(live_, [&](Index b) {
    const double reach = moved_ - seen_at_[b] + radius;
    return !in_set_[b] && size_[b] + reach * blocks_[b].norm < blocks_[b].l1 * (1 - 1e-9);
  });
}

// Far from the answer the penalty is eased: see coordinate_descent/eased.hpp.
std::vector<Block> BlockDescent::eased_blocks() const {
  double ratio = 0;
  for (const Index b : looked_) {
    const BlockPoint& point = read(b);
    ratio = std::max(ratio, 1 + violation(blocks_[b], point.u, point.g) / blocks_[b].l1);
  }
  std::vector<Block> eased(blocks_);
  if (ratio > 2)
    for (Block& block : eased) block.l1 *= descent::eased(ratio);
  return eased;
}

// Blocks that break their condition, worst first, as many as the support suggests.
std::vector<Index> BlockDescent::urgent(std::span<const Block> blocks) const {
  std::vector<std::pair<double, Index>> violations;
  Index used = 0;
  for (const Index b : looked_) {
    const BlockPoint& point = read(b);
    if (norm_of(point.u) > 0) used += static_cast<Index>(columns_[b].size());
    if (in_set_[b]) continue;
    const double excess = violation(blocks[b], point.u, point.g);
    if (excess > 0) violations.emplace_back(-excess, b);
  }
  std::ranges::sort(violations);
  Index room = std::max(Index{100}, used / 2);
  std::vector<Index> out;
  for (const auto& [unused, b] : violations) {
    if (room <= 0) break;
    room -= static_cast<Index>(columns_[b].size());
    out.push_back(b);
  }
  std::ranges::sort(out);
  return out;
}

// One look at the data and one solve over the working set.
Index BlockDescent::improve(double gap, const BlockSet::AskToStop& stop) {
  screen(gap);
  const std::vector<Block> eased = eased_blocks();
  const std::vector<Index> added = urgent(eased);
  if (!added.empty()) set_->add(added, columns_);
  for (const Index b : added) in_set_[b] = 1;
  double worst = 0;
  for (const Index b : looked_) {
    const BlockPoint& point = read(b);
    worst = std::max(worst, violation(eased[b], point.u, point.g));
  }
  BlockSet::Point point;
  const std::vector<Index>& columns = set_->column_ids();
  const Index p = features_->cols();
  for (Index t = 0; t < targets(); ++t)
    for (const Index j : columns) {
      point.u.push_back(u_[j + t * p]);
      point.q.push_back(g_[j + t * p] * ratio_[j]);
    }
  const Index sweeps = set_->solve(eased, 0.1 * worst, point, stop);
  std::size_t at = 0;
  for (Index t = 0; t < targets(); ++t)
    for (const Index j : columns) u_[j + t * p] = point.u[at++];
  return sweeps;
}

GroupNormSolution BlockDescent::solution(const GroupNormObjective& objective) const {
  const Features& f = *features_;
  GroupNormSolution out;
  out.w.assign(u_.size(), 0);
  for (Index t = 0; t < targets(); ++t) {
    double b = objective.intercept ? f.target_mean[t] : 0;
    for (Index j = 0; j < f.cols(); ++j) {
      double& w = out.w[j + t * f.cols()];
      if (const double u = u_[j + t * f.cols()]; u != 0) w = u * ratio_[j] / f.unit[j] * f.target_unit;
      if (objective.centred()) b -= w * f.mean[j];
    }
    out.b.push_back(b);
  }
  return out;
}

GroupNormSolution BlockDescent::solve(const GroupNormObjective& objective, double tolerance, const Watch& watch) {
  const blas::SerialBlas serial;
  prepare(objective);
  set_penalties(objective);
  const double goal = tolerance * features_->target_square / 2;
  Attention attention(watch);
  Stop stop = Stop::tolerance_reached;
  Index sweeps = 0;
  Index stalled = 0; // looks since the gap was last halved
  double least = std::numeric_limits<double>::infinity();
  while (true) {
    renew_residual();
    look();
    ++attention.passes;
    const double gap = measure_gap(
        blocks_, looked_, [this](Index b) -> const BlockPoint& { return read(b); }, features_->residual_square);
    attention.gap = gap;
    if (gap <= goal || attention.stop()) break;
    stalled = gap < 0.5 * least ? 0 : stalled + 1;
    if (stalled == 0) least = gap;
    if (stalled > kStalled) {
      stop = "rounding allows no smaller gap";
      break;
    }
    sweeps += improve(gap, [&] { return attention.stop(); });
  }
  GroupNormSolution out = solution(objective);
  out.gap = attention.gap * features_->target_unit * features_->target_unit;
  out.sweeps = sweeps;
  out.passes = attention.passes;
  out.interrupted = attention.stopped();
  out.stop = out.interrupted ? Stop(Stop::interrupted) : stop;
  return out;
}

double BlockDescent::lambda1_max(const GroupNormObjective& objective) {
  const blas::SerialBlas serial;
  prepare(objective);
  const Features& f = *features_;
  double most = 0;
  for (Index b = 0; b < groups_.count(); ++b) {
    double square = 0;
    for (Index t = 0; t < targets(); ++t)
      for (const Index j : columns_[b]) {
        const double g = f.correlation[j + t * f.cols()] * ratio_[j];
        square += g * g;
      }
    most = std::max(most, std::sqrt(square) * unit_[b] * f.target_unit / objective.factors[b]);
  }
  return most;
}

} // namespace recta::descent

namespace recta {

std::unique_ptr<GroupNormSolver> group_norm_by_gram(const Gram& gram, Index first, Index targets) {
  return std::make_unique<descent::BlockDescent>([&gram, first, targets](const descent::Centring& centring) {
    return std::make_unique<descent::GramFeatures>(gram, first, targets, centring);
  });
}

std::unique_ptr<GroupNormSolver> group_norm_by_columns(const MatrixView& x, std::span<const double> y,
                                                       std::span<const double> weight, Pool& pool) {
  return std::make_unique<descent::BlockDescent>([=, &pool](const descent::Centring& centring) {
    return std::make_unique<descent::DenseFeatures>(x, y, weight, centring, pool);
  });
}

std::unique_ptr<GroupNormSolver> group_norm_by_columns(const SparseView& x, std::span<const double> y,
                                                       std::span<const double> weight, Pool& pool) {
  return std::make_unique<descent::BlockDescent>([=, &pool](const descent::Centring& centring) {
    return std::make_unique<descent::SparseFeatures>(x, y, weight, centring, pool);
  });
}

} // namespace recta
