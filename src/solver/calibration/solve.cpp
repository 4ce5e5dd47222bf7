// The best maps of a calibration: Newton's method for platt and beta, a bracketed one for temperature, pooled adjacent
// violators for isotonic. Objectives: objective/calibration/calibration.hpp.
#include "base/sums.hpp"
#include "objective/calibration/calibration.hpp"

#include <algorithm>
#include <array>
#include <fmt/format.h>

namespace recta {
namespace calibration {
namespace {

constexpr Index kMostSteps = 200;

// Rows of at most two columns and a constant, each column less its mean and in units of its deviation.
struct FewColumns {
  Index count = 0;
  std::vector<std::array<double, 3>> phi; // the last is 1
  std::vector<double> target, weight;
  std::array<double, 2> mean{}, deviation{1, 1};
};

void standardise(FewColumns& rows) {
  for (Index j = 0; j < rows.count; ++j) {
    CompensatedSum sum, total, squares;
    for (std::size_t i = 0; i < rows.phi.size(); ++i)
      sum.add_product(rows.weight[i], rows.phi[i][at(j)]), total.add(rows.weight[i]);
    const double mean = sum.value() / total.value();
    for (std::size_t i = 0; i < rows.phi.size(); ++i) {
      double& value = rows.phi[i][at(j)];
      value -= mean;
      squares.add(rows.weight[i] * value * value);
    }
    const double deviation = std::sqrt(squares.value() / total.value());
    rows.mean[at(j)] = mean;
    if (!(deviation > 1e-13 * std::abs(mean))) continue; // a constant: its coefficient stays zero
    rows.deviation[at(j)] = deviation;
    for (auto& phi : rows.phi) phi[at(j)] /= deviation;
  }
}

FewColumns columns_of(const Column& column, Calibrator method) {
  FewColumns out;
  out.count = method == Calibrator::beta ? 2 : 1;
  const Targets targets = platt_targets(column);
  for (Index i = 0; i < column.rows.rows; ++i) {
    const double f = column.evidence(i);
    out.phi.push_back(method == Calibrator::beta ? std::array{-softplus(-f), softplus(f), 1.0}
                                                 : std::array{f, 0.0, 1.0});
    out.target.push_back(column.is_of_class(i) ? targets.of_class : targets.of_others);
    out.weight.push_back(column.weight(i));
  }
  standardise(out);
  return out;
}

using Three = std::array<double, 3>;

struct Local { // objective, gradient and curvature at a point
  double value = 0;
  Three gradient{};
  std::array<Three, 3> curvature{};
};

double dot(const Three& a, const Three& b) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

double value_at(const FewColumns& rows, const Three& theta) {
  CompensatedSum sum;
  for (std::size_t i = 0; i < rows.phi.size(); ++i) {
    const double z = dot(rows.phi[i], theta);
    sum.add(rows.weight[i] * (rows.target[i] * softplus(-z) + (1 - rows.target[i]) * softplus(z)));
  }
  return sum.value();
}

Local local_at(const FewColumns& rows, const Three& theta) {
  Local out{.value = value_at(rows, theta)};
  std::array<CompensatedSum, 3> gradient;
  for (std::size_t i = 0; i < rows.phi.size(); ++i) {
    const Three& phi = rows.phi[i];
    const double s = logistic(dot(phi, theta)), slope = rows.weight[i] * (s - rows.target[i]);
    const double bend = rows.weight[i] * s * (1 - s);
    for (std::size_t j = 0; j < 3; ++j) {
      gradient[j].add(slope * phi[j]);
      for (std::size_t k = 0; k <= j; ++k) out.curvature[j][k] += bend * phi[j] * phi[k];
    }
  }
  for (std::size_t j = 0; j < 3; ++j) out.gradient[j] = gradient[j].value();
  return out;
}

// The Newton step in the free coordinates, by Cholesky's factors. A coordinate that the others already span stays.
Three newton_step(const Local& here, const std::array<bool, 3>& free) {
  std::array<Three, 3> factor{};
  std::array<bool, 3> kept = free;
  Three step{};
  for (std::size_t j = 0; j < 3; ++j) {
    if (!kept[j]) continue;
    double pivot = here.curvature[j][j];
    for (std::size_t k = 0; k < j; ++k) pivot -= factor[j][k] * factor[j][k];
    if (!(pivot > 1e-13 * here.curvature[j][j])) {
      kept[j] = false;
      factor[j] = {};
      continue;
    }
    factor[j][j] = std::sqrt(pivot);
    for (std::size_t i = j + 1; i < 3; ++i) {
      if (!kept[i]) continue;
      double value = here.curvature[i][j];
      for (std::size_t k = 0; k < j; ++k) value -= factor[i][k] * factor[j][k];
      factor[i][j] = value / factor[j][j];
    }
  }
  for (std::size_t j = 0; j < 3; ++j) {
    if (!kept[j]) continue;
    double value = -here.gradient[j];
    for (std::size_t k = 0; k < j; ++k) value -= factor[j][k] * step[k];
    step[j] = value / factor[j][j];
  }
  for (std::size_t j = 3; j-- > 0;) {
    if (!kept[j]) continue;
    for (std::size_t k = j + 1; k < 3; ++k) step[j] -= factor[k][j] * step[k];
    step[j] /= factor[j][j];
  }
  return step;
}

struct Minimum {
  Three theta{};
  double value = kInfinity;
};

Minimum minimise(const FewColumns& rows, const std::array<bool, 3>& free) {
  Minimum out;
  CompensatedSum sum, total;
  for (std::size_t i = 0; i < rows.weight.size(); ++i)
    sum.add_product(rows.weight[i], rows.target[i]), total.add(rows.weight[i]);
  const double mean = sum.value() / total.value();
  out.theta = {0, 0, std::log(mean / (1 - mean))};
  for (Index step = 0; step < kMostSteps; ++step) {
    const Local here = local_at(rows, out.theta);
    out.value = here.value;
    const Three direction = newton_step(here, free);
    const double decrease = -dot(here.gradient, direction); // twice what a step gains
    if (!(decrease > 1e-17 * here.value)) break;
    double length = 1;
    Three next{};
    for (;; length /= 2) {
      for (std::size_t j = 0; j < 3; ++j) next[j] = out.theta[j] + length * direction[j];
      if (value_at(rows, next) <= here.value - 1e-4 * length * decrease) break;
      if (length < 1e-10) return out; // rounding hides any further gain
    }
    out.theta = next;
  }
  return out;
}

CalibrationMap in_units_of_evidence(const FewColumns& rows, const Three& theta) {
  CalibrationMap map{.a = theta[0] / rows.deviation[0], .b = theta[1] / rows.deviation[1], .c = theta[2]};
  map.c -= map.a * rows.mean[0] + map.b * rows.mean[1];
  return map;
}

CalibrationMap platt(const Column& column) {
  const FewColumns rows = columns_of(column, Calibrator::platt);
  return in_units_of_evidence(rows, minimise(rows, {true, false, true}).theta);
}

// a and b not negative: the best of the four faces whose minimum lies in the quadrant.
CalibrationMap beta(const Column& column) {
  const FewColumns rows = columns_of(column, Calibrator::beta);
  Minimum best;
  for (const auto& [a, b] : {std::pair{true, true}, {true, false}, {false, true}, {false, false}}) {
    const Minimum face = minimise(rows, {a, b, true});
    if (face.theta[0] >= 0 && face.theta[1] >= 0 && face.value < best.value) best = face;
  }
  return in_units_of_evidence(rows, best.theta);
}

// First and second derivative of the objective of temperature.
struct Slope {
  double first = 0, second = 0;
};

Slope slope_at(const CalibrationRows& rows, double a) {
  CompensatedSum first, second;
  const Index width = rows.classes == 2 ? 1 : rows.classes;
  std::vector<double> share(at(rows.classes)), f(at(rows.classes));
  for (Index i = 0; i < rows.rows; ++i) {
    if (width == 1)
      f[at(rows.positive)] = rows.evidence[i], f[at(1 - rows.positive)] = 0;
    else
      std::copy_n(rows.evidence + i * width, width, f.begin());
    const double most = *std::ranges::max_element(f), true_evidence = f[at(rows.truth[at(i)])];
    double sum = 0, mean = 0, square = 0;
    for (std::size_t k = 0; k < f.size(); ++k) sum += share[k] = std::exp(a * (f[k] - most));
    for (std::size_t k = 0; k < f.size(); ++k) mean += share[k] / sum * (f[k] - true_evidence);
    for (std::size_t k = 0; k < f.size(); ++k)
      square += share[k] / sum * (f[k] - true_evidence - mean) * (f[k] - true_evidence - mean);
    const double weight = rows.weights.empty() ? 1 : rows.weights[at(i)];
    first.add(weight * mean);
    second.add(weight * square);
  }
  return {first.value(), second.value()};
}

// Newton's method within a bracket of the sign of the derivative, which grows with a.
CalibrationMap temperature(const CalibrationRows& rows) {
  double low = kLeastSlope, high = kMostSlope, a = 1;
  if (slope_at(rows, low).first >= 0) return {.a = low};
  if (slope_at(rows, high).first <= 0) return {.a = high};
  for (Index step = 0; step < kMostSteps && high - low > 1e-15 * high; ++step) {
    const Slope here = slope_at(rows, a);
    (here.first < 0 ? low : high) = a;
    const double next = a - here.first / here.second;
    if (here.first == 0 || next == a) break;
    a = next > low && next < high ? next : std::sqrt(low * high);
  }
  return {.a = a};
}

// Blocks of rows whose means would fall are pooled as they come: O(n) after the sort.
CalibrationMap isotonic(const Column& column) {
  const Pooled rows = pooled_ties(column);
  struct Block {
    std::size_t first, last;
    double weight, sum;
    double mean() const { return sum / weight; }
  };
  std::vector<Block> blocks;
  for (std::size_t i = 0; i < rows.evidence.size(); ++i) {
    Block block{i, i, rows.weight[i], rows.sum[i]};
    for (; !blocks.empty() && blocks.back().mean() >= block.mean(); blocks.pop_back())
      block = {blocks.back().first, block.last, blocks.back().weight + block.weight, blocks.back().sum + block.sum};
    blocks.push_back(block);
  }
  CalibrationMap map{.a = 0}; // no curve
  const auto add = [&](std::size_t place, const Block& block) {
    map.x.push_back(rows.evidence[place]);
    map.y.push_back(std::clamp(block.mean(), 0.0, 1.0));
  };
  for (const Block& block : blocks) {
    add(block.first, block);
    if (block.last > block.first) add(block.last, block);
  }
  return map;
}

Result<void> check_rows_of(Calibrator method, const CalibrationRows& rows) {
  const Index width = rows.classes == 2 ? 1 : rows.classes;
  if (rows.rows == 0 || rows.classes < 2)
    return fail(ErrorCode::bad_data, "calibration",
                fmt::format("there are {} rows and {} classes", rows.rows, rows.classes),
                "give rows of two classes or more");
  for (Index k = 0; k < rows.rows * width; ++k)
    if (!std::isfinite(rows.evidence[k]))
      return fail(ErrorCode::bad_data, fmt::format("row {}", k / width + 1),
                  fmt::format("the score is {}", rows.evidence[k]), "leave out rows that the model cannot score");
  // A class that the scores do not know, -1, is another one to all of them; softmax has no place for it.
  const std::int32_t lowest = method == Calibrator::temperature ? 0 : -1;
  for (std::size_t i = 0; i < rows.truth.size(); ++i)
    if (rows.truth[i] < lowest || rows.truth[i] >= rows.classes)
      return fail(ErrorCode::bad_data, fmt::format("row {}", i + 1), fmt::format("its class is {}", rows.truth[i]),
                  "give places of classes");
  for (std::size_t i = 0; i < rows.weights.size(); ++i)
    if (!(rows.weights[i] >= 0) || std::isinf(rows.weights[i]))
      return fail(ErrorCode::bad_data, fmt::format("row {}", i + 1), fmt::format("the weight is {}", rows.weights[i]),
                  "weights are numbers from zero up");
  const bool weighs =
      rows.weights.empty() || std::ranges::any_of(rows.weights, [](double weight) { return weight > 0; });
  return weighs ? Result<void>{}
                : fail(ErrorCode::bad_data, "calibration", "no row has a positive weight",
                       "give rows that weigh something");
}

} // namespace
} // namespace calibration

Result<Calibration> fit_calibration(Calibrator method, const CalibrationRows& all) {
  if (auto good = calibration::check_rows_of(method, all); !good) return std::unexpected(good.error());
  Calibration out{.method = method, .classes = all.classes, .positive = all.positive};
  if (method == Calibrator::temperature) {
    out.maps = {calibration::temperature(all)};
    return out;
  }
  const Index maps = all.classes == 2 ? 1 : all.classes;
  for (Index k = 0; k < maps; ++k) {
    const calibration::Column column{all, k};
    out.maps.push_back(method == Calibrator::isotonic ? calibration::isotonic(column)
                       : method == Calibrator::beta   ? calibration::beta(column)
                                                      : calibration::platt(column));
  }
  return out;
}

} // namespace recta
