// Numbers of about 106 bits as an unevaluated sum hi + lo with |lo| <= ulp(hi) / 2.
//
// The algorithms and their names are those of Joldes, Muller and Popescu, "Tight and rigorous error bounds for basic
// building blocks of double-word arithmetic" (ACM TOMS 44(2), 2017). Only the accurate variants are here. With
// u = 2^-53 and no underflow or overflow, the relative error is at most
//   dd + double   2 u^2            (Algorithm 4)
//   dd + dd       3 u^2 / (1 - 4u) (Algorithm 6)
//   dd * double   2 u^2            (Algorithm 9)
//   dd * dd       5 u^2            (Algorithm 12)
//   dd / double   3 u^2            (Algorithm 15)
//   dd / dd       9.8 u^2          (Algorithm 18)
//   sqrt          25/8 u^2         (Lefevre, Louvet, Muller, Picot, Rideau, ACM TOMS 49(2), 2023)
// A sum that cancels keeps its bound: the accurate dd + dd is relative to the result.
// The proofs need round to nearest, and a*b+c must be one rounding only where std::fma says so (-ffp-contract=off).
#pragma once

#include <cmath>

namespace recta {

struct DoubleDouble {
  double hi = 0, lo = 0;

  constexpr DoubleDouble() = default;
  constexpr DoubleDouble(double high) : hi(high) {} // every double is one: the implicit conversion is intended
  constexpr DoubleDouble(double high, double low) : hi(high), lo(low) {}

  constexpr explicit operator double() const { return hi; } // hi is hi + lo rounded
  constexpr bool operator==(const DoubleDouble&) const = default;
};

// a + b = hi + lo exactly, for any sizes (Knuth; 6 operations).
constexpr DoubleDouble two_sum(double a, double b) {
  const double s = a + b;
  const double from_a = s - b;
  const double from_b = s - from_a;
  return {s, (a - from_a) + (b - from_b)};
}

// The same if |a| >= |b| or a = 0 (Dekker; 3 operations).
constexpr DoubleDouble fast_two_sum(double a, double b) {
  const double s = a + b;
  return {s, b - (s - a)};
}

// a * b = hi + lo exactly unless the product is below 2^-968 or overflows.
inline DoubleDouble two_prod(double a, double b) {
  const double product = a * b;
  return {product, std::fma(a, b, -product)};
}

constexpr DoubleDouble operator-(DoubleDouble a) {
  return {-a.hi, -a.lo};
}

constexpr DoubleDouble operator+(DoubleDouble a, double b) {
  const DoubleDouble s = two_sum(a.hi, b);
  return fast_two_sum(s.hi, a.lo + s.lo);
}
constexpr DoubleDouble operator+(double a, DoubleDouble b) {
  return b + a;
}
constexpr DoubleDouble operator+(DoubleDouble a, DoubleDouble b) {
  const DoubleDouble s = two_sum(a.hi, b.hi);
  const DoubleDouble t = two_sum(a.lo, b.lo);
  const DoubleDouble v = fast_two_sum(s.hi, s.lo + t.hi);
  return fast_two_sum(v.hi, t.lo + v.lo);
}
constexpr DoubleDouble operator-(DoubleDouble a, double b) {
  return a + -b;
}
constexpr DoubleDouble operator-(double a, DoubleDouble b) {
  return -b + a;
}
constexpr DoubleDouble operator-(DoubleDouble a, DoubleDouble b) {
  return a + -b;
}

inline DoubleDouble operator*(DoubleDouble a, double b) {
  const DoubleDouble c = two_prod(a.hi, b);
  return fast_two_sum(c.hi, std::fma(a.lo, b, c.lo));
}
inline DoubleDouble operator*(double a, DoubleDouble b) {
  return b * a;
}
inline DoubleDouble operator*(DoubleDouble a, DoubleDouble b) {
  const DoubleDouble c = two_prod(a.hi, b.hi);
  const double low = std::fma(a.lo, b.hi, std::fma(a.hi, b.lo, a.lo * b.lo));
  return fast_two_sum(c.hi, c.lo + low);
}

inline DoubleDouble operator/(DoubleDouble a, double b) {
  const double quotient = a.hi / b;
  if (!std::isfinite(quotient)) return quotient; // the correction would turn an infinity into NaN
  const DoubleDouble product = two_prod(quotient, b);
  const double rest = (a.hi - product.hi) - product.lo; // both differences are exact
  return fast_two_sum(quotient, (rest + a.lo) / b);
}
inline DoubleDouble operator/(DoubleDouble a, DoubleDouble b) {
  const double inverse = 1 / b.hi;
  if (!std::isfinite(inverse) || inverse == 0) return a.hi / b.hi;
  // One Newton step in double-double for 1 / b, then a product.
  const double rest_high = std::fma(-b.hi, inverse, 1.0); // exact
  const DoubleDouble rest = fast_two_sum(rest_high, -(b.lo * inverse));
  return a * (rest * inverse + inverse);
}
inline DoubleDouble operator/(double a, DoubleDouble b) {
  return DoubleDouble(a) / b;
}

inline DoubleDouble& operator+=(DoubleDouble& a, DoubleDouble b) {
  return a = a + b;
}
inline DoubleDouble& operator+=(DoubleDouble& a, double b) {
  return a = a + b;
}
inline DoubleDouble& operator-=(DoubleDouble& a, DoubleDouble b) {
  return a = a - b;
}
inline DoubleDouble& operator-=(DoubleDouble& a, double b) {
  return a = a - b;
}
inline DoubleDouble& operator*=(DoubleDouble& a, DoubleDouble b) {
  return a = a * b;
}
inline DoubleDouble& operator*=(DoubleDouble& a, double b) {
  return a = a * b;
}
inline DoubleDouble& operator/=(DoubleDouble& a, DoubleDouble b) {
  return a = a / b;
}

// The residual a - r^2 is formed with one fma, as r^2 agrees with a to nearly all bits.
inline DoubleDouble sqrt(DoubleDouble a) {
  if (!(a.hi > 0) || std::isinf(a.hi)) return std::sqrt(a.hi);
  const double root = std::sqrt(a.hi);
  const double rest = std::fma(-root, root, a.hi) + a.lo;
  return fast_two_sum(root, rest / (2 * root));
}

constexpr DoubleDouble abs(DoubleDouble a) {
  return a.hi < 0 || (a.hi == 0 && a.lo < 0) ? -a : a;
}

constexpr bool operator<(DoubleDouble a, DoubleDouble b) {
  return a.hi < b.hi || (a.hi == b.hi && a.lo < b.lo);
}
constexpr bool operator>(DoubleDouble a, DoubleDouble b) {
  return b < a;
}
constexpr bool operator<=(DoubleDouble a, DoubleDouble b) {
  return a.hi < b.hi || (a.hi == b.hi && a.lo <= b.lo);
}
constexpr bool operator>=(DoubleDouble a, DoubleDouble b) {
  return b <= a;
}

} // namespace recta
