#include "evaluate/inference/tails.hpp"

#include "base/numbers.hpp"

#include <boost/math/distributions/chi_squared.hpp>
#include <boost/math/distributions/fisher_f.hpp>
#include <boost/math/distributions/students_t.hpp>
#include <boost/math/special_functions/erf.hpp>
#include <cmath>
#include <numbers>

namespace recta {
namespace {

namespace policies = boost::math::policies;
// No long double: its width differs between machines. Errors are values here, as everywhere.
using Policy =
    policies::policy<policies::promote_double<false>, policies::domain_error<policies::ignore_error>,
                     policies::pole_error<policies::ignore_error>, policies::overflow_error<policies::ignore_error>,
                     policies::evaluation_error<policies::ignore_error>>;

bool usable(double freedom) {
  return freedom > 0 && std::isfinite(freedom);
}

} // namespace

double student_two_sided(double t, double freedom) {
  if (std::isnan(t) || !usable(freedom)) return kNaN;
  if (std::isinf(t)) return 0;
  const boost::math::students_t_distribution<double, Policy> distribution(freedom);
  return 2 * boost::math::cdf(boost::math::complement(distribution, std::abs(t)));
}

double student_quantile(double confidence, double freedom) {
  if (!usable(freedom) || !(confidence > 0 && confidence < 1)) return kNaN;
  const boost::math::students_t_distribution<double, Policy> distribution(freedom);
  return boost::math::quantile(boost::math::complement(distribution, (1 - confidence) / 2));
}

double fisher_upper(double f, double above, double below) {
  if (std::isnan(f) || !usable(above) || !usable(below)) return kNaN;
  if (std::isinf(f)) return 0;
  if (f <= 0) return 1;
  const boost::math::fisher_f_distribution<double, Policy> distribution(above, below);
  return boost::math::cdf(boost::math::complement(distribution, f));
}

double fisher_median(double above, double below) {
  if (!usable(above) || !usable(below)) return kNaN;
  return boost::math::quantile(boost::math::fisher_f_distribution<double, Policy>(above, below), 0.5);
}

double chi_squared_upper(double x, double freedom) {
  if (std::isnan(x) || !usable(freedom)) return kNaN;
  if (std::isinf(x)) return 0;
  if (x <= 0) return 1;
  return boost::math::cdf(boost::math::complement(boost::math::chi_squared_distribution<double, Policy>(freedom), x));
}

double normal_two_sided(double z) {
  return std::erfc(std::abs(z) / std::numbers::sqrt2);
}

double normal_quantile(double confidence) {
  if (!(confidence > 0 && confidence < 1)) return kNaN;
  return std::numbers::sqrt2 * boost::math::erfc_inv(1 - confidence, Policy());
}

} // namespace recta
