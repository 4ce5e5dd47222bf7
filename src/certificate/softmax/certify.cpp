#include "certificate/softmax/certify.hpp"

#include "base/blas.hpp"
#include "base/deadline.hpp"
#include "base/numbers.hpp"
#include "base/sums.hpp"
#include "certificate/coefficients.hpp"
#include "certificate/least_squares/left_out.hpp"
#include "certificate/loss/penalty_bound.hpp"
#include "certificate/softmax/projection.hpp"
#include "certificate/verdict.hpp"
#include "objective/loss/find_basis.hpp"
#include "stats/both.hpp"
#include "stats/column_sums/column_sums.hpp"
#include "stats/pass.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>

namespace recta {
namespace {

struct SimplexBound {
  Bound bound = {kInfinity, 0};
  bool exact = false;
};

// The bound of the header's formula: sum_i s_i KL(p'_i | P_i), then R_j(w) + R_j*(G) - G w for every weight. `further`
// is the length of the step that would meet the constraints exactly, `e` the largest |e_k| after it. `met`: there is no
// penalty, and all products G vanish after that step.
SimplexBound bound_of(const SoftmaxClaimed& claimed, const SimplexSums& sums, const Projection& projection, bool met,
                      double mean_loss) {
  SimplexBound out;
  const double further = projection.further(sums), energy = projection.energy(sums);
  const double w = sums.weight, off = rounding_of(sums), e = sums.most + 2 * further;
  if (!(e < 0.5)) return out;
  const double gap = sums.divergences / w;
  // The slack of KL has four parts. (1 + e) log(1 + e) - e cancels down to e = 1e-4, so the sum is known to 2^-36 of
  // itself. The further step changes KL by at most 4 |t| e. The exact probabilities are P (1 + h) with <P, h> = 0, |h|
  // <= `off` for all shares except the largest: this adds <P - p', h>, at most 2 e |h|, and <P, h^2>, at most K |h|^2.
  const double share = static_cast<double>(claimed.classes) * off * off;
  out.bound = {gap, 0x1p-35 * gap + 4 * further * e + 4 * (e + off) * (off + sums.tail / w) + share};
  const bool penalised = claimed.lambda1 > 0 || claimed.lambda2 > 0;
  out.exact = penalised || met;
  std::vector<PenaltyTerm> terms;
  for (std::size_t s = 0; s < sums.product.size(); ++s) {
    const std::size_t j = s % static_cast<std::size_t>(sums.cols), k = s / static_cast<std::size_t>(sums.cols);
    const double u = claimed.unit[j], m = claimed.intercept ? claimed.centre[j] : 0;
    if (u == 0 || (met && !penalised)) continue;
    const double l1 = claimed.lambda1 * std::sqrt(u), l2 = claimed.lambda2 * u, weight = claimed.w[s];
    const DoubleDouble g = (sums.product_of(s) - sums.sum_of(static_cast<Index>(k)) * m) / w;
    if (!penalised) {
      out.bound.gap += std::abs(g.hi * weight);
      continue;
    }
    const DoubleDouble due = two_prod(l2, weight) + (weight > 0 ? l1 : weight < 0 ? -l1 : 0);
    // How far the further step moves G_jk. It changes p'_k by at most 2 |t| P_k (1 - P_k), which is at most 4 |t|
    // |d_k|. Since it makes the sums of d zero, only products with x - m change: by Cauchy and Schwarz by at most
    // `about`. A second bound is the root of the Hessian's diagonal entry times the length of the step in the Hessian's
    // norm.
    const double size = std::sqrt(sums.squares[k] / w) * (1 + 1e-9); // at least the mean of |d|
    const double sd = claimed.sd.empty() ? kInfinity : claimed.sd[j], about = size * (sd + 0x1p-52 * std::abs(m));
    double moved = 4 * further * (claimed.intercept ? std::min(sums.absolute[s] / w, about) : sums.absolute[s] / w);
    if (claimed.intercept) moved = std::min(moved, projection.curvature(k) * sums.span[j] * energy);
    const double margin = SimplexSums::kRounding * (sums.absolute[s] / w + std::abs(m) * size) + moved +
                          2 * 0x1p-53 * std::abs((g - due).hi) + 8 * 0x1p-53 * std::abs(due.hi);
    terms.push_back({weight, l1, l2, (g - due).hi, margin});
  }
  if (penalised) add_penalties(terms, mean_loss, out.bound);
  out.bound.slack += 64 * 0x1p-53 * out.bound.gap;
  return out;
}

// What the claim states if no bound holds over all columns.
struct Unbounded {
  double residual = 0;              // how far the conditions are from being met, beside the sizes of what they sum up
  std::vector<Index> alike = {};    // columns that are nearly combinations of others
  std::vector<Index> left_out = {}; // columns that are constant, or combinations of others, except for rounding
};

std::string names(const std::vector<Index>& columns, const SoftmaxClaimed& claimed) {
  std::string text;
  for (const Index j : columns)
    text += (text.empty() ? "" : ", ") + (claimed.feature ? claimed.feature(j) : "column " + std::to_string(j + 1));
  return text;
}

// `off`: what the objective is off by, at most.
Certificate written(const SoftmaxClaimed& claimed, double objective, double off, SimplexBound best,
                    const Unbounded& unbounded, Index passes) {
  Certificate c;
  c.objective = objective;
  c.null_objective = claimed.null_objective;
  c.tolerance = claimed.tolerance;
  c.stop = claimed.stop;
  c.passes = claimed.passes + passes;
  c.conditions = claimed.conditions;
  if (!(best.bound.gap + best.bound.slack < objective + off)) best = {{objective, off}, true}; // p' = Y
  const double limit = claimed.tolerance * claimed.null_objective;
  Proof proof{.distance = best.bound.gap,
              .slack = best.bound.slack,
              .limit = limit,
              .is_bound = best.exact,
              .ended_early = claimed.stopped_early || claimed.gave_up};
  c.slack = best.bound.slack;
  c.claim = DualityGap{objective, objective - best.bound.gap, best.bound.gap, false};
  c.verdict = verdict_of(proof);
  if (best.exact) return c;
  c.claim = KktResidual{unbounded.residual};
  c.slack = 0;
  proof.is_open = !unbounded.alike.empty();
  if (!(unbounded.residual <= claimed.tolerance)) proof.distance = kNaN;
  if (!proof.is_open && proof.distance <= limit && !unbounded.left_out.empty()) {
    proof.is_open = true;
    c.stop = "columns that are constant or combinations of others but for rounding were left out: " +
             names(unbounded.left_out, claimed);
  }
  c.verdict = verdict_of(proof);
  if (!unbounded.alike.empty())
    c.stop = "columns are so nearly combinations of others that they were not told apart: " +
             names(unbounded.alike, claimed);
  if (best.bound.gap + best.bound.slack <= limit)
    c.conditions.push_back("its dual point meets the constraints to rounding only");
  return c;
}

class SimplexJudge {
public:
  SimplexJudge(const SoftmaxClaimed& claimed, RowSource& rows, Pool& pool, const Watch& watch)
      : claimed_(claimed), rows_(rows), pool_(pool), watch_(watch) {
    target_.classes = claimed.classes;
    target_.w = claimed.w;
    target_.b = claimed.b;
  }

  Result<SoftmaxChecked> run() {
    const blas::SerialBlas serial;
    const bool free = claimed_.lambda1 == 0 && claimed_.lambda2 == 0;
    std::vector<std::vector<Index>> columns(static_cast<std::size_t>(claimed_.classes));
    // The caller who stopped the fit is waiting: F itself in one pass without products, then what their patience
    // allows.
    const bool hurried = claimed_.stopped_early && !watch_;
    if (free && !hurried) columns = all_but_one();
    target_.products = free;
    if (auto done = first(columns); !done) return std::unexpected(done.error());
    if (hurried && !rows_.rounds()) watch_ = patience(); // rounds end in the same way whatever the time
    const auto same = hurried ? bound_in_time(free) : bound(free, !columns[0].empty());
    if (!same && !(hurried && same.error().code == ErrorCode::interrupted)) return std::unexpected(same.error());
    if (!same || !*same) best_.exact = false;
    if (same && free && !best_.exact && !columns[0].empty())
      if (auto done = look_for_alike(); !done) return std::unexpected(done.error());
    const double value = objective(), off = 64 * 0x1p-53 * value + loss_error();
    checked_.certificate = written(claimed_, value, off, best_, unbounded_, passes_);
    if (same && !*same)
      checked_.certificate.conditions.emplace_back("some columns are constant to rounding and left out");
    const auto combinations = std::ranges::count_if(
        left_out_.equations, [](const LeftOut::Equation& e) { return !e.combination.terms.empty(); });
    if (best_.exact && combinations > 0)
      checked_.certificate.conditions.push_back(are_combinations(combinations) + ", exactly and in every row" +
                                                listed(left_out_, claimed_.feature));
    return checked_;
  }

private:
  static constexpr Index kProjected = 2000; // weights
  static constexpr double kTold = 1e-7;     // share of a column that products in double tell from others
  static constexpr double kPatience = 0.08; // seconds for the gap of an answer that was stopped; then F* >= 0 is all

  static Watch patience() {
    return [begun = std::chrono::steady_clock::now()](const Progress&) {
      return std::chrono::duration<double>(std::chrono::steady_clock::now() - begun).count() < kPatience;
    };
  }

  // The end of the caller's own patience is the end of this one, too: F is known by then.
  Result<bool> bound_in_time(bool free) {
    try {
      return bound(free, false);
    } catch (const Interrupted&) {
      return fail(ErrorCode::interrupted, "certifying", "the time was over before the gap was known", "give more time");
    }
  }

  // Finds the best bound that dual points give, and returns whether the columns taken for constant are constant in
  // every row. `all`: the first pass was over all columns.
  Result<bool> bound(bool free, bool all) {
    if (auto done = project(free); !done) return std::unexpected(done.error());
    if (free && enough() && !best_.exact && all)
      if (auto done = project_without_left_out(); !done) return std::unexpected(done.error());
    // If classes are nearly separated, Newton's step has no end. Once their last shares are dropped, no step is needed
    // there.
    const double edge = 0.1 * claimed_.tolerance * claimed_.null_objective / static_cast<double>(claimed_.classes);
    for (const double dropped : {claimed_.lambda2 > 0 ? edge : 0, edge}) {
      if (free || enough()) break;
      if (auto done = project_support(dropped); !done) return std::unexpected(done.error());
      if (claimed_.lambda2 > 0) break;
    }
    return columns_are_constant();
  }

  bool enough() const { return best_.bound.gap + best_.bound.slack <= claimed_.tolerance * claimed_.null_objective; }

  // The columns of every class but the last; none if these are too many weights to project over.
  std::vector<std::vector<Index>> all_but_one() const {
    std::vector<Index> used;
    const auto left_out = [&](Index j) {
      return std::ranges::any_of(left_out_.equations, [&](const auto& e) { return e.combination.column == j; });
    };
    for (Index j = 0; j < std::ssize(claimed_.unit); ++j)
      if (claimed_.unit[j] > 0 && !left_out(j)) used.push_back(j);
    std::vector<std::vector<Index>> columns(static_cast<std::size_t>(claimed_.classes));
    if (std::ssize(used) * (claimed_.classes - 1) > kProjected) return columns;
    for (std::size_t k = 0; k + 1 < columns.size(); ++k) columns[k] = used;
    return columns;
  }

  HessianPoint hessian_point(std::vector<std::vector<Index>> columns) const {
    HessianPoint point{{.classes = claimed_.classes, .w = claimed_.w, .b = claimed_.b}, std::move(columns)};
    if (claimed_.intercept) point.mean = claimed_.centre;
    point.compensated = true;
    point.edge = target_.edge;
    point.constants = claimed_.intercept;
    return point;
  }
  template <class A>
  Result<A> pass(A empty) {
    auto sums = fresh_pass(rows_, std::move(empty), pool_, watch_, {"certifying", claimed_.passes + passes_});
    if (sums) ++passes_;
    return sums;
  }

  Result<void> first(std::vector<std::vector<Index>> columns) {
    auto both = pass(Both<SimplexSums, ClassHessian>{
        SimplexSums(std::make_shared<SimplexTarget>(target_)),
        ClassHessian(std::make_shared<HessianPoint>(hessian_point(std::move(columns))))});
    if (!both) return std::unexpected(both.error());
    sums_ = std::move(both->first);
    hessian_ = std::move(both->second);
    checked_.mean_loss = (DoubleDouble(sums_.loss, sums_.loss_low) / sums_.weight).hi;
    checked_.right = sums_.right;
    checked_.rows = sums_.rows;
    unbounded_.residual = 0;
    for (std::size_t s = 0; s < sums_.product.size(); ++s)
      if (sums_.absolute[s] > 0)
        unbounded_.residual = std::max(unbounded_.residual, std::abs(sums_.product_of(s).hi) / sums_.absolute[s]);
    return {};
  }

  Result<void> look_for_alike() {
    const auto sums = pass(ColumnSums(rows_.cols(), rows_.targets()));
    if (!sums) return std::unexpected(sums.error());
    const auto search = find_basis(claimed_.intercept, *sums, rows_, nullptr, pool_, watch_);
    if (!search) return std::unexpected(search.error());
    passes_ += search->passes;
    for (const Basis::Column& each : search->basis.columns) {
      if (each.left_out)
        unbounded_.left_out.push_back(each.column);
      else if (each.spread < kTold * sums->deviation(each.column))
        unbounded_.alike.push_back(each.column);
    }
    return {};
  }

  double objective() const {
    CompensatedSum penalty;
    for (std::size_t s = 0; s < claimed_.w.size(); ++s) {
      const double u = claimed_.unit[s % claimed_.unit.size()], w = claimed_.w[s];
      penalty.add(claimed_.lambda1 * std::sqrt(u) * std::abs(w));
      penalty.add(claimed_.lambda2 / 2 * u * w * w);
    }
    return checked_.mean_loss + penalty.value();
  }

  // A row's loss is log sum_k e^(z_k) - z_y, with sum and scores taken about the largest score, so its relative error
  // is that of the probabilities.
  double loss_error() const { return rounding_of(sums_); }

  // Takes Newton's steps (t, Q) from the point of the last pass. `free`: there is no penalty, so all products must
  // vanish.
  Result<void> project(bool free) {
    bool met = free && !hessian_.point->columns[0].empty();
    Projection projection(claimed_, hessian_, sums_, met, pool_);
    if (met && !projection.any_bound()) {
      met = false;
      projection = Projection(claimed_, hessian_, sums_, met, pool_);
    }
    for (int tries = 0; tries < (met ? 2 : 4) && !enough(); ++tries) {
      projection.move(sums_, target_);
      auto sums = pass(SimplexSums(std::make_shared<SimplexTarget>(target_)));
      if (!sums) return std::unexpected(sums.error());
      sums_ = *std::move(sums);
      const SimplexBound bound = bound_of(claimed_, sums_, projection, met, checked_.mean_loss);
      if (bound.bound.gap + bound.bound.slack < best_.bound.gap + best_.bound.slack) best_ = bound;
      if (!met && target_.q.empty()) break; // t alone ends at once
    }
    return {};
  }

  // Whether columns that were taken for constant are so in every row: their possible contribution is not looked at.
  Result<bool> columns_are_constant() {
    std::vector<Index> constants;
    for (Index j = 0; j < std::ssize(claimed_.unit); ++j)
      if (claimed_.unit[j] == 0) constants.push_back(j);
    if (constants.empty() || !enough()) return true;
    const auto equations = look_at_left_out(guesses_at(constants, {}, {}), claimed_.intercept, sums_.rows,
                                            {rows_, pool_, watch_}, {"certifying", claimed_.passes + passes_});
    if (!equations) return std::unexpected(equations.error());
    passes_ += equations->looked ? 1 : 0;
    const auto exactly = [&](Index j) {
      return std::ranges::any_of(equations->equations, [&](const auto& e) { return e.combination.column == j; });
    };
    std::ranges::copy_if(constants, std::back_inserter(unbounded_.left_out), [&](Index j) { return !exactly(j); });
    return equations->exact;
  }

  // Projects over the columns that are no combinations of others, if those left out are combinations in every row.
  Result<void> project_without_left_out() {
    auto combinations =
        look_for_left_out(claimed_.intercept, {rows_, pool_, watch_}, {"certifying", claimed_.passes + passes_});
    if (!combinations) return std::unexpected(combinations.error());
    passes_ += combinations->looked ? 2 : 1;
    if (!combinations->exact) return {};
    left_out_ = *std::move(combinations);
    const SimplexBound before = std::exchange(best_, {});
    target_.t.clear();
    target_.q.clear();
    if (auto done = first(all_but_one()); !done) return done;
    if (auto done = project(true); !done) return done;
    if (!best_.exact) best_ = before;
    return {};
  }

  // Projects over the weights that are not zero, after shares below the edge are set to zero.
  Result<void> project_support(double edge) {
    std::vector<std::vector<Index>> columns(static_cast<std::size_t>(claimed_.classes));
    const auto p = static_cast<Index>(claimed_.unit.size());
    Index count = 0;
    for (Index s = 0; s < std::ssize(claimed_.w); ++s)
      if (claimed_.w[s] != 0) columns[s / p].push_back(s % p), ++count;
    if (count == 0 || count > kProjected) return {};
    target_.edge = edge;
    target_.t.clear();
    target_.q.clear();
    target_.products = true;
    if (auto done = first(std::move(columns)); !done) return done;
    return project(false);
  }

  const SoftmaxClaimed& claimed_;
  RowSource& rows_;
  Pool& pool_;
  Watch watch_;
  SimplexTarget target_;
  SimplexSums sums_;
  ClassHessian hessian_;
  SimplexBound best_;
  SoftmaxChecked checked_;
  LeftOut left_out_; // what is not among the columns
  Unbounded unbounded_;
  Index passes_ = 0;
};

} // namespace

Result<SoftmaxChecked> certify(const SoftmaxClaimed& claimed, const Gram*, RowSource* rows, Pool& pool,
                               const Watch& watch) {
  if (auto good = check_finite(claimed.w, claimed.b); !good) return std::unexpected(good.error());
  return SimplexJudge(claimed, *rows, pool, watch).run();
}

} // namespace recta
