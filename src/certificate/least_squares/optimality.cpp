#include "certificate/least_squares/optimality.hpp"

#include "base/factor/cholesky.hpp"

#include <algorithm>
#include <cmath>

namespace recta {
namespace {

constexpr double kUnit = 0x1p-53;

template <class T>
T square_norm(const std::vector<T>& z) {
  T sum = 0.0;
  for (const T& x : z) sum = sum + x * x;
  return sum;
}

// Everything for one target; sums are not yet divided by W.
struct Target {
  DoubleDouble squares, sum, penalty, gap, gradient_squares;
  double rounding = 0; // bound on ||R^-T (error of g)||
};

template <class T>
class Meter {
public:
  Meter(const Quadratic& q, Pool& pool)
      : q_(q), factor_(q.hessian<T>(), q.cols(), q.dependence_tolerance(), &pool),
        condition_(factor_.condition_estimate()) {}

  Index rank() const { return factor_.rank(); }
  double relative_error() const {
    const double unit = std::is_same_v<T, double> ? kUnit : 0x1p-102;
    return std::min(1.0, 8 * static_cast<double>(q_.cols()) * unit * condition_);
  }

  Target target(const std::vector<double>& w, const Residual& r, Index t) {
    const Index p = q_.cols();
    const std::vector<DoubleDouble> g = gradient_of(q_, std::vector<DoubleDouble>(w.begin(), w.end()), r, t);
    std::vector<T> g_here(p);
    for (Index j = 0; j < p; ++j) g_here[j] = static_cast<T>(g[j]);
    const std::vector<T> z = factor_.forward(g_here);
    const std::vector<T> step = factor_.backward(z);
    Target out{{r.squares[t], r.squares_low[t]}, {r.sum[t], r.sum_low[t]}, 0.0, square_norm(z), 0.0};
    double noise = 0;
    for (Index j = 0; j < p; ++j) {
      const Index at = j + t * p;
      out.penalty += q_.penalty(j) * w[at] * w[at];
      out.gradient_squares += g[j] * g[j];
      const double error =
          gradient_unit() * (r.gradient_abs[at] + std::abs((q_.penalty(j) * w[at]).hi)) * factor_.column_scale(j);
      if (factor_.is_basic(j)) noise += error * error;
      coefficient_error = std::max(coefficient_error, std::abs(static_cast<double>(step[j])) * q_.deviation(j));
    }
    // ||R^-1|| <= sqrt(||A^-1||), and the scaled A has a norm of at least 1/2; the estimator may be low by 3.
    out.rounding = std::sqrt(6 * condition_ * noise);
    return out;
  }

  double coefficient_error = 0;

private:
  static double gradient_unit() {
    return std::is_same_v<T, double> ? Residual::kGradientRounding * kUnit : 64 * kUnit * kUnit;
  }

  const Quadratic& q_;
  Cholesky<T> factor_;
  double condition_;
};

// What the intercept adds: free, it is 1/2 (mean r)^2; tied, the distance to the value it is tied to.
double intercept_part(const Quadratic& q, const std::vector<double>& w, double b, Index t, double mean_residual) {
  if (q.objective().intercept) return mean_residual * mean_residual / 2;
  DoubleDouble due = 0.0;
  if (q.objective().standardise)
    for (Index j = 0; j < q.cols(); ++j) due -= q.mean(j) * w[j + t * q.cols()];
  const double off = (due - b).hi;
  // An offset of one rounding is the number b itself, not an error of the answer.
  if (std::abs(off) <= 2 * kUnit * std::abs(b)) return 0;
  return off * off / 2 + std::abs(off * mean_residual);
}

template <class T>
Optimality measure_in(const Quadratic& q, const std::vector<double>& w, const std::vector<double>& b, const Residual& r,
                      Pool& pool) {
  Meter<T> meter(q, pool);
  Optimality out;
  out.rank = meter.rank();
  const DoubleDouble weight = q.weight();
  DoubleDouble trace = 0.0, squares = 0.0, gradients = 0.0;
  for (Index j = 0; j < q.cols(); ++j) trace += q.product(j, j);
  for (Index t = 0; t < q.targets(); ++t) {
    const Target one = meter.target(w, r, t);
    const double total = (weight).hi, gap = one.gap.hi;
    out.objective += ((one.squares + one.penalty) / weight).hi / 2;
    out.suboptimality += gap / total / 2 + intercept_part(q, w, b[t], t, (one.sum / weight).hi);
    out.slack += (std::sqrt(gap) * one.rounding + one.rounding * one.rounding / 2) / total;
    out.slack += gap / total / 2 * meter.relative_error();
    squares += one.squares;
    gradients += one.gradient_squares;
  }
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

Optimality measure(const Quadratic& q, const std::vector<double>& w, const std::vector<double>& b, const Residual& r,
                   Pool& pool) {
  return q.extended() ? measure_in<DoubleDouble>(q, w, b, r, pool) : measure_in<double>(q, w, b, r, pool);
}

Optimality measure_gap(const Quadratic& q, const std::vector<double>& w, const Residual& r) {
  Optimality out;
  out.rank = q.cols();
  DoubleDouble twice_objective = 0.0, twice_gap = 0.0, gradients = 0.0, squares = 0.0, trace = 0.0;
  double twice_slack = 0;
  for (Index j = 0; j < q.cols(); ++j) trace += q.product(j, j);
  for (Index t = 0; t < q.targets(); ++t) {
    const std::vector<DoubleDouble> g = gradient_of(q, std::vector<DoubleDouble>(w.begin(), w.end()), r, t);
    const DoubleDouble mean = DoubleDouble(r.sum[t], r.sum_low[t]) / q.weight();
    squares += DoubleDouble(r.squares[t], r.squares_low[t]);
    if (q.objective().intercept) twice_gap += mean * mean * q.weight();
    for (Index j = 0; j < q.cols(); ++j) {
      const Index at = j + t * q.cols();
      const DoubleDouble penalty = q.penalty(j);
      const double error = Residual::kGradientRounding * kUnit * (r.gradient_abs[at] + std::abs(penalty.hi * w[at]));
      twice_objective += penalty * w[at] * w[at];
      twice_gap += g[j] * g[j] / penalty;
      twice_slack += error * (2 * std::abs(g[j].hi) + error) / penalty.hi;
      gradients += g[j] * g[j];
    }
  }
  const double total = 2 * q.weight().hi;
  out.objective = (twice_objective + squares).hi / total;
  out.suboptimality = twice_gap.hi / total;
  out.slack = twice_slack / total;
  const double scale = std::sqrt(trace.hi) * std::sqrt(squares.hi);
  out.backward_error = scale > 0 ? std::sqrt(gradients.hi) / scale : 0;
  return out;
}

// sum v r^2 = sum v (r - mean r)^2 + W (mean r)^2 with the first part from the quadratic, which is where the digits of
// a near-perfect fit are lost. gradient_abs holds the sizes of what was added up here.
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
      // About the rounded means, as a pass would have it.
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
