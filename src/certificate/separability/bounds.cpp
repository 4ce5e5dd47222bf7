#include "certificate/separability/bounds.hpp"

#include "base/blas.hpp"
#include "base/numbers.hpp"
#include "base/sums.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace recta::separation {
namespace {

const double kInfinity = std::numeric_limits<double>::infinity();

// The double next above x, if scaling may have rounded it down.
double above(double x) {
  return x < std::numeric_limits<double>::min() ? std::nextafter(x, kInfinity) : x;
}

// |(w, b)|, at most.
double length_above(const std::vector<double>& w, double b) {
  double largest = std::abs(b);
  for (const double x : w) largest = std::max(largest, std::abs(x));
  if (largest == 0 || !std::isfinite(largest)) return largest;
  const int exponent = std::ilogb(largest);
  DoubleDouble square = 0; // what underflows is far below the rounding of the largest
  for (const double x : w) square += two_prod(std::ldexp(x, -exponent), std::ldexp(x, -exponent));
  square += two_prod(std::ldexp(b, -exponent), std::ldexp(b, -exponent));
  return above(std::ldexp(std::sqrt(square.hi) * (1 + 4 * kUnit), exponent));
}

// The least of some numbers that come with bounds; any that may be the least is looked at carefully.
struct Least {
  double at_least = kInfinity, at_most = kInfinity;

  template <class Careful>
  void meet(Bounded rough, const Careful& careful) {
    if (rough.value - rough.error > at_most) return;
    const Bounded now = careful();
    const bool known = std::isfinite(now.value) && std::isfinite(now.error); // beyond the doubles nothing is
    at_least = std::min(at_least, known ? now.value - now.error : -kInfinity);
    at_most = std::min(at_most, known ? now.value + now.error : kInfinity);
  }
};

} // namespace

double longest_margin(const SeparationClaim& claim, const Points& points, const LabelledRows& rows) {
  DoubleDouble total[2];
  const auto group = [&](std::size_t i) {
    return rows.intercept && rows.sign[static_cast<std::size_t>(claim.rows[i])] < 0 ? 1 : 0;
  };
  for (std::size_t i = 0; i < claim.rows.size(); ++i) total[group(i)] += claim.multipliers[i];
  const double share = rows.intercept ? 0.5 : 1;
  // Brought next to 1, where products neither overflow nor underflow by more than the slack.
  int exponent = std::numeric_limits<int>::min();
  for (const Index row : claim.rows)
    for (const double x : points.at(row))
      if (x != 0) exponent = std::max(exponent, std::ilogb(x) + 1);
  if (exponent == std::numeric_limits<int>::min()) return 0;
  std::vector<DoubleDouble> v;
  for (std::size_t i = 0; i < claim.rows.size(); ++i) {
    const auto& z = points.at(claim.rows[i]);
    v.resize(z.size());
    const DoubleDouble a = DoubleDouble(claim.multipliers[i]) / total[group(i)] * share;
    for (std::size_t j = 0; j < z.size(); ++j) v[j] += a * std::ldexp(z[j], -exponent);
  }
  DoubleDouble square = 0;
  for (const DoubleDouble& x : v) square += x * x;
  const double n = static_cast<double>(claim.rows.size()) + static_cast<double>(v.size()) + 8;
  // Every component: rows + 3 operations of at most 10 u^2 each, beside the largest number.
  const double slack = 20 * n * kUnit * kUnit * std::sqrt(static_cast<double>(v.size()) + 1);
  return above(std::ldexp((std::sqrt(square.hi) + slack) * (1 + 8 * kUnit), exponent));
}

namespace {

// A by column, one column per row claimed: sums of the groups, then the features, each equation brought to scale by a
// power of two.
std::vector<double> equations(const SeparationClaim& claim, const Points& points, const LabelledRows& rows) {
  const std::size_t k = claim.rows.size(), g = rows.intercept ? 2 : 1;
  std::vector<double> a(k * k);
  for (std::size_t i = 0; i < k; ++i) {
    const auto& z = points.at(claim.rows[i]);
    const bool second = rows.intercept && rows.sign[static_cast<std::size_t>(claim.rows[i])] < 0;
    a[i * k + (second ? 1 : 0)] = 1;
    std::ranges::copy(z, a.begin() + static_cast<std::ptrdiff_t>(i * k + g));
  }
  for (std::size_t j = g; j < k; ++j) {
    double largest = 0;
    for (std::size_t i = 0; i < k; ++i) largest = std::max(largest, std::abs(a[i * k + j]));
    if (!(largest > 0) || !std::isfinite(largest)) return {};
    const int exponent = std::ilogb(largest);
    for (std::size_t i = 0; i < k; ++i) a[i * k + j] = std::ldexp(a[i * k + j], -exponent);
  }
  return a;
}

// R = U^-1 Q' from A = Q U; empty if U has no inverse.
std::vector<double> near_inverse(std::vector<double> a, Index k) {
  const blas::SerialBlas serial;
  std::vector<double> tau(static_cast<std::size_t>(k)), out(a.size());
  if (blas::geqrf({a.data(), k}, tau.data()) != 0) return {};
  std::vector<double> u = a;
  if (blas::trtri(blas::Triangle::upper, {u.data(), k}) != 0) return {};
  for (Index j = 0; j < k; ++j) std::fill(u.begin() + j * k + j + 1, u.begin() + (j + 1) * k, 0.0);
  if (blas::orgqr(k, {a.data(), k}, tau.data()) != 0) return {};
  blas::gemm(1, {u.data(), k}, blas::transposed({a.data(), k}), 0, {out.data(), k});
  return out;
}

} // namespace

bool surrounds_origin(const SeparationClaim& claim, const Points& points, const LabelledRows& rows) {
  const std::size_t k = claim.rows.size(), g = rows.intercept ? 2 : 1;
  if (k == 0 || points.at(claim.rows[0]).size() + g != k) return false;
  const std::vector<double> a = equations(claim, points, rows);
  if (a.empty()) return false;
  const auto n = static_cast<Index>(k);
  const std::vector<double> r = near_inverse(a, n);
  if (r.empty()) return false;
  // e - A a~ in double-double, and a bound on what that leaves.
  std::vector<double> rest(k), rest_size(k);
  for (std::size_t j = 0; j < k; ++j) {
    CompensatedSum sum;
    double size = j < g ? 1 / static_cast<double>(g) : 0;
    sum.add(size);
    for (std::size_t i = 0; i < k; ++i) {
      sum.add_product(-a[i * k + j], claim.multipliers[i]);
      size += std::abs(a[i * k + j] * claim.multipliers[i]);
    }
    const double m = static_cast<double>(k) + 4;
    rest[j] = sum.value();
    rest_size[j] = std::abs(rest[j]) * (1 + 4 * kUnit) + 1.01 * m * m * kUnit * kUnit * size;
  }
  std::vector<double> product(k * k), sizes(k * k), r_abs(r), a_abs(a);
  for (double& x : r_abs) x = std::abs(x);
  for (double& x : a_abs) x = std::abs(x);
  const blas::SerialBlas serial;
  blas::gemm(1, {r.data(), n}, {a.data(), n}, 0, {product.data(), n});
  blas::gemm(1, {r_abs.data(), n}, {a_abs.data(), n}, 0, {sizes.data(), n});
  const double rounding = 1.1 * (static_cast<double>(k) + 4) * kUnit; // of a product of k terms, in any order
  double far = 0, error = 0;
  for (std::size_t i = 0; i < k; ++i) {
    double row = 0, step = 0;
    for (std::size_t j = 0; j < k; ++j) {
      row += std::abs(product[j * k + i] - (i == j ? 1 : 0)) + rounding * (sizes[j * k + i] + 1);
      step += r_abs[j * k + i] * rest_size[j];
    }
    far = std::max(far, row * (1 + rounding));
    error = std::max(error, step * (1 + rounding));
  }
  if (!(far < 0.5)) return false;
  const double least = *std::ranges::min_element(claim.multipliers);
  return least > error / (1 - far) * (1 + rounding);
}

double Sides::margin() const {
  if (!(nearest > 0)) return length > 0 ? nearest / length : 0;
  if (!(length > 0)) return 0;
  return nearest / length * (1 - 4 * kUnit);
}

Result<Sides> sides_of(const Hyperplane& hyperplane, const LabelledRows& rows, const Watch& watch) {
  Least least[2]; // of y <w, x>, by class
  const auto read = for_each_row(rows, watch, [&](Index row, const RowNumbers& x) {
    const double sign = rows.sign[static_cast<std::size_t>(row)];
    const auto times = [sign](Bounded dot) { return Bounded{sign * dot.value, dot.error}; };
    least[sign < 0 ? 1 : 0].meet(times(bounded_dot(hyperplane.w, x)),
                                 [&] { return times(careful_dot(hyperplane.w, x)); });
    return true;
  });
  if (!read) return std::unexpected(read.error());
  Sides out{hyperplane};
  out.length = length_above(hyperplane.w, rows.constant ? hyperplane.b : 0);
  if (least[0].at_least == -kInfinity || least[1].at_least == -kInfinity) return out; // nothing is known
  if (rows.intercept) out.hyperplane.b = (least[1].at_least - least[0].at_least) / 2;
  const double b = out.hyperplane.b;
  for (const double sign : {1.0, -1.0}) {
    const double at_least = least[sign < 0 ? 1 : 0].at_least;
    const DoubleDouble side = two_sum(at_least, sign * b);
    const double low = side.hi - kUnit * 2 * std::abs(side.hi);
    out.nearest = sign > 0 ? low : std::min(out.nearest, low);
  }
  return out;
}

double relative_residual(const std::vector<Multiplier>& multipliers, const Points& points) {
  std::vector<CompensatedSum> v;
  std::vector<double> largest;
  for (const Multiplier& m : multipliers) {
    const auto& z = points.at(m.row - 1);
    v.resize(z.size());
    largest.resize(z.size());
    for (std::size_t j = 0; j < z.size(); ++j) {
      v[j].add_product(m.value, z[j]);
      largest[j] = std::max(largest[j], std::abs(z[j]));
    }
  }
  double worst = 0;
  for (std::size_t j = 0; j < v.size(); ++j)
    if (largest[j] > 0) worst = std::max(worst, std::abs(v[j].value()) / largest[j]);
  return worst;
}

} // namespace recta::separation
