#include "solver/coordinate_descent/line_search.hpp"

namespace recta::descent {
namespace {

struct Kink {
  double at;
  Index coordinate;
  double jump; // of the derivative
  bool bound;  // no further than here
};

std::vector<Kink> kinks_along(std::span<const Term> terms, std::span<const double> t, std::span<const double> d) {
  std::vector<Kink> kinks;
  for (std::size_t i = 0; i < t.size(); ++i) {
    if (d[i] == 0) continue;
    if (t[i] * d[i] < 0 && std::abs(t[i]) <= std::abs(d[i]))
      kinks.push_back({-t[i] / d[i], static_cast<Index>(i), 2 * terms[i].l1 * std::abs(d[i]), false});
    const double end = d[i] > 0 ? terms[i].high : terms[i].low;
    if (std::abs(end - t[i]) <= std::abs(d[i])) kinks.push_back({(end - t[i]) / d[i], static_cast<Index>(i), 0, true});
  }
  std::ranges::sort(
      kinks, [](const Kink& a, const Kink& b) { return a.at != b.at ? a.at < b.at : a.coordinate < b.coordinate; });
  return kinks;
}

} // namespace

Step best_step(std::span<const Term> terms, std::span<const double> t, std::span<const double> d, double slope,
               double curvature) {
  for (std::size_t i = 0; i < t.size(); ++i)
    slope += terms[i].l1 * (t[i] < 0 ? -d[i] : t[i] > 0 ? d[i] : std::abs(d[i]));
  if (slope >= 0) return {};
  bool crossed = false;
  for (const Kink& kink : kinks_along(terms, t, d)) {
    const double before = slope + kink.at * curvature;
    if (before >= 0) break; // the parabola turns before this kink
    if (kink.bound)
      return {kink.at, kink.coordinate,
              d[kink.coordinate] > 0 ? terms[kink.coordinate].high : terms[kink.coordinate].low};
    if (before + kink.jump >= 0) return {kink.at, kink.coordinate, 0};
    slope += kink.jump;
    crossed = true;
  }
  const double turn = curvature > 0 ? -slope / curvature : 1;
  if (turn < 1 - 1e-9) return {turn}; // a Newton step turns at 1, except for rounding
  return {1, -1, 0, !crossed};
}

} // namespace recta::descent
