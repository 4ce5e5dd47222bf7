#include "solver/coordinate_descent/descent.hpp"

#include "base/blas.hpp"
#include "solver/coordinate_descent/attention.hpp"
#include "solver/coordinate_descent/dense_features.hpp"
#include "solver/coordinate_descent/eased.hpp"
#include "solver/coordinate_descent/gram_features.hpp"
#include "solver/coordinate_descent/sparse_features.hpp"

namespace recta::descent {
namespace {

constexpr Index kStalled = 60;         // looks without halving the gap, once the penalty is at its final value
constexpr Index kRounded = 4;          // the same if the gap is at the level of rounding
constexpr double kRoundingGap = 1e-13; // in units of the null objective
constexpr double kNever = -std::numeric_limits<double>::infinity();

} // namespace

void Descent::prepare(const ElasticNetObjective& objective) {
  const Centring centring{objective.centred(), objective.intercept};
  if (features_ && centring == centring_) return;
  centring_ = centring;
  set_.reset();
  features_ = make_(centring);
  set_ = features_->working_set();
  const auto p = static_cast<std::size_t>(features_->cols());
  point_ = {std::vector<double>(p), features_->correlation};
  settled_t_.assign(p, 0);
  in_set_.assign(p, 0);
  seen_at_.assign(p, 0);
  moved_ = 0;
  varying_.clear();
  scale_.clear();
  per_norm_.assign(p, 0);
  for (Index j = 0; j < features_->cols(); ++j) {
    if (!(features_->length[j] > 0)) continue;
    varying_.push_back(j);
    per_norm_[j] = 1 / features_->norm[j];
  }
  std::vector<Index> used;
  for (Index j = 0; j < static_cast<Index>(start_.size()); ++j) {
    if (start_[j] == 0 || !(features_->length[j] > 0)) continue;
    used.push_back(j);
    in_set_[j] = 1;
    point_.t[j] = start_[j] * (features_->unit[j] / features_->target_unit);
  }
  if (!used.empty()) set_->add(used);
}

// The penalties in the units of Features: with t_j = w_j unit_j / target_unit, F / target_unit^2 has l1_j = lambda1 v_j
// / (unit_j target_unit) and l2_j = lambda2 u_j / unit_j^2.
void Descent::set_penalty(const ElasticNetObjective& objective) {
  const Features& f = *features_;
  objective_ = &objective;
  l1_.resize(f.unit.size());
  safe_to_.resize(f.unit.size());
  l2_.resize(objective.lambda2 > 0 ? f.unit.size() : 0);
  if (scale_.empty() || standardised_ != objective.standardise) {
    standardised_ = objective.standardise;
    scale_.resize(f.unit.size());
    for (Index j = 0; j < f.cols(); ++j) scale_[j] = (standardised_ ? f.length[j] : 1) / f.unit[j];
  }
  for (Index j = 0; j < std::ssize(l2_); ++j) l2_[j] = objective.lambda2 * objective.factor2(j) * scale_[j] * scale_[j];
  for (Index j = 0; j < f.cols(); ++j)
    l1_[j] = objective.factor1(j) > 0 ? objective.lambda1 * objective.factor1(j) * scale_[j] / f.target_unit : 0;
  live_ = varying_;
  for (Index j = 0; j < f.cols(); ++j) safe_to_[j] = safe_to(j);
  for (const Index j : set_->ids()) {
    safe_to_[j] = kNever;
    const Term range = term(j);
    point_.t[j] = f.length[j] > 0 ? std::clamp(point_.t[j], range.low, range.high) : 0;
  }
}

Term Descent::term(Index j, double ease) const {
  const double unit = features_->unit[j] / features_->target_unit;
  return {ease * l1_[j], l2_.empty() ? 0 : l2_[j], objective_->least(j) * unit, objective_->most(j) * unit};
}

// Only columns of the set have ever moved.
void Descent::renew_residual() {
  std::vector<Index> support;
  double way = 0; // ||Z (t - t')|| <= sum |t_j - t'_j| ||z_j||
  bool same = true;
  for (const Index j : set_->ids()) {
    if (point_.t[j] != 0) support.push_back(j);
    if (settled_t_[j] == point_.t[j]) continue;
    same = false;
    way += std::abs(settled_t_[j] - point_.t[j]) * features_->norm[j];
    settled_t_[j] = point_.t[j];
  }
  if (same) return;
  std::ranges::sort(support);
  std::vector<double> t;
  for (const Index j : support) t.push_back(point_.t[j]);
  features_->set_residual(support, t);
  moved_ += std::min(way, features_->moved);
}

void Descent::look() {
  looked_.clear();
  std::vector<Index> stale;
  for (const Index j : live_) {
    if (moved_ < safe_to_[j]) continue;
    looked_.push_back(j);
    if (seen_at_[j] != moved_) stale.push_back(j);
  }
  features_->gradient(stale, point_.g);
  for (const Index j : stale) {
    seen_at_[j] = moved_;
    if (!in_set_[j]) safe_to_[j] = safe_to(j);
  }
  if (!stale.empty()) std::erase_if(looked_, [&](Index j) { return moved_ < safe_to_[j]; });
  terms_.clear();
  for (const Index j : looked_) terms_.push_back(term(j));
}

void Descent::screen(double gap) {
  const double way = moved_ + std::sqrt(2 * gap) * (1 + 1e-9);
  std::erase_if(live_, [&](Index j) { return way < safe_to_[j]; });
}

// See eased.hpp.
double Descent::easing() const {
  double ratio = 0;
  for (std::size_t at = 0; set_->cautious() && at < looked_.size(); ++at) {
    const Index j = looked_[at];
    if (l1_[j] > 0) ratio = std::max(ratio, 1 + terms_[at].violation(point_.t[j], point_.g[j]) / l1_[j]);
  }
  return ratio > 2 ? eased(ratio) : 1;
}

// Columns that violate their condition, worst first, as many as the support and the shape suggest.
std::vector<Index> Descent::urgent(double ease) const {
  std::vector<std::pair<double, Index>> violations;
  Index used = 0;
  for (const Index j : looked_) {
    used += point_.t[j] != 0;
    if (in_set_[j]) continue;
    const double excess = term(j, ease).violation(point_.t[j], point_.g[j]);
    if (excess > 0) violations.emplace_back(l1_[j] == 0 ? -std::numeric_limits<double>::infinity() : -excess, j);
  }
  const auto most = static_cast<std::size_t>(set_->appetite(used));
  const auto free =
      static_cast<std::size_t>(std::ranges::count_if(violations, [](const auto& a) { return std::isinf(a.first); }));
  const std::size_t count = std::min(violations.size(), std::max(most, free));
  std::ranges::nth_element(violations, violations.begin() + static_cast<std::ptrdiff_t>(count));
  std::vector<Index> out;
  for (std::size_t i = 0; i < count; ++i) out.push_back(violations[i].second);
  std::ranges::sort(out);
  return out;
}

ElasticNetSolution Descent::solution(const ElasticNetObjective& objective) const {
  const Features& f = *features_;
  ElasticNetSolution out;
  out.w.resize(f.unit.size());
  double b = objective.intercept ? f.target_mean[0] : 0;
  for (std::size_t j = 0; j < out.w.size(); ++j) {
    if (point_.t[j] == 0) continue;
    out.w[j] = point_.t[j] / f.unit[j] * f.target_unit;
    if (objective.centred()) b -= out.w[j] * f.mean[j];
  }
  out.b = b;
  return out;
}

void Descent::hold_products() {
  auto set = features_->products_set();
  set->add(set_->ids());
  set_ = std::move(set);
}

// One look at the data and one solve over the working set.
Index Descent::improve(double screening_gap, const AskToStop& stop) {
  screen(screening_gap);
  ease_ = std::max(1.0, std::min(easing(), eased(ease_))); // never up again: the loop would not end
  const double ease = ease_;
  const std::vector<Index> added = urgent(ease);
  if (!added.empty()) set_->add(added);
  for (const Index j : added) {
    in_set_[j] = 1;
    safe_to_[j] = kNever;
  }
  double worst = 0;
  for (const Index j : looked_) worst = std::max(worst, term(j, ease).violation(point_.t[j], point_.g[j]));
  std::vector<Term> terms;
  for (const Index j : set_->ids()) terms.push_back(term(j, ease));
  return set_->solve(terms, 0.3 * worst, point_, stop);
}

ElasticNetSolution Descent::solve(const ElasticNetObjective& objective, double tolerance, const Watch& watch) {
  const blas::SerialBlas serial;
  prepare(objective);
  set_penalty(objective);
  const double goal = tolerance * features_->target_square / 2;
  ease_ = std::numeric_limits<double>::infinity();
  Attention attention(watch);
  Stop stop;
  Index sweeps = 0;
  Index stalled = 0; // looks since the gap was last halved
  bool finished = false;
  double least = std::numeric_limits<double>::infinity();
  while (true) {
    renew_residual();
    look();
    ++attention.passes;
    const Gap gap = measure_gap(terms_, point_, looked_, features_->residual_square);
    attention.gap = gap.value;
    if (attention.stop()) break;
    // While the penalty comes down (eased.hpp) the gap need not fall.
    stalled = gap.value < 0.5 * least || ease_ > 1 ? 0 : stalled + 1;
    if (stalled == 0) least = std::min(least, gap.value);
    const bool small = gap.value <= goal;
    if (small || stalled > (gap.value <= kRoundingGap * features_->target_square / 2 ? kRounded : kStalled)) {
      stop = small ? "the gap is within the tolerance" : "rounding allows no smaller gap";
      if (finished || !exact_end_ || set_->exact()) break;
      // The support is known now: its exact answer costs little.
      finished = true;
      std::vector<Term> terms;
      for (const Index j : set_->ids()) terms.push_back(term(j));
      sweeps += set_->solve(terms, 0, point_, [&] { return attention.stop(); });
      continue;
    }
    sweeps += improve(gap.of_residual, [&] { return attention.stop(); });
    if (set_->laborious()) hold_products();
  }
  ElasticNetSolution out = solution(objective);
  out.gap = attention.gap * features_->target_unit * features_->target_unit;
  out.sweeps = sweeps;
  out.passes = attention.passes;
  out.interrupted = attention.stopped();
  out.stop = out.interrupted ? Stop(Stop::interrupted) : stop;
  return out;
}

// If every column is penalised the residual is the target itself; otherwise the free columns are fitted first.
double Descent::lambda1_max(const ElasticNetObjective& objective) {
  prepare(objective);
  const Features& f = *features_;
  const bool all = std::ranges::all_of(objective.factors1, [](double v) { return v > 0; });
  if (!all) {
    ElasticNetObjective without = objective;
    without.lambda1 = 1e300;
    solve(without, 1e-14, {});
    std::vector<Index> stale;
    for (Index j = 0; j < f.cols(); ++j)
      if (seen_at_[j] != moved_) stale.push_back(j);
    features_->gradient(stale, point_.g);
    std::ranges::fill(seen_at_, moved_);
  }
  const std::vector<double>& g = all ? f.correlation : point_.g;
  double most = 0;
  for (Index j = 0; j < f.cols(); ++j) {
    const double v = objective.factor1(j) * (objective.standardise ? f.length[j] : 1);
    const bool free = g[j] > 0 ? objective.most(j) > 0 : objective.least(j) < 0;
    if (v > 0 && f.length[j] > 0 && free) most = std::max(most, std::abs(g[j]) * f.unit[j] * f.target_unit / v);
  }
  return most;
}

} // namespace recta::descent

namespace recta {

std::unique_ptr<ElasticNetSolver> elastic_net_by_gram(const Gram& gram, Index target) {
  return std::make_unique<descent::Descent>([&gram, target](const descent::Centring& centring) {
    return std::make_unique<descent::GramFeatures>(gram, target, 1, centring);
  });
}

std::unique_ptr<ElasticNetSolver> elastic_net_by_columns(const MatrixView& x, std::span<const double> y,
                                                         std::span<const double> weight, Pool& pool) {
  return std::make_unique<descent::Descent>([=, &pool](const descent::Centring& centring) {
    return std::make_unique<descent::DenseFeatures>(x, y, weight, centring, pool);
  });
}

std::unique_ptr<ElasticNetSolver> elastic_net_by_columns(const SparseView& x, std::span<const double> y,
                                                         std::span<const double> weight, Pool& pool) {
  return std::make_unique<descent::Descent>([=, &pool](const descent::Centring& centring) {
    return std::make_unique<descent::SparseFeatures>(x, y, weight, centring, pool);
  });
}

} // namespace recta
