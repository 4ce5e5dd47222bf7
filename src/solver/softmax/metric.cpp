#include "solver/softmax/metric.hpp"

#include "base/blas.hpp"
#include "base/factor/cholesky.hpp"

#include <algorithm>
#include <cmath>

namespace recta {
namespace {

constexpr Index kInner = 300;
constexpr double kGrown = 1e4;        // of the least residual: far above the normal growth in conjugate gradients
constexpr double kLongest = 1e8;      // of a step of conjugate gradients, in units of the metric
constexpr double kBlockNumbers = 1e8; // of all blocks together
constexpr double kFlat = 1e3;         // one over twice the least curvature of a constant that is counted on

// Costs of a whole Hessian and of a pass of conjugate gradients, in units of a multiplication and an addition of BLAS
// on large matrices: per number of the rows that are multiplied with each other; per number of thin matrices; per
// probability.
constexpr double kFill = 60, kThin = 12, kExp = 300;
constexpr double kWorth = 40;       // passes that a whole Hessian may cost
constexpr double kWholeMost = 2000; // unknowns

class SharedMetric final : public SoftmaxMetric {
public:
  explicit SharedMetric(const SoftmaxLooks& looks) : looks_(looks) {
    const SoftmaxProblem& problem = looks.problem();
    const Gram& gram = *problem.gram;
    const std::vector<Index>& used = looks.used();
    const auto size = static_cast<Index>(used.size());
    std::vector<double> a(used.size() * used.size());
    for (Index c = 0; c < size; ++c) {
      for (Index r = 0; r <= c; ++r) {
        const Index i = used[r], j = used[c];
        const double about = gram.scatter[std::max(i, j) + std::min(i, j) * gram.size()];
        const double product = problem.intercept ? about : about + gram.weight * gram.mean[i] * gram.mean[j];
        a[r + c * size] = product / gram.weight / 2;
      }
      a[c + c * size] += problem.lambda2 * problem.unit[used[c]] + 1e-12 * a[c + c * size];
    }
    const blas::SerialBlas serial;
    factor_ = Cholesky<double>(std::move(a), size, 1e-14, &looks.pool());
  }

  void keep_to(const std::vector<std::vector<Index>>&) override {}
  ClassVector least(const ClassVector& from, const ClassVector&, double) const override { return from; }

  ClassVector inverted(const ClassVector& r) const override {
    const std::vector<Index>& used = looks_.used();
    const Index p = looks_.cols(), classes = looks_.classes();
    ClassVector out = looks_.zero();
    std::vector<double> mean(used.size()), rhs(used.size());
    for (std::size_t s = 0; s < used.size(); ++s)
      for (Index k = 0; k < classes; ++k) mean[s] += r.w[k * p + used[s]] / static_cast<double>(classes);
    double about = 0;
    for (const double c : r.c) about += c / static_cast<double>(classes);
    for (Index k = 0; k < classes; ++k) {
      for (std::size_t s = 0; s < used.size(); ++s) rhs[s] = r.w[k * p + used[s]] - mean[s];
      const std::vector<double> x = factor_.solve(rhs);
      for (std::size_t s = 0; s < used.size(); ++s) out.w[k * p + used[s]] = x[s];
      out.c[k] = 2 * (r.c[k] - about);
    }
    return out;
  }

private:
  const SoftmaxLooks& looks_;
  Cholesky<double> factor_;
};

} // namespace

std::unique_ptr<SoftmaxMetric> shared_metric(const SoftmaxLooks& looks) {
  return std::make_unique<SharedMetric>(looks);
}

bool blocks_fit(const SoftmaxLooks& looks) {
  const auto size = static_cast<double>(looks.used().size());
  return !looks.problem().wide && static_cast<double>(looks.classes()) * size * size <= kBlockNumbers;
}

Result<std::unique_ptr<SoftmaxMetric>> metric_at(const ClassVector& point, SoftmaxLooks& looks) {
  return blocks_fit(looks) ? block_metric(point, looks) : diagonal_metric(point, looks);
}

void keep_centred(ClassVector& x, const SoftmaxLooks& looks) {
  const Index p = looks.cols(), classes = looks.classes();
  const auto k = static_cast<double>(classes);
  for (Index j = 0; j < p && looks.problem().lambda1 == 0; ++j) {
    double mean = 0;
    for (Index c = 0; c < classes; ++c) mean += x.w[c * p + j] / k;
    for (Index c = 0; c < classes; ++c) x.w[c * p + j] -= mean;
  }
  double mean = 0;
  for (const double c : x.c) mean += c / k;
  for (double& c : x.c) c -= mean;
}

double gap_of_squares(const ClassVector& g, const SoftmaxLooks& looks) {
  const SoftmaxProblem& problem = looks.problem();
  const Index p = looks.cols();
  double gap = 0;
  for (Index k = 0; k < looks.classes(); ++k) {
    gap += std::abs(g.c[k]) * std::min(1.0, kFlat * std::abs(g.c[k]));
    for (const Index j : looks.used()) gap += g.w[k * p + j] * g.w[k * p + j] / (2 * problem.lambda2 * problem.unit[j]);
  }
  return gap;
}

WholeCost whole_pays(const SoftmaxLooks& looks) {
  const SoftmaxProblem& problem = looks.problem();
  if (problem.wide || problem.sparse || problem.lambda1 > 0) return {};
  const auto n = static_cast<double>(problem.rows), k = static_cast<double>(looks.classes());
  const auto size = k * static_cast<double>(looks.used().size() + 1);
  const double hessian = n * size * (size + kFill) + size * size * size / 3, pass = n * size * kThin + n * k * kExp;
  if (size > kWholeMost || hessian > kWorth * pass) return {};
  return {true, static_cast<Index>(std::ceil(hessian / pass))};
}

Result<ConjugateStep> conjugate_step(const ClassVector& point, const ClassVector& gradient, double value,
                                     const SoftmaxMetric& metric, SoftmaxLooks& looks) {
  ConjugateStep out{looks.zero()};
  ClassVector r = looks.zero();
  r.add(-1, gradient);
  ClassVector z = metric.inverted(r), d = z;
  double rz = dot(r, z), least = INFINITY;
  ClassVector best;
  Index unknown = looks.classes(); // this many steps are enough, except for rounding
  for (const double x : z.w) unknown += x != 0 ? 1 : 0;
  const Index longest = std::min(kInner, 2 * unknown + 8);
  const SoftmaxProblem& problem = looks.problem();
  const bool to_tolerance = problem.loose() && problem.lambda1 == 0 && problem.lambda2 > 0;
  const double goal = 0.03 * problem.tolerance * problem.null_objective;
  const double enough = std::min(0.1, std::sqrt(std::max(0.0, rz / std::max(value, 1e-300)))) * rz * 0.1;
  for (; out.passes < longest && rz > 0 && (out.passes == 0 || rz > enough); ++out.passes) {
    const auto h = looks.curved(point, d);
    if (!h) return std::unexpected(h.error());
    const double curvature = dot(d, *h), length = rz / curvature;
    if (!(curvature > 0) || length > kLongest) { // the remainder is rounding, along which the loss is flat
      if (out.passes == 0 && looks.problem().lambda1 > 0) out.step = d; // until some weight becomes zero
      break;
    }
    out.step.add(length, d);
    r.add(-length, *h);
    z = metric.inverted(r);
    const double next = dot(r, z);
    if (next < least) least = next, best = out.step;
    if (next > kGrown * least) { // only rounding is left, and it grows
      out.step = std::move(best);
      break;
    }
    if (to_tolerance && gap_of_squares(r, looks) <= goal) {
      ++out.passes;
      break;
    }
    ClassVector on = z;
    on.add(next / rz, d);
    d = std::move(on);
    rz = next;
  }
  keep_centred(out.step, looks);
  return out;
}

} // namespace recta
