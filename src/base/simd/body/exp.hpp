// e^x for x <= 0, within one unit of the last place: x = k log 2 + r with |r| <= log(2) / 2, log 2 in two parts (Cody
// and Waite 1980), and the Taylor polynomial of degree 13 at r, whose remainder is below 2^-57.
#pragma once

#include "base/simd/body/exact.hpp"
#include "base/simd/body/layout.hpp"

namespace recta::simd {
namespace {

constexpr double kFarDown = -700; // beyond it 2^k approaches the smallest doubles

// Several packs at a time, term by term: one pack alone would wait for every step of its chain.
constexpr int kTogether = 4;

template <int Many>
SIMD_INLINE void exp_of(Pack (&x)[Many]) {
  constexpr double kLog2e = 0x1.71547652b82fep+0, kLog2 = 0x1.62e42fefa39efp-1, kLog2Low = 0x1.abc9e3b39803fp-56;
  constexpr double kTaylor[] = {1.0 / 6227020800, 1.0 / 479001600, 1.0 / 39916800, 1.0 / 3628800,
                                1.0 / 362880,     1.0 / 40320,     1.0 / 5040,     1.0 / 720,
                                1.0 / 120,        1.0 / 24,        1.0 / 6,        0.5};
  const Pack shift = set(0x1.8p52);
  Pack shifted[Many], r[Many], sum[Many];
  for (int m = 0; m < Many; ++m) {
    shifted[m] = fma(x[m], set(kLog2e), shift);
    const Pack k = shifted[m] - shift;
    r[m] = fma(k, set(-kLog2Low), fma(k, set(-kLog2), x[m]));
    sum[m] = set(kTaylor[0]);
  }
  for (int term = 1; term < 12; ++term)
    for (int m = 0; m < Many; ++m) sum[m] = fma(sum[m], r[m], set(kTaylor[term]));
  for (int m = 0; m < Many; ++m) x[m] = times_power(set(1.0) + fma(r[m] * r[m], sum[m], r[m]), shifted[m]);
}

// e_i = exp(-t_i) for t_i >= 0 that `argument` gives, a pack at a time. A tile of them is kept: e may be what they are
// made of, and those far down are looked for after it was written.
template <class Argument>
SIMD_INLINE void exp_of_minus(Index n, const Argument& argument, double* e) {
  constexpr Index kKept = 128, kStep = kTogether * kWidth;
  double kept[kKept];
  for (Index from = 0; from < n; from += kKept) {
    const Index count = n - from < kKept ? n - from : kKept;
    double* const out = e + from;
    Pack farthest = zero();
    Index i = 0;
    for (; i + kStep <= count; i += kStep) {
      Pack x[kTogether];
      for (Index m = 0; m < kTogether; ++m) {
        const Pack t = argument(from + i + m * kWidth, kWidth);
        store(t, kept + i + m * kWidth);
        farthest = max(farthest, t);
        x[m] = zero() - t;
      }
      exp_of(x);
      for (Index m = 0; m < kTogether; ++m) store(x[m], out + i + m * kWidth);
    }
    for (; i < count; i += kWidth) {
      const Pack t = argument(from + i, count - i);
      store(t, kept + i);
      farthest = max(farthest, t);
      Pack x[1] = {zero() - t};
      exp_of(x);
      put(x[0], out + i, count - i);
    }
    if (all_at_most(farthest, -kFarDown)) continue;
    for (i = 0; i < count; ++i)
      if (-kept[i] < kFarDown) out[i] = __builtin_exp(-kept[i]);
  }
}

void exp_minus_abs(Index n, const double* z, double* e) {
  exp_of_minus(n, [&](Index i, Index count) { return abs(take(z + i, 1, count)); }, e);
}

void gaussians(Index n, double gamma, double square, const double* squares, double* values) {
  const auto argument = [&](Index i, Index count) {
    const Pack product = take(values + i, 1, count);
    return set(gamma) * max((set(square) + take(squares + i, 1, count)) - (product + product), zero());
  };
  exp_of_minus(n, argument, values);
}

// The same of floats: the polynomial has degree 7, whose remainder is below 2^-27. What would be below the smallest
// normal float is about that.
template <int Many>
SIMD_INLINE void exp_of(PackOf<float> (&x)[Many]) {
  constexpr float kLog2e = 0x1.715476p+0F, kLog2 = 0x1.62e4p-1F, kLog2Low = 0x1.7f7d1cp-20F, kLeast = -87;
  constexpr float kTaylor[] = {1.0F / 5040, 1.0F / 720, 1.0F / 120, 1.0F / 24, 1.0F / 6, 0.5F};
  const PackOf<float> shift = set_of(0x1.8p23F);
  PackOf<float> shifted[Many], r[Many], sum[Many];
  for (int m = 0; m < Many; ++m) {
    const PackOf<float> near = max_of(x[m], set_of(kLeast));
    shifted[m] = fma_of<float>(near, set_of(kLog2e), shift);
    const PackOf<float> k = shifted[m] - shift;
    r[m] = fma_of<float>(k, set_of(-kLog2Low), fma_of<float>(k, set_of(-kLog2), near));
    sum[m] = set_of(kTaylor[0]);
  }
  for (int term = 1; term < 6; ++term)
    for (int m = 0; m < Many; ++m) sum[m] = fma_of<float>(sum[m], r[m], set_of(kTaylor[term]));
  for (int m = 0; m < Many; ++m)
    x[m] = times_float_power(set_of(1.0F) + fma_of<float>(r[m] * r[m], sum[m], r[m]), shifted[m]);
}

void float_gaussians(Index n, float gamma, float square, const float* squares, float* values) {
  constexpr Index kWide = 16 / kParts, kStep = kTogether * kWide;
  const auto exponent = [&](const float* other, const float* v) {
    const PackOf<float> product = load_of(v);
    const PackOf<float> apart = max_of((set_of(square) + load_of(other)) - (product + product), zero_of<float>());
    return zero_of<float>() - set_of(gamma) * apart;
  };
  const auto one_pack = [&](const float* other, float* v) {
    PackOf<float> x[1] = {exponent(other, v)};
    exp_of(x);
    store_of<float>(x[0], v);
  };
  Index i = 0;
  for (; i + kStep <= n; i += kStep) {
    PackOf<float> x[kTogether];
    for (Index m = 0; m < kTogether; ++m) x[m] = exponent(squares + i + m * kWide, values + i + m * kWide);
    exp_of(x);
    for (Index m = 0; m < kTogether; ++m) store_of<float>(x[m], values + i + m * kWide);
  }
  for (; i + kWide <= n; i += kWide) one_pack(squares + i, values + i);
  if (i == n) return;
  float others[kWide] = {}, rest[kWide] = {};
  for (Index k = 0; i + k < n; ++k) others[k] = squares[i + k], rest[k] = values[i + k];
  one_pack(others, rest);
  for (Index k = 0; i + k < n; ++k) values[i + k] = rest[k];
}

// Plain loops: the compiler vectorises them, and every step is rounded by itself either way.
void two_probabilities(Index n, const double* z, bool first, double* out) {
  constexpr Index kTile = 256;
  constexpr double kBelowHalf = 0.5 - 0x1p-54;
  double e[kTile], larger[kTile], smaller[kTile];
  for (Index from = 0; from < n; from += kTile) {
    const Index count = n - from < kTile ? n - from : kTile;
    exp_minus_abs(count, z + from, e);
    for (Index i = 0; i < count; ++i) {
      const double part = e[i] / (1 + e[i]);
      larger[i] = 1 / (1 + e[i]);
      smaller[i] = z[from + i] == 0 ? 0.5 : kBelowHalf < part ? kBelowHalf : part;
    }
    double* const to = out + 2 * from;
    for (Index i = 0; i < count; ++i) {
      const bool up = (z[from + i] >= 0) == first;
      to[2 * i] = up ? larger[i] : smaller[i];
      to[2 * i + 1] = up ? smaller[i] : larger[i];
    }
  }
}

} // namespace
} // namespace recta::simd
