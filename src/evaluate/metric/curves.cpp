// Curves over all thresholds, from the weights above each.
#include "base/guard.hpp"
#include "base/numbers.hpp"
#include "base/sums.hpp"
#include "evaluate/metric/ties.hpp"

#include <algorithm>

namespace recta::metric {
namespace {

// x and y of every threshold after a first point.
template <class Of>
Curve curve_from(double x, double y, const Thresholds& points, Of&& of) {
  Curve curve{{x}, {y}, {kInfinity}};
  for (std::size_t t = 0; t < points.score.size(); ++t) {
    const auto [next_x, next_y] = of(points.positive[t], points.negative[t]);
    curve.x.push_back(next_x);
    curve.y.push_back(next_y);
    curve.threshold.push_back(points.score[t]);
  }
  return curve;
}

struct CurvePoint {
  double x, y;
};

double last(const std::vector<double>& values) {
  return values.empty() || values.back() == 0 ? kNaN : values.back();
}

} // namespace

Result<Thresholds> thresholds(const Ranked& rows, int threads) {
  return guarded("scores", cure::kFewerRows, [&]() -> Result<Thresholds> {
    const auto ordered = order(rows, threads);
    if (!ordered) return std::unexpected(ordered.error());
    Thresholds out;
    CompensatedSum positive, negative;
    visit_ties(*ordered, [&](const Tie& tie) {
      positive.add(tie.positive);
      negative.add(tie.negative);
      out.score.push_back(number_of(tie.key));
      out.positive.push_back(positive.value());
      out.negative.push_back(negative.value());
    });
    return out;
  });
}

Curve roc_curve(const Thresholds& points) {
  const double p = last(points.positive), n = last(points.negative);
  return curve_from(0, 0, points,
                    [&](double positive, double negative) { return CurvePoint{negative / n, positive / p}; });
}

Curve precision_recall_curve(const Thresholds& points) {
  const double p = last(points.positive);
  return curve_from(0, 1, points, [&](double positive, double negative) {
    return CurvePoint{positive / p, positive / (positive + negative)};
  });
}

Curve gain_curve(const Thresholds& points) {
  const double p = last(points.positive), all = p + (points.negative.empty() ? 0 : points.negative.back());
  return curve_from(0, 0, points, [&](double positive, double negative) {
    return CurvePoint{(positive + negative) / all, positive / p};
  });
}

Curve lift_curve(const Thresholds& points) {
  Curve curve = gain_curve(points);
  for (std::size_t t = 1; t < curve.x.size(); ++t) curve.y[t] /= curve.x[t];
  for (auto* values : {&curve.x, &curve.y, &curve.threshold}) values->erase(values->begin());
  return curve;
}

double gain_at(const Curve& gain, double share) {
  const auto after = std::ranges::lower_bound(gain.x, share);
  if (after == gain.x.begin()) return gain.y.empty() ? kNaN : gain.y.front();
  if (after == gain.x.end()) return gain.y.back();
  const auto t = static_cast<std::size_t>(after - gain.x.begin());
  const double part = (share - gain.x[t - 1]) / (gain.x[t] - gain.x[t - 1]);
  return gain.y[t - 1] + part * (gain.y[t] - gain.y[t - 1]);
}

} // namespace recta::metric
