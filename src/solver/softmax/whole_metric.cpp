#include "base/blas.hpp"
#include "base/factor/cholesky.hpp"
#include "solver/coordinate_descent/term.hpp"
#include "solver/softmax/metric.hpp"

#include <algorithm>
#include <cmath>

namespace recta {
namespace {

constexpr Index kRows = 32;          // per unknown, from which the Hessian is made
constexpr Index kRowsOfNewton = 200; // without a penalty on absolute values: classes that are nearly apart have little
                                     // curvature in most rows
constexpr Index kWholeSweeps = 10;   // over coordinates, before solving for the non-zero weights
constexpr Index kSolves = 8;

// One unknown: a weight, or the constant of a class.
struct Unknown {
  Index class_of, column; // column -1: the constant
  double l1 = 0, l2 = 0;
};

class WholeMetric final : public SoftmaxMetric {
public:
  WholeMetric(const ClassHessian& hessian, const std::vector<std::vector<Index>>& columns, const SoftmaxLooks& looks)
      : looks_(looks), h_(hessian.lower), size_(hessian.size), firm_(looks.problem().lambda1 > 0 ? 1e-14 : 1e-11) {
    const SoftmaxProblem& problem = looks.problem();
    for (Index k = 0; k < looks.classes(); ++k) {
      for (const Index j : columns[k])
        unknowns_.push_back({k, j, problem.lambda1 * std::sqrt(problem.unit[j]), problem.lambda2 * problem.unit[j]});
      if (problem.intercept) unknowns_.push_back({k, -1});
    }
    for (Index c = 0; c < size_; ++c) {
      for (Index r = c; r < size_; ++r) h_[c + r * size_] = h_[r + c * size_] /= hessian.weight;
      double& diagonal = h_[c + c * size_];
      diagonal = std::max(diagonal, 0.0) + 1e-290; // rounding takes no curvature away
    }
    if (problem.lambda1 == 0) fill_flat_ways();
    keep_to(columns);
  }

  void keep_to(const std::vector<std::vector<Index>>& support) override {
    std::vector<char> in(unknowns_.size());
    for (Index u = 0; u < size_; ++u) {
      const auto& class_support = support[unknowns_[u].class_of];
      in[u] = unknowns_[u].column < 0 || std::ranges::binary_search(class_support, unknowns_[u].column);
    }
    kept_ = factored(in, 1);
  }

  ClassVector inverted(const ClassVector& r) const override {
    std::vector<double> rhs;
    for (const Index u : kept_.ids) rhs.push_back(at(r, u));
    const std::vector<double> x = kept_.factor.solve(rhs);
    ClassVector out = looks_.zero();
    for (std::size_t s = 0; s < x.size(); ++s) at(out, kept_.ids[s]) = x[s];
    keep_centred(out, looks_);
    return out;
  }

  // The minimum of the parabola: sweeps over the coordinates find out which are zero, factors solve for the others.
  ClassVector least(const ClassVector& from, const ClassVector& gradient, double times) const override {
    Parabola now{std::vector<double>(unknowns_.size()), std::vector<double>(unknowns_.size()), times};
    for (Index u = 0; u < size_; ++u) {
      now.x[u] = at(from, u);
      now.slope[u] = at(gradient, u) - unknowns_[u].l2 * now.x[u];
    }
    double first = 0;
    for (Index solve = 0; solve < kSolves; ++solve) {
      double moved = 0;
      for (Index sweep = 0; sweep < kWholeSweeps; ++sweep) moved = swept(now);
      if (solve == 0) first = moved;
      if (!(moved > 1e-6 * first) || !solved(now)) break;
    }
    ClassVector to = from;
    for (Index u = 0; u < size_; ++u) at(to, u) = now.x[u];
    keep_centred(to, looks_);
    return to;
  }

private:
  struct Kept {
    std::vector<Index> ids;
    Cholesky<double> factor;
  };
  struct Parabola {
    std::vector<double> x, slope; // slope: of the loss alone
    double times;
  };

  // The loss does not see the part that all classes share, of the constants and, without squares, of a column's
  // weights: without curvature there, the factor would be rounding. Steps have none of that part.
  void fill_flat_ways() {
    const Index classes = looks_.classes(), each = size_ / classes;
    for (Index u = 0; u < each; ++u) {
      if (unknowns_[u].column >= 0 && unknowns_[u].l2 > 0) continue;
      double mean = 0;
      for (Index k = 0; k < classes; ++k) mean += h_[(u + k * each) * (size_ + 1)] / static_cast<double>(classes);
      for (Index k = 0; k < classes; ++k)
        for (Index l = 0; l < classes; ++l) h_[u + k * each + (u + l * each) * size_] += mean;
    }
  }

  double& at(ClassVector& v, Index u) const {
    const Unknown& unknown = unknowns_[u];
    return unknown.column < 0 ? v.c[unknown.class_of] : v.w[unknown.class_of * looks_.cols() + unknown.column];
  }
  double at(const ClassVector& v, Index u) const {
    const Unknown& unknown = unknowns_[u];
    return unknown.column < 0 ? v.c[unknown.class_of] : v.w[unknown.class_of * looks_.cols() + unknown.column];
  }

  Kept factored(const std::vector<char>& in, double times) const {
    Kept out;
    for (Index u = 0; u < size_; ++u)
      if (in[u]) out.ids.push_back(u);
    const auto size = std::ssize(out.ids);
    std::vector<double> a(out.ids.size() * out.ids.size());
    for (Index c = 0; c < size; ++c) {
      for (Index r = 0; r <= c; ++r) a[r + c * size] = times * h_[out.ids[r] + out.ids[c] * size_];
      a[c + c * size] += unknowns_[out.ids[c]].l2 + firm_ * a[c + c * size];
    }
    out.factor = Cholesky<double>(std::move(a), size, 1e-15, &looks_.pool());
    return out;
  }

  void move(Parabola& now, Index u, double step) const {
    now.x[u] += step;
    blas::axpy(size_, now.times * step, h_.data() + u * size_, now.slope.data());
  }

  double swept(Parabola& now) const {
    double moved = 0;
    for (Index u = 0; u < size_; ++u) {
      const double h = now.times * h_[u + u * size_], l2 = unknowns_[u].l2;
      const double next = descent::Term{unknowns_[u].l1, l2}.prox(h * now.x[u] - now.slope[u], h);
      const double step = next - now.x[u];
      if (step == 0 || !std::isfinite(next)) continue;
      moved += (h + l2) * step * step;
      move(now, u, step);
      if (next == 0) now.x[u] = 0;
    }
    return moved;
  }

  // Solves over the non-zero weights. Those that would change their sign become zero, or, if that gains too little,
  // only the first of them does. False: there is no way down.
  bool solved(Parabola& now) const {
    std::vector<char> in(unknowns_.size());
    for (Index u = 0; u < size_; ++u) in[u] = now.x[u] != 0 || unknowns_[u].column < 0;
    const Kept kept = factored(in, now.times);
    std::vector<double> rhs;
    for (const Index u : kept.ids)
      rhs.push_back(-now.slope[u] - unknowns_[u].l2 * now.x[u] -
                    (unknowns_[u].l1 > 0 ? std::copysign(unknowns_[u].l1, now.x[u]) : 0));
    const std::vector<double> step = kept.factor.solve(rhs);
    double fall = 0, length = 1;
    std::vector<double> way(unknowns_.size());
    std::vector<Index> crossed; // the first last
    for (std::size_t s = 0; s < step.size(); ++s) {
      const Index u = kept.ids[s];
      fall += rhs[s] * step[s];
      way[u] = step[s];
      if (!(unknowns_[u].l1 > 0 && now.x[u] * (now.x[u] + step[s]) < 0)) continue;
      const bool sooner = -now.x[u] / step[s] < length;
      if (sooner) length = -now.x[u] / step[s];
      crossed.insert(sooner ? crossed.end() : crossed.begin(), u);
    }
    if (!(fall > 0)) return false;
    for (const Index u : crossed) way[u] = -now.x[u];
    if (go(now, way, crossed.empty() ? -INFINITY : 0.1 * fall)) return true;
    for (std::size_t s = 0; s < step.size(); ++s) way[kept.ids[s]] = length * step[s];
    way[crossed.back()] = -now.x[crossed.back()];
    return go(now, way, -INFINITY);
  }

  // Goes along the direction, if the parabola falls by that much.
  bool go(Parabola& now, const std::vector<double>& way, double least) const {
    std::vector<double> curved(unknowns_.size());
    blas::symv(now.times, {h_.data(), size_}, way.data(), 0, curved.data());
    double fall = 0;
    for (Index u = 0; u < size_; ++u) {
      const double to = now.x[u] + way[u], l1 = unknowns_[u].l1, l2 = unknowns_[u].l2;
      fall -= way[u] * (now.slope[u] + curved[u] / 2 + l2 * (now.x[u] + way[u] / 2)) +
              l1 * (std::abs(to) - std::abs(now.x[u]));
    }
    if (!(fall >= least)) return false;
    for (Index u = 0; u < size_; ++u) {
      now.x[u] = way[u] == -now.x[u] ? 0 : now.x[u] + way[u];
      now.slope[u] += curved[u];
    }
    return true;
  }

  const SoftmaxLooks& looks_;
  std::vector<double> h_; // both triangles
  Index size_;
  double firm_; // share added to the diagonal: conjugate gradients must lose no curvature to rounding
  std::vector<Unknown> unknowns_;
  Kept kept_;
};

} // namespace

Result<std::unique_ptr<SoftmaxMetric>> whole_metric(const ClassVector& point, std::vector<std::vector<Index>> columns,
                                                    SoftmaxLooks& looks) {
  Index size = 0;
  for (const auto& class_columns : columns) size += std::ssize(class_columns);
  const Index rows = looks.problem().lambda1 > 0 ? kRows : kRowsOfNewton;
  const Index every = std::max<Index>(1, looks.problem().rows / (rows * (size + looks.classes())));
  const auto hessian = looks.hessian(point, columns, every);
  if (!hessian) return std::unexpected(hessian.error());
  return std::make_unique<WholeMetric>(*hessian, columns, looks);
}

} // namespace recta
