#include "objective/calibration/calibration.hpp"

#include "base/simd/kernels.hpp"
#include "base/sums.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <numeric>

namespace recta {
namespace calibration {

Targets platt_targets(const Column& column) {
  CompensatedSum inside, outside;
  for (Index i = 0; i < column.rows.rows; ++i) (column.is_of_class(i) ? inside : outside).add(column.weight(i));
  return {(inside.value() + 1) / (inside.value() + 2), 1 / (outside.value() + 2)};
}

double log_odds(const CalibrationMap& map, Calibrator method, double evidence) {
  if (method != Calibrator::beta) return map.a * evidence + map.c;
  return map.b * softplus(evidence) - map.a * softplus(-evidence) + map.c;
}

double stepped(const CalibrationMap& map, double evidence) {
  if (std::isnan(evidence)) return evidence;
  const auto above = std::ranges::lower_bound(map.x, evidence);
  if (above == map.x.end()) return map.y.back();
  const auto k = static_cast<std::size_t>(above - map.x.begin());
  if (k == 0 || *above == evidence) return map.y[k];
  const double low = map.y[k - 1], high = map.y[k];
  const double part = (evidence - map.x[k - 1]) / (map.x[k] - map.x[k - 1]);
  return std::clamp(low + (high - low) * part, low, high);
}

Pooled pooled_ties(const Column& column) {
  std::vector<std::pair<double, Index>> order;
  order.reserve(at(column.rows.rows));
  for (Index i = 0; i < column.rows.rows; ++i)
    if (column.weight(i) > 0) order.emplace_back(column.evidence(i), i);
  std::ranges::sort(order);
  Pooled out;
  for (std::size_t first = 0; first < order.size();) {
    CompensatedSum weight, sum;
    const double evidence = order[first].first;
    for (; first < order.size() && order[first].first == evidence; ++first) {
      const Index row = order[first].second;
      weight.add(column.weight(row));
      if (column.is_of_class(row)) sum.add(column.weight(row));
    }
    out.evidence.push_back(evidence);
    out.weight.push_back(weight.value());
    out.sum.push_back(sum.value());
  }
  return out;
}

namespace {

constexpr double kLeastShare = 1e-300; // of which there is still a logarithm

// Softmax of a f, with the largest a little above all that are not it.
void softmax_row(Index classes, double a, const double* f, double* out) {
  const double most = *std::max_element(f, f + classes);
  double sum = 0;
  for (Index k = 0; k < classes; ++k) sum += out[k] = std::exp(a * (f[k] - most));
  const double largest = 1 / sum, below = std::nextafter(largest, 0.0);
  for (Index k = 0; k < classes; ++k) out[k] = f[k] == most ? largest : std::min(out[k] / sum, below);
}

void each_against_the_rest(const Calibration& calibration, const double* f, double* out) {
  double sum = 0;
  for (Index k = 0; k < calibration.classes; ++k) {
    const CalibrationMap& map = calibration.maps[at(k)];
    out[k] = calibration.method == Calibrator::isotonic ? stepped(map, f[k])
                                                        : logistic(log_odds(map, calibration.method, f[k]));
    sum += out[k];
  }
  for (Index k = 0; k < calibration.classes; ++k)
    out[k] = sum > 0 ? out[k] / sum : 1 / static_cast<double>(calibration.classes);
}

void two_probabilities(const Calibration& calibration, Index rows, const double* f, double* out) {
  const CalibrationMap& map = calibration.maps[0];
  if (calibration.method == Calibrator::isotonic) {
    for (Index i = 0; i < rows; ++i) {
      const double p = stepped(map, f[i]);
      out[2 * i + calibration.positive] = p;
      out[2 * i + 1 - calibration.positive] = 1 - p;
    }
    return;
  }
  std::vector<double> z(at(rows));
  for (Index i = 0; i < rows; ++i) z[at(i)] = log_odds(map, calibration.method, f[i]);
  simd::kernels().two_probabilities(rows, z.data(), calibration.positive == 0, out);
}

} // namespace
} // namespace calibration

void Calibration::probabilities(Index rows, const double* evidence, double* out) const {
  if (classes == 2) return calibration::two_probabilities(*this, rows, evidence, out);
  for (Index i = 0; i < rows; ++i) {
    const double* const f = evidence + i * classes;
    double* const p = out + i * classes;
    if (std::isnan(f[0]))
      std::fill_n(p, classes, f[0]);
    else if (method == Calibrator::temperature)
      calibration::softmax_row(classes, maps[0].a, f, p);
    else
      calibration::each_against_the_rest(*this, f, p);
  }
}

void Calibration::scores(Index rows, const double* evidence, double* out) const {
  if (classes == 2 && method != Calibrator::isotonic) {
    for (Index i = 0; i < rows; ++i) out[i] = calibration::log_odds(maps[0], method, evidence[i]);
    return;
  }
  std::vector<double> p(at(rows * classes));
  probabilities(rows, evidence, p.data());
  const auto log = [](double share) {
    return std::isnan(share) ? share : std::log(std::max(share, calibration::kLeastShare));
  };
  for (Index i = 0; i < rows; ++i) {
    const double* const row_p = p.data() + i * classes;
    if (classes == 2) {
      const double odds = log(row_p[positive]) - log(row_p[1 - positive]);
      out[i] = row_p[positive] < row_p[1 - positive] ? std::min(odds, -std::numeric_limits<double>::min()) : odds;
      continue;
    }
    const double most = *std::max_element(row_p, row_p + classes), score = log(most);
    for (Index k = 0; k < classes; ++k)
      out[i * classes + k] = row_p[k] < most ? std::min(log(row_p[k]), std::nextafter(score, -kInfinity)) : score;
  }
}

const std::vector<std::string>& calibrator_words() {
  static const std::vector<std::string> words{"platt", "isotonic", "temperature", "beta"};
  return words;
}

Result<Calibrator> calibrator_of(const std::string& word) {
  const auto& words = calibrator_words();
  const auto known = std::ranges::find(words, word);
  if (known != words.end()) return static_cast<Calibrator>(known - words.begin());
  const std::string near = nearest(word, words);
  return fail(ErrorCode::usage, "method", fmt::format("\"{}\" is not a way to calibrate", word),
              near.empty() ? fmt::format("there are {}", fmt::join(words, ", "))
                           : fmt::format("did you mean {}?", near));
}

} // namespace recta
