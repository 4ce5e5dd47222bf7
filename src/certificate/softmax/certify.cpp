#include "certificate/softmax/certify.hpp"

#include "base/blas.hpp"
#include "base/factor/cholesky.hpp"
#include "base/sums.hpp"
#include "certificate/pass.hpp"
#include "stats/softmax/softmax.hpp"
#include "stats/state_bytes.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace recta {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

struct Target {
  Index classes = 0;
  std::vector<double> w, b, t; // t empty: the first look
};

// (1 + e) log(1 + e) - e.
double divergence(double e) {
  if (std::abs(e) > 1e-4) return (1 + e) * std::log1p(e) - e;
  return e * e * (0.5 - e * (1.0 / 6 - e * (1.0 / 12 - e / 20)));
}

// One pass, in compensated sums. The first: the loss, sum s (P - Y), M. The second: p' and all that is said of it.
struct SimplexSums {
  std::shared_ptr<const Target> target;
  Index cols = 0, classes = 0, rows = 0;
  double weight = 0, loss = 0, loss_low = 0, right = 0, least = 1, most = 0; // of 1 + e; of |e|
  double divergences = 0, size = 0;                                          // sum v |d|
  std::vector<double> sum, m;                                                // K of d, or of P - Y; K x K
  std::vector<double> product, low, absolute;                                // K x p: sum v d x, sum v |d x|

  explicit SimplexSums(std::shared_ptr<const Target> at = nullptr) : target(std::move(at)) {
    if (!target) return;
    classes = target->classes;
    cols = static_cast<Index>(target->w.size()) / classes;
    sum.resize(static_cast<std::size_t>(classes));
    m.resize(static_cast<std::size_t>(target->t.empty() ? classes * classes : 0));
    for (auto* each : {&product, &low, &absolute}) each->resize(target->t.empty() ? 0 : target->w.size());
  }

  void accumulate(const Batch& batch) {
    PresentBlock block;
    block.take(batch, 0);
    const Index n = block.rows();
    std::vector<double> z(static_cast<std::size_t>(n * classes)), high(static_cast<std::size_t>(n)), rest(high.size());
    for (Index k = 0; k < classes; ++k) {
      block.row_dots2(target->w.data() + k * cols, high.data(), rest.data());
      for (Index i = 0; i < n; ++i) z[i * classes + k] = (DoubleDouble(high[i], rest[i]) + target->b[k]).hi;
    }
    CompensatedSum total;
    std::vector<CompensatedSum> sums(static_cast<std::size_t>(classes));
    std::vector<double> d(z.size());
    for (Index i = 0; i < n; ++i) {
      double* const p = z.data() + i * classes;
      const Index own = softmax_class(block.y[i], classes);
      const double v = block.v[i], z_own = p[own];
      Index taken = std::max_element(p, p + classes) - p;
      if (classes == 2) taken = p[1] >= p[0] ? 1 : 0;
      right += taken == own ? v : 0;
      weight += v;
      total.add(v * (softmax_of(p, classes) - z_own));
      target->t.empty() ? first(p, own, v, sums) : second(p, own, v, d.data() + i * classes, sums);
    }
    const DoubleDouble both = DoubleDouble(loss, loss_low) + total.total();
    loss = both.hi, loss_low = both.lo;
    for (Index k = 0; k < classes; ++k) sum[k] += sums[k].value();
    rows += n;
    if (!target->t.empty()) add_products(block, d);
  }

  void first(const double* p, Index own, double v, std::vector<CompensatedSum>& sums) {
    for (Index k = 0; k < classes; ++k) {
      sums[k].add(v * (p[k] - (k == own ? 1 : 0)));
      for (Index l = 0; l < classes; ++l) m[k + l * classes] += v * p[k] * ((k == l ? 1 : 0) - p[l]);
    }
  }

  void second(const double* p, Index own, double v, double* d, std::vector<CompensatedSum>& sums) {
    double mean = 0, others = 0;
    for (Index k = 0; k < classes; ++k) mean += p[k] * target->t[k];
    for (Index k = 0; k < classes; ++k) {
      const double e = mean - target->t[k];
      least = std::min(least, 1 + e);
      most = std::max(most, std::abs(e));
      divergences += v * p[k] * divergence(e);
      d[k] = -v * p[k] * (1 + e);
      if (k != own) others -= d[k];
    }
    d[own] = others; // 1 - p', without its cancellation
    size += 2 * others;
    for (Index k = 0; k < classes; ++k) sums[k].add(d[k]);
  }

  void add_products(const PresentBlock& block, const std::vector<double>& d) {
    const Index n = block.rows();
    std::vector<double> own(static_cast<std::size_t>(n)), none(own.size());
    for (Index k = 0; k < classes; ++k) {
      for (Index i = 0; i < n; ++i) own[i] = d[i * classes + k];
      block.column_dots2(own.data(), none.data(), product.data() + k * cols, low.data() + k * cols);
      block.column_abs_dots(own.data(), absolute.data() + k * cols);
    }
  }

  bool finite() const { return true; }
  void merge(const SimplexSums& other) {
    rows += other.rows;
    weight += other.weight;
    const DoubleDouble both = DoubleDouble(loss, loss_low) + DoubleDouble(other.loss, other.loss_low);
    loss = both.hi, loss_low = both.lo;
    right += other.right;
    least = std::min(least, other.least);
    most = std::max(most, other.most);
    divergences += other.divergences;
    size += other.size;
    for (std::size_t k = 0; k < sum.size(); ++k) sum[k] += other.sum[k];
    for (std::size_t k = 0; k < m.size(); ++k) m[k] += other.m[k];
    for (std::size_t j = 0; j < product.size(); ++j) {
      const DoubleDouble x = DoubleDouble(product[j], low[j]) + DoubleDouble(other.product[j], other.low[j]);
      product[j] = x.hi, low[j] = x.lo;
      absolute[j] += other.absolute[j];
    }
  }
  std::string to_bytes() const {
    StateWriter out("simp");
    for (const Index x : {cols, classes, rows}) out.put(x);
    for (const double x : {weight, loss, loss_low, right, least, most, divergences, size}) out.put(x);
    for (const auto* each : {&sum, &m, &product, &low, &absolute}) {
      out.put(static_cast<Index>(each->size()));
      out.put(*each);
    }
    return out.take();
  }
  static Result<SimplexSums> from_bytes(std::string_view bytes) {
    StateReader in("simp", bytes);
    SimplexSums out;
    for (Index* x : {&out.cols, &out.classes, &out.rows}) *x = in.index();
    for (double* x :
         {&out.weight, &out.loss, &out.loss_low, &out.right, &out.least, &out.most, &out.divergences, &out.size})
      *x = in.number();
    for (auto* each : {&out.sum, &out.m, &out.product, &out.low, &out.absolute}) {
      const Index count = in.index();
      in.require(count >= 0);
      if (in.good()) *each = in.numbers(count);
    }
    if (!in.done()) return damaged_state("check of softmax regression");
    return out;
  }
};

struct Step {
  std::vector<double> t;
  double least = 0; // eigenvalue of M across the classes, a lower bound; 0: none was found
};

// M has the constant vector as its null space; a constant matrix beside it makes it whole.
Step step_of(const SimplexSums& seen) {
  const Index k = seen.classes;
  std::vector<double> whole(static_cast<std::size_t>(k * k)), rhs;
  for (Index c = 0; c < k; ++c) rhs.push_back(seen.sum[c] / seen.weight);
  for (std::size_t s = 0; s < whole.size(); ++s) whole[s] = seen.m[s] / seen.weight + 1 / static_cast<double>(k);
  const blas::SerialBlas serial;
  const Cholesky<double> factor(whole, k, 1e-14);
  Step step{factor.solve(rhs)};
  const double off = 64 * static_cast<double>(k * k) * 0x1p-52;
  double guess = 0.5 / std::max(1.0, factor.condition_estimate());
  for (int tries = 0; tries < 4 && factor.rank() == k; ++tries, guess /= 16) {
    std::vector<double> trial = whole;
    for (Index c = 0; c < k; ++c) trial[c + c * k] -= guess + off;
    if (blas::potrf(k, {trial.data(), k}) != 0) continue;
    step.least = guess;
    break;
  }
  return step;
}

struct Bound {
  double gap = kInfinity, slack = 0;
  bool exact = false;
};

Bound bound_of(const SoftmaxClaimed& claimed, const SimplexSums& seen, double least) {
  Bound out;
  const double w = seen.weight, unit = (static_cast<double>(seen.classes) + 64) * 0x1p-52;
  double rest = 0; // |sum s d|, with its rounding
  for (const double x : seen.sum) rest += std::pow((std::abs(x) + unit * seen.size) / w, 2);
  const double further = claimed.intercept ? (least > 0 ? std::sqrt(rest) / least : kInfinity) : 0;
  if (!(seen.least - 2 * further > 0)) return out;
  out.exact = true;
  out.gap = seen.divergences / w;
  const double off = further + unit; // of p' and P, beside themselves
  out.slack = 64 * unit * out.gap + 4 * off * (seen.most + 2 * off);
  for (std::size_t s = 0; s < seen.product.size(); ++s) {
    const double u = claimed.unit[s % static_cast<std::size_t>(seen.cols)], strength = claimed.lambda2 * u;
    if (u == 0) continue;
    const double g = DoubleDouble(seen.product[s], seen.low[s]).hi / w;
    const double margin = (unit + 2 * further) * seen.absolute[s] / w;
    if (strength == 0) {
      out.gap += std::abs(g * claimed.w[s]);
      out.exact = false;
      continue;
    }
    const double away = std::abs(strength * claimed.w[s] - g);
    out.gap += away * away / (2 * strength);
    out.slack += (2 * away + margin) * margin / (2 * strength);
  }
  return out;
}

Certificate written(const SoftmaxClaimed& claimed, double objective, Bound found, Index passes) {
  Certificate c;
  c.objective = objective;
  c.null_objective = claimed.null_objective;
  c.tolerance = claimed.tolerance;
  c.stop = claimed.stop;
  c.passes = claimed.passes + passes;
  c.conditions = claimed.conditions;
  if (!(found.gap + found.slack < objective)) found = {objective, 64 * 0x1p-53 * objective, true}; // p' = Y
  const double limit = claimed.tolerance * claimed.null_objective;
  const bool holds = found.gap + found.slack <= limit;
  c.slack = found.slack;
  c.claim = DualityGap{objective, objective - found.gap, found.gap, false};
  if (holds)
    c.verdict = found.exact ? Verdict::proved : Verdict::within_tolerance;
  else if (found.gap <= limit) // and roundings could hide more
    c.verdict = Verdict::within_tolerance;
  else
    c.verdict = claimed.stopped_early || claimed.gave_up ? Verdict::stopped_early : Verdict::refuted;
  if (holds && !found.exact) c.conditions.push_back("its dual point meets the constraints to rounding only");
  return c;
}

} // namespace

Result<SoftmaxChecked> certify(const SoftmaxClaimed& claimed, const Gram*, RowSource* rows, Pool& pool,
                               const Watch& watch) {
  const auto finite = [](const std::vector<double>& x) {
    return std::ranges::all_of(x, [](double y) { return std::isfinite(y); });
  };
  if (!finite(claimed.w) || !finite(claimed.b))
    return fail(ErrorCode::refuted, "certificate", "a coefficient of the model is not a finite number",
                "the file was changed after the fit; fit again");
  auto target = std::make_shared<Target>(Target{claimed.classes, claimed.w, claimed.b, {}});
  const auto first =
      fresh_pass(*rows, SimplexSums(target), pool, watch, {.stage = "certifying", .pass = claimed.passes});
  if (!first) return std::unexpected(first.error());
  CompensatedSum penalty;
  for (std::size_t s = 0; s < claimed.w.size(); ++s)
    penalty.add(claimed.lambda2 / 2 * claimed.unit[s % claimed.unit.size()] * claimed.w[s] * claimed.w[s]);
  SoftmaxChecked checked;
  checked.mean_loss = (DoubleDouble(first->loss, first->loss_low) / first->weight).hi;
  checked.right = first->right;
  checked.rows = first->rows;
  Step step = step_of(*first);
  auto moved = std::make_shared<Target>(*target);
  moved->t = claimed.intercept ? step.t : std::vector<double>(static_cast<std::size_t>(claimed.classes), 0.0);
  const auto second =
      fresh_pass(*rows, SimplexSums(moved), pool, watch, {.stage = "certifying", .pass = claimed.passes + 1});
  if (!second) return std::unexpected(second.error());
  checked.certificate =
      written(claimed, checked.mean_loss + penalty.value(), bound_of(claimed, *second, step.least), 2);
  return checked;
}

} // namespace recta
