#include "certificate/softmax/certify.hpp"

#include "base/blas.hpp"
#include "base/numbers.hpp"
#include "base/sums.hpp"
#include "certificate/least_squares/left_out.hpp"
#include "certificate/loss/penalty_bound.hpp"
#include "certificate/softmax/projection.hpp"
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

// `met`: without a penalty all products vanish after a further step.
SimplexBound bound_of(const SoftmaxClaimed& claimed, const SimplexSums& seen, const Projection& projection, bool met,
                      double mean_loss) {
  SimplexBound out;
  const double further = projection.further(seen), energy = projection.energy(seen);
  const double w = seen.weight, off = rounding_of(seen), e = seen.most + 2 * further;
  if (!(e < 0.5)) return out;
  const double gap = seen.divergences / w;
  // The divergences are told by 2^-36 of themselves: (1 + e) log(1 + e) - e cancels down to e = 1e-4. P exact is P (1 +
  // h) with <P, h> = 0, which adds <P - p', h>, at most 2 e |h|, and <P, h^2>, at most K |h|^2, |h| that of all shares
  // but the largest.
  const double share = static_cast<double>(claimed.classes) * off * off;
  out.bound = {gap, 0x1p-35 * gap + 4 * further * e + 4 * (e + off) * (off + seen.tail / w) + share};
  const bool penalised = claimed.lambda1 > 0 || claimed.lambda2 > 0;
  out.exact = penalised || met;
  std::vector<PenaltyTerm> terms;
  for (std::size_t s = 0; s < seen.product.size(); ++s) {
    const std::size_t j = s % static_cast<std::size_t>(seen.cols), k = s / static_cast<std::size_t>(seen.cols);
    const double u = claimed.unit[j], m = claimed.intercept ? claimed.centre[j] : 0;
    if (u == 0 || (met && !penalised)) continue;
    const double l1 = claimed.lambda1 * std::sqrt(u), l2 = claimed.lambda2 * u, own = claimed.w[s];
    const DoubleDouble g = (seen.product_of(s) - seen.sum_of(static_cast<Index>(k)) * m) / w;
    if (!penalised) {
      out.bound.gap += std::abs(g.hi * own);
      continue;
    }
    const DoubleDouble due = two_prod(l2, own) + (own > 0 ? l1 : own < 0 ? -l1 : 0);
    // The further step changes p'_k by 2 |t| P_k (1 - P_k) at most, and that is no more than 4 |t| |d_k|. It makes sums
    // of d zero, so it is of x - m that the products change, by Cauchy and Schwarz; they do by no more than the root of
    // H's own number there times that of the step in H's measure, either.
    const double size = std::sqrt(seen.squares[k] / w) * (1 + 1e-9); // at least the mean of |d|
    const double sd = claimed.sd.empty() ? kInfinity : claimed.sd[j], about = size * (sd + 0x1p-52 * std::abs(m));
    double moved = 4 * further * (claimed.intercept ? std::min(seen.absolute[s] / w, about) : seen.absolute[s] / w);
    if (claimed.intercept) moved = std::min(moved, projection.curvature(k) * seen.span[j] * energy);
    const double margin = SimplexSums::kRounding * (seen.absolute[s] / w + std::abs(m) * size) + moved +
                          2 * 0x1p-53 * std::abs((g - due).hi) + 8 * 0x1p-53 * std::abs(due.hi);
    terms.push_back({own, l1, l2, (g - due).hi, margin});
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
Certificate written(const SoftmaxClaimed& claimed, double objective, double off, SimplexBound found,
                    const Unbounded& unbounded, Index passes) {
  Certificate c;
  c.objective = objective;
  c.null_objective = claimed.null_objective;
  c.tolerance = claimed.tolerance;
  c.stop = claimed.stop;
  c.passes = claimed.passes + passes;
  c.conditions = claimed.conditions;
  if (!(found.bound.gap + found.bound.slack < objective + off)) found = {{objective, off}, true}; // p' = Y
  const double limit = claimed.tolerance * claimed.null_objective;
  const bool holds = found.bound.gap + found.bound.slack <= limit;
  c.slack = found.bound.slack;
  c.claim = DualityGap{objective, objective - found.bound.gap, found.bound.gap, false};
  if (holds)
    c.verdict = found.exact ? Verdict::proved : Verdict::within_tolerance;
  else if (found.bound.gap <= limit) // and roundings could hide more
    c.verdict = Verdict::within_tolerance;
  else
    c.verdict = claimed.stopped_early || claimed.gave_up ? Verdict::stopped_early : Verdict::refuted;
  if (found.exact) return c;
  c.claim = KktResidual{unbounded.residual};
  c.slack = 0;
  if (!(unbounded.residual <= claimed.tolerance) || !unbounded.alike.empty())
    c.verdict = claimed.stopped_early || claimed.gave_up || !unbounded.alike.empty() ? Verdict::stopped_early
                                                                                     : Verdict::refuted;
  if (c.verdict == Verdict::within_tolerance && !unbounded.left_out.empty()) {
    c.verdict = Verdict::stopped_early;
    c.stop = "columns that are constant or combinations of others but for rounding were left out: " +
             names(unbounded.left_out, claimed);
  }
  if (!unbounded.alike.empty())
    c.stop = "columns are so nearly combinations of others that they were not told apart: " +
             names(unbounded.alike, claimed);
  if (holds) c.conditions.push_back("its dual point meets the constraints to rounding only");
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
    if (hurried) watch_ = patience();
    const auto same = bound(free, !columns[0].empty());
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

  // The best bound that dual points give, and whether columns that were taken for constant are so. `all`: the first
  // pass was over all columns.
  Result<bool> bound(bool free, bool all) {
    if (auto done = project(free); !done) return std::unexpected(done.error());
    if (free && enough() && !best_.exact && all)
      if (auto done = project_without_left_out(); !done) return std::unexpected(done.error());
    // If classes are nearly separated, Newton's step has no end; once their last shares are dropped there is none to
    // make.
    const double edge = 0.1 * claimed_.tolerance * claimed_.null_objective / static_cast<double>(claimed_.classes);
    for (const double dropped : {claimed_.lambda2 > 0 ? edge : 0, edge}) {
      if (free || enough()) break;
      if (auto done = project_support(dropped); !done) return std::unexpected(done.error());
      if (claimed_.lambda2 > 0) break;
    }
    return columns_are_constant();
  }

  bool enough() const { return best_.bound.gap + best_.bound.slack <= claimed_.tolerance * claimed_.null_objective; }

  // Nothing if they are too many.
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
    auto found = fresh_pass(rows_, std::move(empty), pool_, watch_, {"certifying", claimed_.passes + passes_});
    if (found) ++passes_;
    return found;
  }

  Result<void> first(std::vector<std::vector<Index>> columns) {
    auto both = pass(Both<SimplexSums, ClassHessian>{
        SimplexSums(std::make_shared<SimplexTarget>(target_)),
        ClassHessian(std::make_shared<HessianPoint>(hessian_point(std::move(columns))))});
    if (!both) return std::unexpected(both.error());
    seen_ = std::move(both->first);
    hessian_ = std::move(both->second);
    checked_.mean_loss = (DoubleDouble(seen_.loss, seen_.loss_low) / seen_.weight).hi;
    checked_.right = seen_.right;
    checked_.rows = seen_.rows;
    unbounded_.residual = 0;
    for (std::size_t s = 0; s < seen_.product.size(); ++s)
      if (seen_.absolute[s] > 0)
        unbounded_.residual = std::max(unbounded_.residual, std::abs(seen_.product_of(s).hi) / seen_.absolute[s]);
    return {};
  }

  Result<void> look_for_alike() {
    const auto sums = pass(ColumnSums(rows_.cols(), rows_.targets()));
    if (!sums) return std::unexpected(sums.error());
    const auto found = find_basis(claimed_.intercept, *sums, rows_, nullptr, pool_, watch_);
    if (!found) return std::unexpected(found.error());
    passes_ += found->passes;
    for (const Basis::Column& each : found->basis.columns) {
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

  // A row's loss is log sum - z, sums and scores about the largest: each is off by what its parts are.
  double loss_error() const { return rounding_of(seen_); }

  // From the last pass on. `free`: products must vanish.
  Result<void> project(bool free) {
    bool met = free && !hessian_.point->columns[0].empty();
    Projection projection(claimed_, hessian_, seen_, met, pool_);
    if (met && !projection.any_bound()) {
      met = false;
      projection = Projection(claimed_, hessian_, seen_, met, pool_);
    }
    for (int tries = 0; tries < (met ? 2 : 4) && !enough(); ++tries) {
      projection.move(seen_, target_);
      auto seen = pass(SimplexSums(std::make_shared<SimplexTarget>(target_)));
      if (!seen) return std::unexpected(seen.error());
      seen_ = *std::move(seen);
      const SimplexBound found = bound_of(claimed_, seen_, projection, met, checked_.mean_loss);
      if (found.bound.gap + found.bound.slack < best_.bound.gap + best_.bound.slack) best_ = found;
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
    const auto seen = look_at_left_out(guesses_at(constants, {}, {}), claimed_.intercept, seen_.rows, rows_, pool_,
                                       watch_, {"certifying", claimed_.passes + passes_});
    if (!seen) return std::unexpected(seen.error());
    passes_ += seen->looked ? 1 : 0;
    const auto exactly = [&](Index j) {
      return std::ranges::any_of(seen->equations, [&](const auto& e) { return e.combination.column == j; });
    };
    std::ranges::copy_if(constants, std::back_inserter(unbounded_.left_out), [&](Index j) { return !exactly(j); });
    return seen->exact;
  }

  // Over the columns that are no combinations of others, if the others are so in every row.
  Result<void> project_without_left_out() {
    auto found = look_for_left_out(claimed_.intercept, rows_, pool_, watch_, {"certifying", claimed_.passes + passes_});
    if (!found) return std::unexpected(found.error());
    passes_ += found->looked ? 2 : 1;
    if (!found->exact) return {};
    left_out_ = *std::move(found);
    const SimplexBound before = std::exchange(best_, {});
    target_.t.clear();
    target_.q.clear();
    if (auto done = first(all_but_one()); !done) return done;
    if (auto done = project(true); !done) return done;
    if (!best_.exact) best_ = before;
    return {};
  }

  // Over the weights that are not zero, shares below the edge dropped.
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
  SimplexSums seen_;
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
  const auto finite = [](const std::vector<double>& x) {
    return std::ranges::all_of(x, [](double y) { return std::isfinite(y); });
  };
  if (!finite(claimed.w) || !finite(claimed.b))
    return fail(ErrorCode::refuted, "certificate", "a coefficient of the model is not a finite number",
                "the file was changed after the fit; fit again");
  return SimplexJudge(claimed, *rows, pool, watch).run();
}

} // namespace recta
