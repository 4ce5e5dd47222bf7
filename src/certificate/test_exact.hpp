// Least squares and ridge in exact rational arithmetic, for tests: the normal equations of numbers that are doubles,
// without a rounding anywhere.
#pragma once

#include "certificate/test_rows.hpp"

#include <boost/multiprecision/cpp_bin_float.hpp>
#include <boost/multiprecision/cpp_int.hpp>

namespace recta::testing {

using Rational = boost::multiprecision::cpp_rational;
using Wide = boost::multiprecision::cpp_bin_float_100;

struct Exact {
  std::vector<Rational> w;       // the intercept first, where there is one
  std::vector<Rational> inverse; // diagonal of (X'VX + T)^-1, in the same order
  Rational rss, objective;
};

inline double to_double(const Rational& x) {
  return x.convert_to<double>();
}
inline double root(const Rational& x) {
  return sqrt(Wide(numerator(x)) / Wide(denominator(x))).convert_to<double>();
}

// tau is the penalty on every slope in units of the summed squares: W lambda2.
inline Exact exact_least_squares(const Rows& rows, bool intercept, const Rational& tau = 0, Index target = 0) {
  const Index lead = intercept ? 1 : 0, d = rows.p + lead;
  std::vector<std::vector<Rational>> a(d, std::vector<Rational>(d + 1 + d));
  std::vector<std::vector<Rational>> z;
  std::vector<Rational> y, v;
  for (Index i = 0; i < rows.n; ++i) {
    std::vector<Rational> row;
    if (intercept) row.emplace_back(1);
    for (Index j = 0; j < rows.p; ++j) {
      Rational x(rows.x[i * rows.p + j]);
      if (!rows.x_low.empty()) x += Rational(rows.x_low[i * rows.p + j]);
      row.push_back(x);
    }
    z.push_back(row);
    y.push_back(Rational(rows.y[i * rows.k + target]) - (rows.offset.empty() ? Rational(0) : Rational(rows.offset[i])));
    v.push_back(rows.weights.empty() ? Rational(1) : Rational(rows.weights[i]));
  }
  for (Index r = 0; r < d; ++r) {
    for (Index i = 0; i < rows.n; ++i) {
      const Rational left = v[i] * z[i][r];
      for (Index c = r; c < d; ++c) a[r][c] += left * z[i][c];
      a[r][d] += left * y[i];
    }
    if (r >= lead) a[r][r] += tau;
    a[r][d + 1 + r] = 1;
  }
  for (Index r = 0; r < d; ++r)
    for (Index c = 0; c < r; ++c) a[r][c] = a[c][r];
  for (Index pivot = 0; pivot < d; ++pivot) {
    const Rational inverse = 1 / a[pivot][pivot];
    for (auto& x : a[pivot]) x *= inverse;
    for (Index r = 0; r < d; ++r) {
      if (r == pivot || a[r][pivot] == 0) continue;
      const Rational factor = a[r][pivot];
      for (Index c = pivot; c < 2 * d + 1; ++c) a[r][c] -= factor * a[pivot][c];
    }
  }
  Exact out;
  for (Index r = 0; r < d; ++r) {
    out.w.push_back(a[r][d]);
    out.inverse.push_back(a[r][d + 1 + r]);
  }
  Rational total = 0;
  for (Index i = 0; i < rows.n; ++i) {
    Rational rest = y[i];
    for (Index r = 0; r < d; ++r) rest -= z[i][r] * out.w[r];
    out.rss += v[i] * rest * rest;
    total += v[i];
  }
  out.objective = out.rss;
  for (Index r = lead; r < d; ++r) out.objective += tau * out.w[r] * out.w[r];
  out.objective /= 2 * total;
  return out;
}

} // namespace recta::testing
