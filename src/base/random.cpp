#include "base/random.hpp"

#include <numbers>

namespace recta {

namespace {

// ln s for 0 < s < 1 using only additions, products and quotients, which round alike everywhere; mathematical libraries
// may differ from each other in the last bit. s = 2^e m with m in [sqrt(1/2), sqrt(2)); with t = (m - 1) / (m + 1), ln
// m = 2 (t + t^3/3 + t^5/5 + ...), |t| < 0.172: twelve terms leave less than 2^-65.
double portable_log(double s) {
  int exponent = 0;
  double m = std::frexp(s, &exponent); // exact, m in [1/2, 1)
  if (m < std::numbers::sqrt2 / 2) {
    m *= 2;
    --exponent;
  }
  const double t = (m - 1) / (m + 1), square = t * t;
  double series = 0;
  for (int k = 23; k >= 3; k -= 2) series = (series + 1.0 / k) * square;
  return exponent * std::numbers::ln2 + 2 * (t + t * series);
}

} // namespace

double Random::normal() {
  double u = 0, s = 0;
  do { // a point in the unit disc, not its centre
    u = 2 * uniform() - 1;
    const double v = 2 * uniform() - 1;
    s = u * u + v * v;
  } while (s >= 1 || s == 0);
  return u * std::sqrt(-2 * portable_log(s) / s); // sqrt is correctly rounded everywhere
}

} // namespace recta
