// The logistic loss of a label y = -1 or 1: log(1 + exp(-y z)), the negative log-likelihood of P(y | z) = 1 / (1 +
// exp(-y z)). It is written so that neither sign of y z overflows, and the digits of exp(-y z) are kept far to the
// right.
//
// With a = d y its conjugate is a log a + (1 - a) log(1 - a) on 0 <= a <= 1, and the Fenchel-Young residual is the
// Kullback-Leibler divergence of (a, 1 - a) from (s, 1 - s), s = 1 / (1 + exp(y z)): a sum of two terms p (e^t - 1 - t)
// with t = log q - log p, none of them negative.
#pragma once

#include "loss/exp_rest.hpp"
#include "loss/loss.hpp"

#include <algorithm>

namespace recta::loss::logistic {

struct With {
  static constexpr bool kRunsAway = true; // it falls for ever where classes can be separated

  double value(double y, double z) const { return softplus(-y * z); }
  double derivative(double y, double z) const { return -y / (1 + std::exp(y * z)); }
  double curvature(double, double z) const {
    const double e = std::exp(-std::abs(z));
    return e / ((1 + e) * (1 + e));
  }

  double slopes(double y, double z, double& d, double& c) const {
    const double m = y * z, e = std::exp(-std::abs(m)), q = 1 / (1 + e);
    d = -y * (m >= 0 ? e * q : q);
    c = e * q * q;
    return std::max(-m, 0.0) + std::log1p(e);
  }

  bool in_domain(double y, double d) const { return d * y >= 0 && d * y <= 1; }
  double nearest(double y, double d) const { return y * std::clamp(d * y, 0.0, 1.0); }
  // If a differs from 1 by less than doubles near 1 can tell, it is taken as 1.
  bool at_edge(double y, double z, double spare, double& d) const {
    if (y * z > -1 || std::exp(y * z) > spare) return false;
    d = y;
    return true;
  }
  double conjugate(double y, double d) const {
    return times_log(d * y, std::log(d * y)) + times_log(1 - d * y, std::log1p(-d * y));
  }
  double fenchel_young(double y, double z, double d) const {
    const double a = d * y, m = y * z;
    return divergence(a, std::log(a), softplus(m)) + divergence(1 - a, std::log1p(-a), softplus(-m));
  }
  // An upper bound on fenchel_young over every z within `off`, which changes softplus(m) by at most min(1, e^m) of it.
  // The remaining error of softplus is 9 u of itself: e^-|m| and log1p, each 4 u, and a sum.
  double at_most(double y, double z, double off, double d) const {
    const double a = d * y, m = y * z, e = exp_at_most(-std::abs(m), off);
    return divergence_at_most(a, std::log(a), softplus(m), m < 0 ? off * e : off) +
           divergence_at_most(1 - a, std::log1p(-a), softplus(-m), m > 0 ? off * e : off);
  }

private:
  static double softplus(double t) { return std::max(t, 0.0) + std::log1p(std::exp(-std::abs(t))); }
  static double times_log(double p, double log_p) { return p == 0 ? 0 : p * log_p; }
  // p log(p / q) - p + q for q = exp(-minus_log_q): over both classes the last two cancel.
  static double divergence(double p, double log_p, double minus_log_q) {
    return p > 0 ? p * exp_rest(-minus_log_q - log_p) : std::exp(-minus_log_q);
  }
  static double divergence_at_most(double p, double log_p, double minus_log_q, double off) {
    const double error = off + 10 * 0x1p-53 * minus_log_q;
    if (!(p > 0)) return exp_at_most(-minus_log_q, error);
    return (1 + 0x1p-50) * p *
           exp_rest_at_most(-minus_log_q - log_p,
                            error + 0x1p-53 * minus_log_q + (kElementaryError + 0x1p-52) * -log_p);
  }
};

struct Loss : Usual<With> {
  static constexpr std::string_view kWord = "logistic";
  static constexpr std::string_view kSummary = "log-loss of labels -1 and 1: logistic regression";
  static constexpr std::string_view kFormula = "log(1 + exp(-y z))";
  static constexpr double kCurvature = 0.25;
  static constexpr bool kLabels = true;

  static LossModel model() {
    return {.summary = "two classes, whose log-odds are <w, x> + b: logistic regression",
            .term = "log(1 + exp(-y_i z_i))",
            .where = ",  y_i = 1 for the positive class, else -1",
            .log_odds = true,
            .place = 6};
  }
};

} // namespace recta::loss::logistic
