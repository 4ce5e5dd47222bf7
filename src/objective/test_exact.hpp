// Exact least squares and ridge in rational arithmetic, for tests: the normal equations are formed from doubles and
// solved without any rounding.
#pragma once

#include "objective/test_rows.hpp"

#include <boost/multiprecision/cpp_bin_float.hpp>
#include <boost/multiprecision/cpp_int.hpp>
#include <cmath>

namespace recta::testing {

using Rational = boost::multiprecision::cpp_rational;
using Wide = boost::multiprecision::cpp_bin_float_100;

struct Exact {
  std::vector<Rational> w;       // the intercept first, if there is one
  std::vector<Rational> inverse; // diagonal of (X'VX + T)^-1, in the same order
  Rational rss, objective;
  Index dependent = 0; // columns that are combinations of earlier ones
};

inline double to_double(const Rational& x) {
  return x.convert_to<double>();
}
inline double root(const Rational& x) {
  return sqrt(Wide(numerator(x)) / Wide(denominator(x))).convert_to<double>();
}

using Whole = boost::multiprecision::cpp_int;

// The smallest s for which x 2^s is an integer.
inline int binary_places(double x) {
  int exponent = 0;
  const double mantissa = std::frexp(x, &exponent);
  if (x == 0) return 0;
  auto bits = static_cast<std::int64_t>(std::ldexp(mantissa, 53));
  exponent -= 53;
  for (; bits % 2 == 0; bits /= 2) ++exponent;
  return std::max(0, -exponent);
}
inline int binary_places(const std::vector<double>& numbers) {
  int places = 0;
  for (const double x : numbers) places = std::max(places, binary_places(x));
  return places;
}
inline Whole whole(double x, int places) {
  int exponent = 0;
  const double mantissa = std::frexp(x, &exponent);
  const Whole bits = static_cast<std::int64_t>(std::ldexp(mantissa, 53));
  const int shift = exponent - 53 + places;
  return shift >= 0 ? Whole(bits << shift) : Whole(bits / (Whole(1) << -shift)); // whole by the choice of places
}
inline Rational power_of_two(int exponent) {
  return exponent >= 0 ? Rational(Whole(1) << exponent) : Rational(1, Whole(1) << -exponent);
}

// Sums are over integers, with all rows scaled to one power of two; rationals appear only in the elimination. tau is
// the penalty on every slope in units of the summed squares: W lambda2.
inline Exact exact_least_squares(const Rows& rows, bool intercept, const Rational& tau = 0, Index target = 0) {
  const Index lead = intercept ? 1 : 0, d = rows.p + lead;
  const int px = std::max(binary_places(rows.x), binary_places(rows.x_low));
  const int py = std::max(binary_places(rows.y), binary_places(rows.offset)), pv = binary_places(rows.weights);
  std::vector<std::vector<Whole>> sums(d + 1, std::vector<Whole>(d + 1));
  Whole total = 0;
  for (Index i = 0; i < rows.n; ++i) {
    std::vector<Whole> z;
    if (intercept) z.push_back(Whole(1) << px);
    for (Index j = 0; j < rows.p; ++j) {
      z.push_back(whole(rows.x[i * rows.p + j], px));
      if (!rows.x_low.empty()) z.back() += whole(rows.x_low[i * rows.p + j], px);
    }
    z.push_back(whole(rows.y[i * rows.k + target], py) - (rows.offset.empty() ? Whole(0) : whole(rows.offset[i], py)));
    const Whole v = rows.weights.empty() ? Whole(1) : whole(rows.weights[i], pv);
    total += v;
    for (Index r = 0; r <= d; ++r)
      for (Index c = r; c <= d; ++c) sums[r][c] += v * z[r] * z[c];
  }
  const Rational unit = power_of_two(pv + 2 * px); // of the products
  std::vector<std::vector<Rational>> a(d, std::vector<Rational>(2 * d + 1));
  for (Index r = 0; r < d; ++r) {
    for (Index c = 0; c < d; ++c) a[r][c] = sums[std::min(r, c)][std::max(r, c)];
    if (r >= lead) a[r][r] += tau * unit;
    a[r][d] = sums[r][d];
    a[r][d + 1 + r] = 1;
  }
  Exact out;
  for (Index pivot = 0; pivot < d; ++pivot) {
    if (a[pivot][pivot] == 0) { // a combination of the columns before it: any coefficient will do
      a[pivot].assign(2 * d + 1, Rational(0));
      ++out.dependent;
      continue;
    }
    const Rational inverse = 1 / a[pivot][pivot];
    for (auto& x : a[pivot]) x *= inverse;
    for (Index r = 0; r < d; ++r) {
      if (r == pivot || a[r][pivot] == 0) continue;
      const Rational factor = a[r][pivot];
      for (Index c = pivot; c < 2 * d + 1; ++c)
        if (a[pivot][c] != 0) a[r][c] -= factor * a[pivot][c];
    }
  }
  Rational rss = sums[d][d];
  for (Index r = 0; r < d; ++r) {
    out.w.push_back(a[r][d] * power_of_two(px - py));
    out.inverse.push_back(a[r][d + 1 + r] * unit);
    rss -= a[r][d] * 2 * sums[r][d];
    for (Index c = 0; c < d; ++c) rss += a[r][d] * a[c][d] * sums[std::min(r, c)][std::max(r, c)];
  }
  out.rss = rss * power_of_two(-pv - 2 * py);
  out.objective = out.rss;
  for (Index r = lead; r < d; ++r) out.objective += tau * out.w[r] * out.w[r];
  out.objective /= 2 * Rational(total) * power_of_two(-pv);
  return out;
}

} // namespace recta::testing
