#include "objective/neighbours/metric.hpp"

#include <algorithm>

namespace recta::neighbours {

const std::vector<std::string>& metric_names() { // in the order of MetricWord
  static const std::vector<std::string> kNames = {
      "euclidean", "squared-euclidean", "manhattan", "chebyshev",   "minkowski", "cosine",
      "hamming",   "jaccard",           "canberra",  "bray-curtis", "haversine"};
  return kNames;
}

std::string_view name(MetricWord word) {
  return metric_names()[static_cast<std::size_t>(word)];
}

std::optional<MetricWord> metric_word(std::string_view name) {
  const auto& names = metric_names();
  const auto found = std::ranges::find(names, name);
  if (found == names.end()) return std::nullopt;
  return static_cast<MetricWord>(found - names.begin());
}

Measure measure_of(const Metric& metric) {
  switch (metric.word) {
  case MetricWord::euclidean:
  case MetricWord::squared_euclidean:
  case MetricWord::cosine:
    return Euclidean{};
  case MetricWord::manhattan:
    return Manhattan{};
  case MetricWord::chebyshev:
    return Chebyshev{};
  case MetricWord::minkowski:
    if (metric.power == 1) return Manhattan{};
    if (metric.power == 2) return Euclidean{};
    if (metric.power == kInfinity) return Chebyshev{};
    return Minkowski{metric.power};
  case MetricWord::hamming:
    return Hamming{};
  case MetricWord::jaccard:
    return Jaccard{};
  case MetricWord::canberra:
    return Canberra{};
  case MetricWord::bray_curtis:
    return BrayCurtis{};
  case MetricWord::haversine:
    return Haversine{};
  }
  return Euclidean{};
}

bool has_boxes(const Metric& metric) {
  return std::visit([](const auto& measure) { return measure.boxes; }, measure_of(metric));
}

bool obeys_triangle(const Metric& metric) {
  return std::visit([](const auto& measure) { return measure.triangle; }, measure_of(metric));
}

double reported(const Metric& metric, double measured) {
  if (metric.word == MetricWord::squared_euclidean) return measured * measured;
  if (metric.word == MetricWord::cosine) return measured * measured / 2;
  return measured;
}

double measure_bound(const Metric& metric, double distance) {
  if (metric.word == MetricWord::squared_euclidean) return std::max(std::sqrt(distance) * kSlack, 0x1p-500);
  if (metric.word == MetricWord::cosine) return std::max(std::sqrt(2 * distance) * kSlack, 0x1p-500);
  return distance;
}

bool map_row(const Metric& metric, double* row, Index cols) {
  if (metric.word != MetricWord::cosine) return true;
  double largest = 0;
  for (Index j = 0; j < cols; ++j) largest = std::max(largest, std::fabs(row[j]));
  if (!(largest > 0)) return false;
  const double length = std::sqrt(lane_sum(cols, [=](Index j) { return (row[j] / largest) * (row[j] / largest); }));
  for (Index j = 0; j < cols; ++j) row[j] = row[j] / largest / length;
  return true;
}

} // namespace recta::neighbours
