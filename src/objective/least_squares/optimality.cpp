#include "objective/least_squares/optimality.hpp"

#include "base/factor/cholesky.hpp"
#include "base/numbers.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace recta {
namespace {

constexpr double kSmallest = 0x1p-1070; // absolute rounding of a penalty near the smallest numbers, whatever its size

template <class T>
T square_norm(const std::vector<T>& z) {
  T sum = 0.0;
  for (const T& x : z) sum = sum + x * x;
  return sum;
}

// The factors are included only if they can be of use and there are few enough to find in the time of the
// factorisation.
template <class T>
std::vector<DroppedColumn> dropped_by(const Cholesky<T>& factor, const Quadratic& q) {
  constexpr Index kMostFactors = 4'000'000;
  std::vector<DroppedColumn> out;
  for (Index j = 0; j < q.cols(); ++j)
    if (!q.constant(j) && !factor.is_basic(j)) out.push_back({j, {}});
  if (q.objective().penalised() || static_cast<Index>(out.size()) * q.cols() > kMostFactors) return out;
  for (DroppedColumn& dropped_column : out)
    for (const T& f : factor.combination(dropped_column.column))
      dropped_column.factors.push_back(static_cast<double>(f));
  return out;
}

// Everything for one target; sums are not yet divided by W.
struct Target {
  DoubleDouble squares, sum, penalty, gap, gradient_squares;
  double excess = 0; // by how much the true gap may be larger
};

// The factor and what rounding can have done to it. With the columns scaled as the factor scales them, A the exact
// matrix, R what was computed and E = A - R'R,
//   ||E|| <= e = products tr(A) + (p + 16) u tr(H) + penalty tr(T)        (Higham 2002, Theorem 10.3, in any order of
//   sums)
// so that A >= (1 - theta) R'R with theta = e ||R^-1||^2, and for g off by no more than epsilon, z being the computed
// solution of R'z = g, which is the exact one of a system off by (p + 16) u |R|,
//   g'A^-1 g <= (||z|| (1 + s) + ||R^-1|| ||epsilon||)^2 / (1 - theta),   s = (p + 16) u ||R||_F ||R^-1||.
// ||R^-1|| is bounded by the Frobenius norm of the computed inverse, itself off by a factor of at most 1 / (1 - s).
template <class T>
class Meter {
public:
  Meter(const Quadratic& q, const Rounding& rounding, Pool& pool)
      : q_(q), rounding_(rounding), factor_(q.hessian<T>(), q.cols(), q.dependence_tolerance(), &pool) {
    double products = 0, penalties = 0, smallest = 0, norm = 0; // traces of A and T, squared norm of R^-1
    const std::vector<T> inverse = factor_.inverse_diagonal(&pool);
    for (const Index j : factor_.basic()) {
      const double scale = factor_.column_scale(j);
      products += q.product(j, j).hi * scale * scale;
      penalties += q.penalty(j).hi * scale * scale;
      smallest += q.objective().penalised() ? kSmallest * scale * scale : 0;
      norm += static_cast<double>(inverse[j]) / scale / scale;
    }
    const double unit = (static_cast<double>(q.cols()) + 16) * (kDouble ? kUnit : 8 * kUnit * kUnit);
    solve_ = unit * std::sqrt(2 * (products + penalties) * norm);
    inverse_ = norm / ((1 - solve_) * (1 - solve_));
    theta_ = inverse_ * (rounding.products() * products + unit * (products + penalties) +
                         rounding.penalty() * penalties + smallest);
    bounded_ = solve_ < 0.5 && theta_ < 0.5;
  }

  const Cholesky<T>& factor() const { return factor_; }

  Target target(const std::vector<double>& w, const Residual& r, Index t, const Rounding::Target& rounded) {
    const Index p = q_.cols();
    const std::vector<DoubleDouble> g = gradient_of(q_, std::vector<DoubleDouble>(w.begin(), w.end()), r, t);
    std::vector<T> g_here(p);
    for (Index j = 0; j < p; ++j) g_here[j] = static_cast<T>(g[j]);
    const std::vector<T> z = factor_.forward(g_here);
    const std::vector<T> step = factor_.backward(z);
    Target out{{r.squares[t], r.squares_low[t]}, {r.sum[t], r.sum_low[t]}, 0.0, square_norm(z), 0.0};
    double noise = 0; // ||epsilon||^2
    for (Index j = 0; j < p; ++j) {
      const DoubleDouble pull = q_.penalty(j) * w[j + t * p];
      out.penalty += pull * w[j + t * p];
      out.gradient_squares += g[j] * g[j];
      coefficient_error = std::max(coefficient_error, std::abs(static_cast<double>(step[j])) * q_.deviation(j));
      if (!factor_.is_basic(j)) continue;
      double error = rounding_.gradient(rounded, r, t, j, pull.hi) + kSmallest * std::abs(w[j + t * p]);
      if (kDouble) error += kUnit * std::abs(g[j].hi);
      error *= factor_.column_scale(j);
      noise += error * error;
    }
    const double gap = DoubleDouble(out.gap).hi, size = std::sqrt(gap) * (1 + solve_),
                 more = std::sqrt(inverse_ * noise);
    out.excess = (gap * (solve_ * (2 + solve_) + theta_) + more * (2 * size + more)) / (1 - theta_);
    if (!bounded_) out.excess = std::numeric_limits<double>::infinity();
    return out;
  }

  double coefficient_error = 0;

private:
  static constexpr bool kDouble = std::is_same_v<T, double>;
  const Quadratic& q_;
  const Rounding& rounding_;
  Cholesky<T> factor_;
  double inverse_ = 0, theta_ = 0, solve_ = 0; // ||R^-1||^2, theta and s above
  bool bounded_ = false;
};

struct MeanResidual {
  double value, error;
};

// Adds the share of the intercept: 1/2 (mean r)^2 if it is free, the distance to the value it is tied to otherwise. An
// offset of one rounding is the number b itself, not an error of the answer, and counts as rounding.
void add_intercept(const Quadratic& q, const Rounding& rounding, const double* w, double b, MeanResidual residual,
                   Optimality& out) {
  const auto [mean, error] = residual;
  if (q.objective().intercept) {
    out.suboptimality += mean * mean / 2;
    out.slack += error * (std::abs(mean) + error / 2);
    return;
  }
  DoubleDouble due = 0.0;
  double blur = 0; // error of what is due
  if (q.objective().standardise)
    for (Index j = 0; j < q.cols(); ++j) {
      due -= q.mean(j) * w[j];
      blur += std::abs(w[j]) *
              (rounding.mean(j) + 16 * static_cast<double>(q.cols()) * kUnit * kUnit * std::abs(q.mean(j).hi));
    }
  const double off = std::abs((due - b).hi), size = std::abs(mean) + error;
  const bool rounded_b = off <= 2 * kUnit * std::abs(b);
  (rounded_b ? out.slack : out.suboptimality) += off * (off / 2 + size);
  out.slack += blur * (off + blur / 2 + size);
}

// F - F* <= F, whatever the factor says.
void finish(const Rounding& rounding, double objective_error, bool zero, Optimality& out) {
  out.whole = out.objective * (1 + 0x1p-20 + std::min(1.0, rounding.penalty())) + objective_error;
  if (!(out.suboptimality + out.slack <= out.whole)) out.slack = std::max(0.0, out.whole - out.suboptimality);
  if (!zero) out.slack += last_bits(out.suboptimality + out.slack);
}

template <class T>
Optimality measure_in(const Quadratic& q, const std::vector<double>& w, const std::vector<double>& b, const Residual& r,
                      bool merged, Pool& pool) {
  const Rounding rounding(q.sizes(merged));
  Meter<T> meter(q, rounding, pool);
  Optimality out;
  out.rank = meter.factor().rank();
  out.dropped = dropped_by(meter.factor(), q);
  const DoubleDouble weight = q.weight();
  DoubleDouble trace = 0.0, squares = 0.0, gradients = 0.0;
  double objective_error = 0;
  bool zero = true;
  for (Index j = 0; j < q.cols(); ++j) trace += q.product(j, j);
  for (Index t = 0; t < q.targets(); ++t) {
    const double* target_w = w.data() + t * q.cols();
    const Rounding::Target rounded = rounding.target(target_w, b[t], r, t);
    const Target target = meter.target(w, r, t, rounded);
    out.objective += ((target.squares + target.penalty) / weight).hi / 2;
    out.suboptimality += target.gap.hi / weight.hi / 2;
    out.slack += target.excess / weight.hi / 2;
    add_intercept(q, rounding, target_w, b[t], {(target.sum / weight).hi, rounded.mean_residual}, out);
    objective_error += rounded.objective;
    zero = zero && rounded.zero;
    squares += target.squares;
    gradients += target.gradient_squares;
  }
  finish(rounding, objective_error, zero, out);
  const double scale = std::sqrt(trace.hi) * std::sqrt(squares.hi);
  out.backward_error = scale > 0 ? std::sqrt(gradients.hi) / scale : 0;
  out.coefficient_error = meter.coefficient_error;
  return out;
}

} // namespace

// g = sum v r (x - mean) - T w. The pass took its gradient about the rounded means; the rest is added here.
std::vector<DoubleDouble> gradient_of(const Quadratic& q, const std::vector<DoubleDouble>& w, const Residual& r,
                                      Index t) {
  const Index p = q.cols();
  const std::vector<double>& centre = r.predictor->centre;
  const DoubleDouble sum(r.sum[t], r.sum_low[t]);
  std::vector<DoubleDouble> g(p);
  for (Index j = 0; j < p; ++j) {
    const Index at = j + t * p;
    if (q.constant(j)) {
      g[j] = -(q.penalty(j) * w[at]);
      continue;
    }
    const DoubleDouble shift =
        q.objective().centred() ? q.mean(j) - (centre.empty() ? 0.0 : centre[j]) : DoubleDouble(0.0);
    g[j] = DoubleDouble(r.gradient[at], r.gradient_low[at]) - shift * sum - q.penalty(j) * w[at];
  }
  return g;
}

std::vector<DroppedColumn> dropped_columns(const Quadratic& q, Pool& pool) {
  return dropped_by(Cholesky<double>(q.hessian<double>(), q.cols(), q.dependence_tolerance(), &pool), q);
}

Optimality measure(const Quadratic& q, const std::vector<double>& w, const std::vector<double>& b, const Residual& r,
                   bool merged, Pool& pool) {
  return q.extended() ? measure_in<DoubleDouble>(q, w, b, r, merged, pool)
                      : measure_in<double>(q, w, b, r, merged, pool);
}

Optimality measure_gap(const Quadratic& q, const std::vector<double>& w, const std::vector<double>& b,
                       const Residual& r, bool merged) {
  const Rounding rounding(q.sizes(merged));
  Optimality out;
  out.rank = q.cols();
  DoubleDouble twice_objective = 0.0, twice_gap = 0.0, gradients = 0.0, squares = 0.0, trace = 0.0;
  double twice_slack = 0, objective_error = 0;
  bool zero = true;
  const double total = 2 * q.weight().hi;
  for (Index j = 0; j < q.cols(); ++j) trace += q.product(j, j);
  for (Index t = 0; t < q.targets(); ++t) {
    const double* target_w = w.data() + t * q.cols();
    const Rounding::Target rounded = rounding.target(target_w, b[t], r, t);
    const std::vector<DoubleDouble> g = gradient_of(q, std::vector<DoubleDouble>(w.begin(), w.end()), r, t);
    const double mean = (DoubleDouble(r.sum[t], r.sum_low[t]) / q.weight()).hi;
    squares += DoubleDouble(r.squares[t], r.squares_low[t]);
    add_intercept(q, rounding, target_w, b[t], {mean, rounded.mean_residual}, out);
    objective_error += rounded.objective;
    zero = zero && rounded.zero;
    for (Index j = 0; j < q.cols(); ++j) {
      const DoubleDouble penalty = q.penalty(j);
      const double error =
          rounding.gradient(rounded, r, t, j, (penalty * target_w[j]).hi) + kSmallest * std::abs(target_w[j]);
      const double size = std::abs(g[j].hi), unsure = rounding.penalty() + kSmallest / penalty.hi;
      if (!(unsure < 0.5)) out.slack = std::numeric_limits<double>::infinity();
      twice_objective += penalty * target_w[j] * target_w[j];
      twice_gap += g[j] * g[j] / penalty;
      twice_slack += (error * (2 * size + error) + unsure * size * size) / (1 - unsure) / penalty.hi;
      gradients += g[j] * g[j];
    }
  }
  out.objective = (twice_objective + squares).hi / total;
  out.suboptimality += twice_gap.hi / total;
  out.slack += twice_slack / total;
  finish(rounding, objective_error, zero, out);
  const double scale = std::sqrt(trace.hi) * std::sqrt(squares.hi);
  out.backward_error = scale > 0 ? std::sqrt(gradients.hi) / scale : 0;
  return out;
}

// sum v r^2 = sum v (r - mean r)^2 + W (mean r)^2. The first part comes from the quadratic, which is where a
// near-perfect fit loses its digits. gradient_abs holds the sizes of the terms summed here.
Residual residual_from(const Quadratic& q, std::shared_ptr<const Predictor> predictor) {
  const Index p = q.cols(), k = q.targets();
  Residual r(predictor);
  r.rows = q.rows();
  r.weight = q.weight().hi;
  r.weight_low = q.weight().lo;
  const auto put = [](std::vector<double>& high, std::vector<double>& low, Index at, DoubleDouble value) {
    high[at] = value.hi;
    low[at] = value.lo;
  };
  const bool centred = q.objective().centred();
  for (Index t = 0; t < k; ++t) {
    const double* w = predictor->w.data() + t * p;
    DoubleDouble mean_residual = q.mean(p + t) - predictor->b[t];
    for (Index j = 0; j < p; ++j) mean_residual -= q.mean(j) * w[j];
    DoubleDouble squares = q.square(t);
    for (Index j = 0; j < p; ++j) {
      DoubleDouble g = q.cross(j, t);
      double sizes = std::abs(g.hi);
      for (Index i = 0; i < p; ++i) {
        const DoubleDouble part = q.product(i, j) * w[i];
        g -= part;
        sizes += std::abs(part.hi);
      }
      r.gradient_abs[j + t * p] = sizes;
      squares -= (q.cross(j, t) + g) * w[j];
      // About the rounded means, as in a pass over the rows.
      if (centred) g += (q.mean(j) - predictor->centre[j]) * mean_residual * q.weight();
      put(r.gradient, r.gradient_low, j + t * p, g);
    }
    if (q.objective().intercept) squares += q.weight() * mean_residual * mean_residual;
    if (squares.hi < 0) squares = 0.0;
    put(r.squares, r.squares_low, t, squares);
    put(r.sum, r.sum_low, t, mean_residual * q.weight());
  }
  return r;
}

} // namespace recta
