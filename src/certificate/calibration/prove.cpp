// How far the maps of a calibration are from the best ones, from the maps and the rows alone.
//
// platt, beta: with s_i = 1 / (1 + e^-z_i), any p' in [0, 1]^n with sum w_i (p'_i - t_i) phi_i = 0 (>= 0 in a
// coordinate that is held at zero from below) is a point of the dual, and the gap is exactly sum w_i KL(p'_i | s_i). p'
// is s moved along s (1 - s) <c, phi> by the c that satisfies the equations: a Newton step, of which nothing is taken
// on trust. A held coordinate in which s falls short of its inequality is moved up to it like the others, and the gap
// counts the move. isotonic: with the prefix sums P_i = sum_{j<=i} w_j (y_j - v_j), the multipliers l_i = max(P_i, 0),
// l_n = 0, are a point of the dual, and the gap is sum l_i (v_i+1 - v_i) + 1/2 sum d_i^2 / w_i, d the differences of l
// - P. temperature: the derivative changes its sign within a (1 -+ 1e-6), so that by convexity the objective is at most
// |F'(a)| 1e-6 a above its minimum; at an end of its range the sign alone proves it.
#include "base/double_double.hpp"
#include "base/sums.hpp"
#include "certificate/verdict.hpp"
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

// The columns of a map less what they are at a middle row, and a constant.
struct Span {
  std::vector<Three> phi;
  std::vector<double> above, below, weight, target;      // s, 1 - s
  std::array<bool, 3> free{true, true, true}, at_zero{}; // at zero from below
  Three size{};                                          // of the coefficients, in the units of phi
  double shift = 0;                                      // that rounding may add to all log-odds
  std::vector<double> log_odds;

  double bend(std::size_t i) const { return weight[i] * above[i] * below[i]; }
};

// ln p at f less ln p at the middle, to all digits where they are near: ln(1 + e^-m) - ln(1 + e^-f).
double log_share_rise(double f, double middle) {
  const double d = f - middle;
  return std::abs(d) < 1 ? -std::log1p(logistic(-middle) * std::expm1(-d)) : softplus(-middle) - softplus(-f);
}

double middle_of(const Column& column) {
  CompensatedSum sum, total;
  for (Index i = 0; i < column.rows.rows; ++i)
    sum.add_product(column.weight(i), column.evidence(i)), total.add(column.weight(i));
  return sum.value() / total.value();
}

// Where all evidence is nearly the same the coefficients of beta are huge and of opposite signs; the columns less their
// middle are then as exact as the evidence is.
Span span_of(const CalibrationMap& map, Calibrator method, const Column& column) {
  Span out;
  const Targets targets = platt_targets(column);
  const bool beta = method == Calibrator::beta;
  const double middle = middle_of(column), first = beta ? -softplus(-middle) : middle, second = softplus(middle);
  if (beta)
    out.at_zero = {map.a == 0, map.b == 0, false}, out.free = {map.a != 0, map.b != 0, true};
  else
    out.free[1] = false;
  const DoubleDouble parts[] = {two_prod(map.a, first), two_prod(beta ? map.b : 0, second)};
  out.size = {map.a, beta ? map.b : 0, (parts[0] + parts[1] + map.c).hi};
  out.shift = 4 * kUnit * (std::abs(parts[0].hi) + std::abs(parts[1].hi) + std::abs(map.c));
  for (Index i = 0; i < column.rows.rows; ++i) {
    const double f = column.evidence(i), rise = beta ? log_share_rise(f, middle) : f - middle;
    out.phi.push_back({rise, beta ? f - middle - rise : 0, 1});
    const Three& phi = out.phi.back();
    const double z = out.size[0] * phi[0] + out.size[1] * phi[1] + out.size[2];
    out.log_odds.push_back(z);
    out.above.push_back(logistic(z));
    out.below.push_back(logistic(-z));
    out.weight.push_back(column.weight(i));
    out.target.push_back(column.is_of_class(i) ? targets.of_class : targets.of_others);
  }
  return out;
}

using Equations = std::array<bool, 3>;

// The same span by columns that are orthogonal in the weights w s (1 - s) and of size one: the constant, the columns of
// the equations, and each other column without its part along those. A column that the others span is zero.
Span orthogonal(Span rows, const Equations& equations) {
  const auto product = [&](std::size_t j, std::size_t k) {
    CompensatedSum sum;
    for (std::size_t i = 0; i < rows.phi.size(); ++i) sum.add_product(rows.bend(i), rows.phi[i][j] * rows.phi[i][k]);
    return sum.value();
  };
  CompensatedSum bends;
  for (std::size_t i = 0; i < rows.phi.size(); ++i) bends.add(rows.bend(i));
  std::vector<std::size_t> done{2};
  for (const bool of_equations : {true, false})
    for (std::size_t j = 0; j < 2; ++j) {
      if (equations[j] != of_equations) continue;
      const double before = product(j, j);
      for (int round = 0; round < 2; ++round)
        for (const std::size_t k : done) {
          const double share = product(j, k) / product(k, k);
          if (!(std::abs(share) > 0)) continue;
          for (Three& phi : rows.phi) phi[j] -= share * phi[k];
          rows.size[k] += rows.size[j] * share;
        }
      const double length = std::sqrt(product(j, j) / bends.value());
      const bool spanned = !(length * length * bends.value() > 1e-24 * before);
      for (Three& phi : rows.phi) phi[j] = spanned ? 0 : phi[j] / length;
      rows.size[j] *= spanned ? 0 : length;
      if (of_equations && !spanned) done.push_back(j);
    }
  return rows;
}

// sum w (s + move - t) phi, and what rounding may have done to it.
struct Residual {
  Three value{}, rounding{};
};

Residual residual_of(const Span& rows, const std::vector<double>& move) {
  std::array<CompensatedSum, 3> sum;
  Residual out;
  for (std::size_t i = 0; i < rows.phi.size(); ++i)
    for (std::size_t j = 0; j < 3; ++j) {
      const double parts = rows.above[i] + rows.target[i] + std::abs(move[i]);
      sum[j].add(rows.weight[i] * (rows.above[i] - rows.target[i] + move[i]) * rows.phi[i][j]);
      out.rounding[j] += 8 * kUnit * rows.weight[i] * parts * std::abs(rows.phi[i][j]);
    }
  for (std::size_t j = 0; j < 3; ++j) out.value[j] = sum[j].value();
  return out;
}

// Moves s so that the equations hold; the second round takes off what the first one rounded. The inequality of a held
// coordinate is met with its rounding to spare.
std::vector<double> moves_for(const Span& rows, const Equations& equations) {
  Three squares{};
  for (std::size_t i = 0; i < rows.phi.size(); ++i)
    for (std::size_t j = 0; j < 3; ++j) squares[j] += rows.bend(i) * rows.phi[i][j] * rows.phi[i][j];
  std::vector<double> move(rows.phi.size());
  for (int round = 0; round < 2; ++round) {
    const Residual residual = residual_of(rows, move);
    Three c{};
    for (std::size_t j = 0; j < 3; ++j)
      if (equations[j] && squares[j] > 0)
        c[j] = ((rows.at_zero[j] ? 2 * residual.rounding[j] : 0) - residual.value[j]) / squares[j];
    for (std::size_t i = 0; i < rows.phi.size(); ++i)
      move[i] +=
          rows.above[i] * rows.below[i] * (c[0] * rows.phi[i][0] + c[1] * rows.phi[i][1] + c[2] * rows.phi[i][2]);
  }
  return move;
}

// A point of the dual, and what is left of its equations in columns that are orthogonal.
struct DualPoint {
  Span rows;
  std::vector<double> move;
  Residual left;
};

// A held coordinate joins the equations where its inequality fails; there are two at most.
DualPoint dual_point(const Span& rows) {
  Equations equations = rows.free;
  for (;;) {
    DualPoint out{orthogonal(rows, equations), {}, {}};
    out.move = moves_for(out.rows, equations);
    out.left = residual_of(out.rows, out.move);
    const Equations before = equations;
    for (std::size_t j = 0; j < 2; ++j) equations[j] = equations[j] || (rows.at_zero[j] && out.left.value[j] < 0);
    if (equations == before) return out;
  }
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
  const auto [rows, move, left] = dual_point(span_of(map, method, column));
  CompensatedSum objective, total, targets, gap, slope;
  for (std::size_t i = 0; i < rows.phi.size(); ++i) {
    const double z = rows.log_odds[i];
    objective.add(rows.weight[i] * (rows.target[i] * softplus(-z) + (1 - rows.target[i]) * softplus(z)));
    total.add(rows.weight[i]);
    targets.add_product(rows.weight[i], rows.target[i]);
    slope.add(rows.weight[i] * (rows.above[i] - rows.target[i]));
    if (rows.weight[i] > 0) gap.add(rows.weight[i] * divergence(rows.above[i], rows.below[i], move[i]));
  }
  Distance out{.objective = objective.value(),
               .null_objective = total.value() * entropy(targets.value() / total.value()),
               .gap = gap.value()};
  for (std::size_t j = 0; j < 3; ++j) {
    if (rows.free[j]) out.slack += 2 * std::abs(left.value[j] * rows.size[j]); // the best coefficient is near this one
    if (rows.at_zero[j] && left.value[j] < 0) out.gap = kInfinity;             // it would have to grow
  }
  out.slack += 8 * kUnit * out.objective + std::abs(slope.value()) * rows.shift;
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
  out.verdict = verdict_of({.distance = sum.gap, .slack = sum.slack, .limit = out.tolerance * out.null_objective});
  out.stop = maps.method == Calibrator::isotonic ? "solved by pooling adjacent violators" : "converged";
  return out;
}

} // namespace recta
