#include "solver/closed_form/near_doubles.hpp"

#include <algorithm>
#include <cmath>

namespace recta {

std::vector<DoubleDouble> near_doubles(const std::vector<double>& r, const std::vector<Index>& basic,
                                       const std::vector<DoubleDouble>& w) {
  const auto n = std::ssize(basic), p = std::ssize(w);
  std::vector<DoubleDouble> x(w.size());
  std::vector<double> moved(basic.size()); // R (x - w) for the coefficients rounded so far
  const auto round = [&](Index j, Index rows, double change) {
    x[j] = (w[j] + change).hi;
    const double error = (x[j] - w[j]).hi;
    for (Index s = 0; s < rows; ++s) moved[s] += r[s + j * n] * error;
  };
  std::vector<char> is_basic(w.size());
  for (const Index j : basic) is_basic[j] = 1;
  for (Index j = 0; j < p; ++j)
    if (!is_basic[j]) round(j, n, 0);
  for (Index s = n - 1; s >= 0; --s) round(basic[s], s + 1, -moved[s] / r[s + basic[s] * n]);
  return x;
}

std::vector<DoubleDouble> near_doubles(const Cholesky<DoubleDouble>& factor, const std::vector<DoubleDouble>& w) {
  return near_doubles(factor.rows_in_double(), factor.basic(), w); // errors of u w need no more digits of R
}

namespace {

using Target = std::vector<DoubleDouble>; // p numbers of one target

std::vector<Target> by_target(const Weights& w, Index p) {
  std::vector<Target> out;
  for (auto first = w.begin(); first != w.end(); first += p) out.emplace_back(first, first + p);
  return out;
}

Target cross(const Quadratic& q, Index t) {
  Target c;
  for (Index j = 0; j < q.cols(); ++j) c.push_back(q.cross(j, t));
  return c;
}

// F - F* of the nearest doubles, over the columns of the factor: |R^-T (c - H w)|^2 / 2.
double above(const Quadratic& q, const Cholesky<DoubleDouble>& factor, const Weights& w) {
  const Index p = q.cols();
  DoubleDouble sum = 0.0;
  for (Index t = 0; t < q.targets(); ++t) {
    Target g = cross(q, t);
    for (Index j = 0; j < p; ++j) {
      for (Index i = 0; i < p; ++i) g[j] -= q.product(i, j) * w[i + t * p].hi;
      g[j] -= q.penalty(j) * w[j + t * p].hi;
    }
    for (const DoubleDouble& z : factor.forward(g)) sum += z * z;
  }
  return (sum / q.weight()).hi / 2;
}

Weights rounded(const Cholesky<DoubleDouble>& factor, const Weights& w) {
  Weights out;
  for (const Target& target : by_target(w, factor.size()))
    for (const DoubleDouble& x : near_doubles(factor, target)) out.push_back(x);
  return out;
}

Weights solved(const Quadratic& q, const Cholesky<DoubleDouble>& factor) {
  Weights out;
  for (Index t = 0; t < q.targets(); ++t)
    for (const DoubleDouble& x : factor.solve(cross(q, t))) out.push_back(x);
  return out;
}

// The columns that w uses, those that add least to the fit first: no other column can compensate the last rounding.
std::vector<Index> by_size(const Quadratic& q, const Target& w) {
  std::vector<Index> order;
  for (Index j = 0; j < q.cols(); ++j)
    if (w[j].hi != 0) order.push_back(j);
  std::ranges::sort(order, {},
                    [&](Index j) { return std::pair(std::abs(w[j].hi) * std::sqrt(q.product(j, j).hi), j); });
  return order;
}

Weights rounded_by_size(const Quadratic& q, const Weights& w) {
  Weights out;
  for (const Target& target : by_target(w, q.cols())) {
    const std::vector<Index> order = by_size(q, target);
    const Index n = std::ssize(order);
    std::vector<DoubleDouble> h(static_cast<std::size_t>(n * n)), some, all(target.size());
    for (Index c = 0; c < n; ++c) {
      some.push_back(target[order[c]]);
      for (Index r = 0; r <= c; ++r) h[r + c * n] = q.product(order[r], order[c]);
      h[c + c * n] += q.penalty(order[c]);
    }
    const std::vector<DoubleDouble> doubles = near_doubles(Cholesky<DoubleDouble>(std::move(h), n, 0), some);
    for (Index c = 0; c < n; ++c) all[order[c]] = doubles[c];
    out.insert(out.end(), all.begin(), all.end());
  }
  return out;
}

// H with its diagonal increased by a share of itself.
Cholesky<DoubleDouble> held_back(const Quadratic& q, double share) {
  std::vector<DoubleDouble> h = q.hessian<DoubleDouble>();
  for (Index j = 0; j < q.cols(); ++j) h[j + j * q.cols()] += h[j + j * q.cols()] * share;
  return {std::move(h), q.cols(), q.dependence_tolerance()};
}

} // namespace

Result<bool> take_near_doubles(const LeastSquaresProblem& problem, const Quadratic& q,
                               const NormalSolver<DoubleDouble>& normal, const RowReader& reader, Weights& w,
                               LeastSquaresSolution& solution) {
  if (above(q, normal.factor(), w) <= problem.tolerance * q.null_objective() / 2) return false;
  const RowReader* again = problem.single_pass ? nullptr : &reader;
  Weights best(w.size());
  for (std::size_t i = 0; i < w.size(); ++i) best[i] = w[i].hi;
  double least = 0;
  bool stopped = false;
  const auto measure = [&](const Weights& candidate) -> Result<double> {
    auto objective = objective_at(q, candidate, again, solution);
    stopped = !objective && objective.error().code == ErrorCode::interrupted;
    return objective;
  };
  const auto first = measure(best);
  if (stopped) return false;
  if (!first) return std::unexpected(first.error());
  least = *first;
  std::vector<Weights> candidates{Weights(w.size()), rounded(normal.factor(), w)};
  Weights independent = solved(q, normal.factor());
  if (again != nullptr) {
    const Correction correct = [&](const Target& g) { return normal.factor().solve(g); };
    const Refinement plan = plan_refinement(2 * normal.unit() * normal.condition(), 1e-18);
    const auto refined = refine(q, independent, correct, plan, reader, solution);
    if (!refined) return std::unexpected(refined.error());
  }
  candidates.push_back(rounded(normal.factor(), independent));
  candidates.push_back(rounded_by_size(q, independent));
  for (const double share : {1e-28, 1e-25, 1e-22, 1e-19, 1e-16, 1e-13}) {
    const Cholesky<DoubleDouble> factor = held_back(q, share);
    const Weights held = solved(q, factor);
    candidates.push_back(rounded(factor, held));
    candidates.push_back(rounded_by_size(q, held));
  }
  for (const Weights& candidate : candidates) {
    const auto objective = measure(candidate);
    if (stopped) return false;
    if (!objective) return std::unexpected(objective.error());
    if (*objective < least) least = *objective, best = candidate;
  }
  w = std::move(best);
  return true;
}

} // namespace recta
