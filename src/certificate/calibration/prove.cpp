// How far the maps of a calibration are from the best ones, from the maps and the rows alone.
//
// platt, beta: with s_i = 1 / (1 + e^-z_i), any p' in [0, 1]^n with sum w_i (p'_i - t_i) phi_i = 0 (>= 0 in a
// coordinate that is held at zero from below) is a point of the dual, and the gap is exactly sum w_i KL(p'_i | s_i). p'
// is s moved along s (1 - s) <c, phi> by the c that satisfies the equations: a Newton step, of which nothing is taken
// on trust. isotonic: with the prefix sums P_i = sum_{j<=i} w_j (y_j - v_j), the multipliers l_i = max(P_i, 0), l_n =
// 0, are a point of the dual, and the gap is sum l_i (v_i+1 - v_i) + 1/2 sum d_i^2 / w_i, d the differences of l - P.
// temperature: the derivative changes its sign within a (1 -+ 1e-6), so that by convexity the objective is at most
// |F'(a)| 1e-6 a above its minimum; at an end of its range the sign alone proves it.
#include "base/sums.hpp"
#include "objective/calibration/calibration.hpp"

#include <algorithm>
#include <array>
#include <fmt/format.h>

namespace recta {
namespace calibration {
namespace {

constexpr double kTolerance = 1e-10, kNear = 1e-6;

struct Distance {
  double objective = 0, null_objective = 0, gap = 0, slack = 0;

  void operator+=(const Distance& other) {
    objective += other.objective, null_objective += other.null_objective;
    gap += other.gap, slack += other.slack;
  }
};

using Three = std::array<double, 3>;

// The columns of a map, less means by the weights w s (1 - s) and in units of their deviations: the same span.
struct Span {
  std::vector<Three> phi;
  std::vector<double> above, below, weight, target; // s, 1 - s
  std::array<bool, 3> free{true, true, true};
  Three size{}; // of the coefficients, in the units of phi

  double bend(std::size_t i) const { return weight[i] * above[i] * below[i]; }
};

Span span_of(const CalibrationMap& map, Calibrator method, const Column& column) {
  Span out;
  const Targets targets = platt_targets(column);
  for (Index i = 0; i < column.rows.rows; ++i) {
    const double f = column.evidence(i), z = log_odds(map, method, f);
    out.phi.push_back(method == Calibrator::beta ? Three{-softplus(-f), softplus(f), 1} : Three{f, 0, 1});
    out.above.push_back(logistic(z));
    out.below.push_back(logistic(-z));
    out.weight.push_back(column.weight(i));
    out.target.push_back(column.is_of_class(i) ? targets.of_class : targets.of_others);
  }
  if (method == Calibrator::beta)
    out.free = {map.a != 0, map.b != 0, true};
  else
    out.free[1] = false;
  out.size = {map.a, map.b, map.c};
  return out;
}

void centre(Span& rows) {
  CompensatedSum total;
  for (std::size_t i = 0; i < rows.phi.size(); ++i) total.add(rows.bend(i));
  for (std::size_t j = 0; j < 2; ++j) {
    CompensatedSum sum, squares;
    for (std::size_t i = 0; i < rows.phi.size(); ++i) sum.add_product(rows.bend(i), rows.phi[i][j]);
    const double mean = sum.value() / total.value();
    for (std::size_t i = 0; i < rows.phi.size(); ++i) {
      rows.phi[i][j] -= mean;
      squares.add(rows.bend(i) * rows.phi[i][j] * rows.phi[i][j]);
    }
    const double deviation = std::sqrt(squares.value() / total.value());
    for (std::size_t i = 0; i < rows.phi.size() && deviation > 0; ++i) rows.phi[i][j] /= deviation;
    rows.size[2] += rows.size[j] * mean;
    rows.size[j] *= deviation > 0 ? deviation : 1;
  }
}

// sum w (s + move - t) phi.
Three residual_of(const Span& rows, const std::vector<double>& move) {
  std::array<CompensatedSum, 3> sum;
  for (std::size_t i = 0; i < rows.phi.size(); ++i)
    for (std::size_t j = 0; j < 3; ++j)
      sum[j].add(rows.weight[i] * (rows.above[i] - rows.target[i] + move[i]) * rows.phi[i][j]);
  return {sum[0].value(), sum[1].value(), sum[2].value()};
}

// Gauss' elimination in the free coordinates; a coordinate that the others span is left out.
Three solved(std::array<Three, 3> m, Three right, std::array<bool, 3> free) {
  const std::array<Three, 3> whole = m;
  for (std::size_t j = 0; j < 3; ++j) {
    if (!free[j]) continue;
    if (!(m[j][j] > 1e-13 * whole[j][j])) {
      free[j] = false;
      continue;
    }
    for (std::size_t i = j + 1; i < 3; ++i) {
      const double share = m[i][j] / m[j][j];
      for (std::size_t k = 0; k < 3; ++k) m[i][k] -= share * m[j][k];
      right[i] -= share * right[j];
    }
  }
  Three c{};
  for (std::size_t j = 3; j-- > 0;) {
    if (!free[j]) continue;
    double value = right[j];
    for (std::size_t k = j + 1; k < 3; ++k) value -= free[k] ? m[j][k] * c[k] : 0;
    c[j] = value / m[j][j];
  }
  return c;
}

// Moves s so that the equations of the free coordinates hold; the second round takes off what the first one rounded.
std::vector<double> feasible_moves(const Span& rows) {
  std::array<Three, 3> m{};
  for (std::size_t i = 0; i < rows.phi.size(); ++i)
    for (std::size_t j = 0; j < 3; ++j)
      for (std::size_t k = 0; k < 3; ++k) m[j][k] += rows.bend(i) * rows.phi[i][j] * rows.phi[i][k];
  std::vector<double> move(rows.phi.size());
  for (int round = 0; round < 2; ++round) {
    const Three residual = residual_of(rows, move);
    const Three c = solved(m, {-residual[0], -residual[1], -residual[2]}, rows.free);
    for (std::size_t i = 0; i < rows.phi.size(); ++i)
      move[i] +=
          rows.above[i] * rows.below[i] * (c[0] * rows.phi[i][0] + c[1] * rows.phi[i][1] + c[2] * rows.phi[i][2]);
  }
  return move;
}

// KL(s + move | s), without cancellation where s is near 0 or 1.
double divergence(double above, double below, double move) {
  const double p = above + move, q = below - move;
  if (!(p >= 0 && q >= 0)) return kInfinity; // NaN where every row is past all doubt
  const double first = p > 0 ? p * std::log1p(move / above) : 0, second = q > 0 ? q * std::log1p(-move / below) : 0;
  return std::max(0.0, first + second);
}

double entropy(double share) {
  return share <= 0 || share >= 1 ? 0 : -share * std::log(share) - (1 - share) * std::log1p(-share);
}

Distance odds_distance(const CalibrationMap& map, Calibrator method, const Column& column) {
  Span rows = span_of(map, method, column);
  CompensatedSum objective, total, targets, gap;
  for (std::size_t i = 0; i < rows.phi.size(); ++i) {
    const double z = log_odds(map, method, column.evidence(static_cast<Index>(i)));
    objective.add(rows.weight[i] * (rows.target[i] * softplus(-z) + (1 - rows.target[i]) * softplus(z)));
    total.add(rows.weight[i]);
    targets.add_product(rows.weight[i], rows.target[i]);
  }
  centre(rows);
  const std::vector<double> move = feasible_moves(rows);
  for (std::size_t i = 0; i < rows.phi.size(); ++i)
    if (rows.weight[i] > 0) gap.add(rows.weight[i] * divergence(rows.above[i], rows.below[i], move[i]));
  Distance out{.objective = objective.value(),
               .null_objective = total.value() * entropy(targets.value() / total.value()),
               .gap = gap.value()};
  const Three left = residual_of(rows, move);
  for (std::size_t j = 0; j < 3; ++j) {
    if (rows.free[j]) out.slack += 2 * std::abs(left[j] * rows.size[j]); // the best coefficient is near this one
    // A coefficient of beta that is held at zero would have to grow if this were below zero.
    if (!rows.free[j] && method == Calibrator::beta && left[j] < -kNear * total.value()) out.gap = kInfinity;
  }
  out.slack += 8 * kUnit * out.objective;
  if (std::isnan(out.gap + out.slack)) out.gap = kInfinity, out.slack = 0;
  return out;
}

// A map bends at scores of rows, and nowhere else.
bool bends_at_rows(const CalibrationMap& map, const std::vector<double>& evidence) {
  return std::ranges::all_of(map.x, [&](double x) {
    const auto above = std::ranges::lower_bound(evidence, x);
    const auto near = [&](double score) { return std::abs(score - x) <= 1e-9 * std::abs(x); };
    return (above != evidence.end() && near(*above)) || (above != evidence.begin() && near(*(above - 1)));
  });
}

Distance step_distance(const CalibrationMap& map, const Column& column) {
  const Pooled rows = pooled_ties(column);
  const std::size_t n = rows.evidence.size();
  Distance out;
  CompensatedSum prefix, total, sum, objective, null_objective, gap;
  for (std::size_t i = 0; i < n; ++i) total.add(rows.weight[i]), sum.add(rows.sum[i]);
  const double mean = sum.value() / total.value();
  double before = 0, multiplier_before = 0;
  for (std::size_t i = 0; i < n; ++i) {
    const double w = rows.weight[i], positives = rows.sum[i], v = stepped(map, rows.evidence[i]);
    // `positives` of the w rows are of the class: sum (y - v)^2 = positives (1 - v)^2 + (w - positives) v^2.
    objective.add((positives * (1 - v) * (1 - v) + (w - positives) * v * v) / 2);
    null_objective.add((positives * (1 - mean) * (1 - mean) + (w - positives) * mean * mean) / 2);
    prefix.add(positives);
    prefix.add_product(-w, v);
    const double here = prefix.value(), multiplier = i + 1 == n ? 0 : std::max(here, 0.0);
    const double off = multiplier - multiplier_before - (here - before);
    gap.add(off * off / w / 2);
    if (i + 1 < n) {
      const double rise = stepped(map, rows.evidence[i + 1]) - v;
      gap.add(rise < 0 ? kInfinity : multiplier * rise);
    }
    before = here, multiplier_before = multiplier;
  }
  out.objective = objective.value(), out.null_objective = null_objective.value();
  out.gap = std::max(0.0, gap.value());
  if (std::isnan(out.gap) || !bends_at_rows(map, rows.evidence)) out.gap = kInfinity;
  out.slack = 8 * kUnit * out.objective;
  return out;
}

struct Fall { // the objective of temperature and its derivative
  double value = 0, slope = 0;
};

Fall fall_at(const CalibrationRows& rows, double a) {
  CompensatedSum value, slope;
  const Index width = rows.classes == 2 ? 1 : rows.classes;
  std::vector<double> f(at(rows.classes));
  for (Index i = 0; i < rows.rows; ++i) {
    std::ranges::fill(f, 0);
    for (Index k = 0; k < width; ++k) f[at(width == 1 ? rows.positive : k)] = rows.evidence[i * width + k];
    const double true_evidence = f[at(rows.truth[at(i)])];
    double most = -kInfinity, sum = 0, moment = 0;
    for (const double each : f) most = std::max(most, a * (each - true_evidence));
    for (const double each : f) {
      const double share = std::exp(a * (each - true_evidence) - most);
      sum += share, moment += share * (each - true_evidence);
    }
    const double weight = rows.weights.empty() ? 1 : rows.weights[at(i)];
    value.add(weight * (most + std::log(sum)));
    slope.add(weight * moment / sum);
  }
  return {value.value(), slope.value()};
}

Distance temperature_distance(double a, const CalibrationRows& rows) {
  const Fall here = fall_at(rows, a);
  Distance out{.objective = here.value, .null_objective = fall_at(rows, 0).value};
  const bool at_least = a <= kLeastSlope, at_most = a >= kMostSlope;
  const bool falls_before = at_least || fall_at(rows, a * (1 - kNear)).slope <= 0;
  const bool rises_after = at_most || fall_at(rows, a * (1 + kNear)).slope >= 0;
  const bool at_end = (at_least && here.slope >= 0) || (at_most && here.slope <= 0);
  out.gap = !falls_before || !rises_after ? kInfinity : at_end ? 0 : std::abs(here.slope) * kNear * a;
  out.slack = 8 * kUnit * out.objective;
  return out;
}

} // namespace
} // namespace calibration

Certificate prove_calibration(const Calibration& maps, const CalibrationRows& rows) {
  calibration::Distance sum;
  if (maps.method == Calibrator::temperature) sum += calibration::temperature_distance(maps.maps[0].a, rows);
  for (std::size_t k = 0; maps.method != Calibrator::temperature && k < maps.maps.size(); ++k) {
    const calibration::Column column{rows, static_cast<Index>(k)};
    sum += maps.method == Calibrator::isotonic ? calibration::step_distance(maps.maps[k], column)
                                               : calibration::odds_distance(maps.maps[k], maps.method, column);
  }
  Certificate out;
  out.claim = DualityGap{.primal = sum.objective, .dual = sum.objective - sum.gap, .gap = sum.gap};
  out.objective = sum.objective, out.null_objective = sum.null_objective;
  out.tolerance = calibration::kTolerance, out.slack = sum.slack;
  out.passes = 1;
  const double limit = out.tolerance * out.null_objective;
  out.verdict = sum.gap + sum.slack <= limit ? Verdict::proved
                : sum.gap <= limit           ? Verdict::within_tolerance
                                             : Verdict::refuted;
  out.stop = maps.method == Calibrator::isotonic ? "solved by pooling adjacent violators" : "converged";
  return out;
}

} // namespace recta
