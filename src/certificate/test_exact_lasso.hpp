// The lasso and the elastic net without a rounding, for tests: a slow coordinate descent finds which columns are in use
// and with which sign, an exact solve in rationals gives their coefficients, and the optimality conditions are then
// checked in rationals. What comes back is the answer and not an approximation of it.
#pragma once

#include "objective/elastic_net/objective.hpp"
#include "objective/test_exact.hpp"

#include <optional>

namespace recta::testing {

struct ExactNet {
  std::vector<Rational> w;
  Rational b = 0, objective = 0;
};

// Sums of products of all columns and the target as the objective sees them, per unit weight.
struct ExactSums {
  std::vector<std::vector<Rational>> a; // p x p
  std::vector<Rational> c, mean;        // p; p + 1
  Rational q = 0;
};

inline ExactSums exact_sums(const Rows& rows, const ElasticNetObjective& o) {
  const Index d = rows.p + 1;
  ExactSums out{std::vector(rows.p, std::vector<Rational>(rows.p)), std::vector<Rational>(rows.p),
                std::vector<Rational>(d), 0};
  std::vector<std::vector<Rational>> sums(d, std::vector<Rational>(d));
  Rational total = 0;
  for (Index i = 0; i < rows.n; ++i) {
    const Rational v = rows.weights.empty() ? Rational(1) : Rational(rows.weights[i]);
    std::vector<Rational> z;
    for (Index j = 0; j < rows.p; ++j) z.emplace_back(rows.x[i * rows.p + j]);
    z.push_back(Rational(rows.y[i * rows.k]) - (rows.offset.empty() ? Rational(0) : Rational(rows.offset[i])));
    total += v;
    for (Index r = 0; r < d; ++r) {
      out.mean[r] += v * z[r];
      for (Index s = 0; s <= r; ++s) sums[r][s] += v * z[r] * z[s];
    }
  }
  for (Rational& m : out.mean) m /= total;
  for (Index r = 0; r < d; ++r)
    for (Index s = 0; s <= r; ++s) {
      const bool about = s < rows.p && r < rows.p ? o.centred() : o.intercept || (s < rows.p && o.standardise);
      const Rational value = sums[r][s] / total - (about ? Rational(out.mean[r] * out.mean[s]) : Rational(0));
      if (r < rows.p)
        out.a[r][s] = out.a[s][r] = value;
      else if (s < rows.p)
        out.c[s] = value;
      else
        out.q = value;
    }
  return out;
}

inline Rational magnitude(const Rational& x) {
  return x < 0 ? Rational(-x) : x;
}

// Not standardised: a deviation is no rational number.
inline Rational net_objective(const ExactSums& s, const ElasticNetObjective& o, const std::vector<Rational>& w) {
  Rational f = s.q / 2;
  for (std::size_t j = 0; j < w.size(); ++j) {
    if (w[j] == 0) continue;
    const auto at = static_cast<Index>(j);
    f += Rational(o.lambda1) * Rational(o.factor1(at)) * magnitude(w[j]) - s.c[j] * w[j];
    f += Rational(o.lambda2) * Rational(o.factor2(at)) * w[j] * w[j] / 2;
    for (std::size_t i = 0; i < w.size(); ++i) f += w[j] * w[i] * s.a[j][i] / 2;
  }
  return f;
}

inline std::vector<double> slow_descent(const ExactSums& s, const ElasticNetObjective& o, int sweeps) {
  const std::size_t p = s.c.size();
  std::vector<double> a(p * p), c(p), w(p);
  for (std::size_t j = 0; j < p; ++j) {
    c[j] = to_double(s.c[j]);
    for (std::size_t i = 0; i < p; ++i) a[i * p + j] = to_double(s.a[i][j]);
  }
  for (int sweep = 0; sweep < sweeps; ++sweep)
    for (std::size_t j = 0; j < p; ++j) {
      const auto at = static_cast<Index>(j);
      double rho = c[j];
      for (std::size_t i = 0; i < p; ++i) rho -= i == j ? 0 : a[i * p + j] * w[i];
      const double size = std::abs(rho) - o.lambda1 * o.factor1(at), scale = a[j * p + j] + o.lambda2 * o.factor2(at);
      w[j] = size > 0 && scale > 0 ? std::copysign(size / scale, rho) : 0;
      w[j] = std::clamp(w[j], o.least(at), o.most(at));
    }
  return w;
}

// Nothing if the signs were not found, or the columns in use depend on one another.
inline std::optional<ExactNet> exact_elastic_net(const Rows& rows, const ElasticNetObjective& o, int sweeps = 20000) {
  const ExactSums s = exact_sums(rows, o);
  const std::vector<double> near = slow_descent(s, o, sweeps);
  const std::size_t p = near.size();
  std::vector<std::size_t> in;
  ExactNet out;
  out.w.assign(p, Rational(0));
  for (std::size_t j = 0; j < p; ++j) {
    const auto at = static_cast<Index>(j);
    if (near[j] == o.least(at) || near[j] == o.most(at))
      out.w[j] = Rational(near[j]);
    else if (near[j] != 0)
      in.push_back(j);
  }
  std::vector<std::vector<Rational>> m;
  for (const std::size_t r : in) {
    auto& row = m.emplace_back();
    const auto at = static_cast<Index>(r);
    for (const std::size_t k : in) row.push_back(s.a[r][k]);
    row[m.size() - 1] += Rational(o.lambda2) * Rational(o.factor2(at));
    Rational rhs = s.c[r] - Rational(o.lambda1) * Rational(o.factor1(at)) * (near[r] > 0 ? 1 : -1);
    for (std::size_t k = 0; k < p; ++k) rhs -= s.a[r][k] * out.w[k];
    row.push_back(rhs);
  }
  for (std::size_t k = 0; k < m.size(); ++k) {
    if (m[k][k] == 0) return {};
    for (std::size_t r = 0; r < m.size(); ++r) {
      const Rational factor = m[r][k] / m[k][k];
      if (r == k || factor == 0) continue;
      for (std::size_t t = k; t <= m.size(); ++t) m[r][t] -= factor * m[k][t];
    }
  }
  for (std::size_t k = 0; k < m.size(); ++k) out.w[in[k]] = m[k][m.size()] / m[k][k];
  for (std::size_t j = 0; j < p; ++j) { // the optimality conditions
    const auto at = static_cast<Index>(j);
    const Rational a = Rational(o.lambda1) * Rational(o.factor1(at));
    Rational g = s.c[j] - Rational(o.lambda2) * Rational(o.factor2(at)) * out.w[j];
    for (std::size_t i = 0; i < p; ++i) g -= s.a[j][i] * out.w[i];
    const bool lowest = out.w[j] == Rational(std::max(o.least(at), -1e300));
    const bool highest = out.w[j] == Rational(std::min(o.most(at), 1e300));
    const Rational least = out.w[j] > 0 ? a : Rational(-a), most = out.w[j] < 0 ? Rational(-a) : a;
    if ((g > most && !highest) || (g < least && !lowest)) return {};
  }
  out.objective = net_objective(s, o, out.w);
  if (o.intercept) out.b = s.mean[p];
  for (std::size_t j = 0; o.centred() && j < p; ++j) out.b -= s.mean[j] * out.w[j];
  return out;
}

} // namespace recta::testing
