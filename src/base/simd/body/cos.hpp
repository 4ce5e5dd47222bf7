// cos x, within 2^-51 of it, for |x| <= 2^20: x = k pi + r with |r| <= pi / 2, pi in two parts, and the Taylor
// polynomial of degree 24 at r, whose remainder is below 2^-63. Near the zeros of the cosine the error is that small
// beside 1, and not beside the value.
#pragma once

#include "base/simd/body/layout.hpp"

namespace recta::simd {
namespace {

SIMD_INLINE Pack cos_of(const Pack& x) {
  constexpr double kOverPi = 0x1.45f306dc9c883p-2, kPi = 0x1.921fb54442d18p+1, kPiLow = 0x1.1a62633145c07p-53;
  constexpr double kTaylor[] = {1.0 / 620448401733239439360000.0,
                                -1.0 / 1124000727777607680000.0,
                                1.0 / 2432902008176640000.0,
                                -1.0 / 6402373705728000.0,
                                1.0 / 20922789888000.0,
                                -1.0 / 87178291200.0,
                                1.0 / 479001600.0,
                                -1.0 / 3628800.0,
                                1.0 / 40320.0,
                                -1.0 / 720.0,
                                1.0 / 24.0,
                                -0.5};
  const Pack shift = set(0x1.8p52);
  const Pack k = fma(x, set(kOverPi), shift) - shift;
  const Pack r = fma(k, set(-kPiLow), fma(k, set(-kPi), x));
  const Pack odd = k - set(2.0) * ((fma(k, set(0.5), shift))-shift); // -1, 0 or 1
  const Pack square = r * r;
  Pack sum = set(kTaylor[0]);
  for (int term = 1; term < 12; ++term) sum = fma(sum, square, set(kTaylor[term]));
  return fma(square, sum, set(1.0)) * fma(odd * odd, set(-2.0), set(1.0));
}

void cosines(Index n, const double* x, double* out) {
  for (Index i = 0; i < n; i += kWidth) put(cos_of(take(x + i, 1, n - i)), out + i, n - i);
}

} // namespace
} // namespace recta::simd
