#include "feature/map/spline/spline.hpp"

#include <algorithm>

namespace recta::feature {

Spline::Spline(std::vector<double> knots, SplineShape shape) : shape_(shape) {
  const double before = knots[1] - knots[0], after = knots.back() - knots[knots.size() - 2];
  for (std::size_t s = degree(); s > 0; --s) knots_.push_back(knots.front() - static_cast<double>(s) * before);
  knots_.insert(knots_.end(), knots.begin(), knots.end());
  for (std::size_t s = 1; s <= degree(); ++s) knots_.push_back(knots.back() + static_cast<double>(s) * after);
}

// The last one begins at or before x; at the last knot itself the interval before it, and outside the nearest.
std::size_t Spline::interval(double x) const {
  const auto begin = knots_.begin() + static_cast<std::ptrdiff_t>(degree());
  const auto end = knots_.end() - static_cast<std::ptrdiff_t>(degree()) - 1;
  const auto above = std::upper_bound(begin + 1, end, x);
  return static_cast<std::size_t>(above - knots_.begin()) - 1;
}

// The recurrence of Cox and de Boor, over the degree + 1 functions that are not zero in the interval.
void Spline::at_interval(double x, std::size_t interval, std::size_t degree, std::vector<double>& out) const {
  std::fill(out.begin(), out.end(), 0.0);
  out[interval] = 1;
  for (std::size_t d = 1; d <= degree; ++d) {
    double saved = 0;
    for (std::size_t s = 0; s < d; ++s) {
      const std::size_t j = interval - d + 1 + s; // of degree d - 1
      const double left = knots_[j], right = knots_[j + d];
      const double share = out[j] / (right - left);
      out[j - 1] = saved + (right - x) * share;
      saved = (x - left) * share;
      if (s + 1 == d) out[j] = saved;
    }
  }
}

// Derivatives: d (B_{j,d-1} / (t_{j+d} - t_j) - B_{j+1,d-1} / (t_{j+d+1} - t_{j+1})).
void Spline::slopes(double x, std::size_t interval, std::vector<double>& out) const {
  const std::size_t d = degree();
  std::vector<double> lower(out.size() + 1);
  if (d == 0) return std::fill(out.begin(), out.end(), 0.0);
  at_interval(x, interval, d - 1, lower);
  const auto share = [&](std::size_t j) {
    return lower[j] == 0 ? 0.0 : static_cast<double>(d) * lower[j] / (knots_[j + d] - knots_[j]);
  };
  for (std::size_t j = 0; j < out.size(); ++j) out[j] = share(j) - (j + 1 < lower.size() ? share(j + 1) : 0);
}

void Spline::values(double x, std::vector<double>& out) const {
  out.resize(static_cast<std::size_t>(functions()));
  const double near = std::clamp(x, first(), last());
  const std::size_t where = interval(near);
  const bool here = inside(x) || shape_.outside == Outside::constant || shape_.outside == Outside::linear;
  at_interval(here ? near : x, where, degree(), out);
  if (inside(x) || shape_.outside != Outside::linear) return;
  std::vector<double> slope(out.size());
  slopes(near, where, slope);
  for (std::size_t j = 0; j < out.size(); ++j) out[j] += slope[j] * (x - near);
}

} // namespace recta::feature
