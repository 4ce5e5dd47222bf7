// The list of all metrics, from the folders the build found.
#include "metric/all_metrics.hpp"
#include "metric/list.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <stdexcept>

namespace recta::neighbours {
namespace {

// A leaf's answers without its type.
struct Entry {
  std::string_view word;
  Measure (*norm)(const Metric&) = nullptr;
  double (*distance)(const double*, const double*, Index, const OwnNumbers&) = nullptr;
  bool triangle = true, weights = false, missing = false, by_place = false, affine = false, power = false,
       covariance = false;
  double rounding = 0;
  double (*weighed)(const Metric&, double) = nullptr;
  bool (*map)(const Metric&, double*, Index) = nullptr;
  std::string_view no_distance{};
  double (*reported)(double) = nullptr;
  double (*bound)(double) = nullptr;
  Result<std::vector<double>> (*learn)(const Sample&) = nullptr;
  Index (*learned)(Index) = nullptr;
  std::string (*objection)(Index, Index) = nullptr;
};

template <class L>
Entry entry_of() {
  Entry out{.word = L::kWord};
  if constexpr (requires { &L::norm; }) out.norm = L::norm;
  if constexpr (requires { &L::distance; }) out.distance = L::distance, out.triangle = L::kTriangle;
  if constexpr (requires { L::kRounding; }) out.rounding = L::kRounding;
  if constexpr (requires { &L::weighed; }) out.weighed = L::weighed, out.weights = true;
  if constexpr (requires { L::kWeights; }) out.weights = L::kWeights;
  if constexpr (requires { L::kMissing; }) out.missing = L::kMissing;
  if constexpr (requires { L::kByPlace; }) out.by_place = L::kByPlace;
  if constexpr (requires { &L::map; }) out.map = L::map;
  if constexpr (requires { L::kPower; }) out.power = L::kPower;
  if constexpr (requires { L::kCovariance; }) out.covariance = L::kCovariance;
  if constexpr (requires { L::kAffine; }) out.affine = L::kAffine;
  if constexpr (requires { L::kNoDistance; }) out.no_distance = L::kNoDistance;
  if constexpr (requires { &L::reported; }) out.reported = L::reported, out.bound = L::bound;
  if constexpr (requires { &L::learn; }) out.learn = L::learn, out.learned = L::learned;
  if constexpr (requires { &L::objection; }) out.objection = L::objection;
  return out;
}

template <class... L>
std::vector<Entry> entries_of(List<L...>) {
  return {entry_of<L>()...};
}

const std::vector<Entry>& entries() {
  static const std::vector<Entry> kAll = entries_of(AllMetrics{});
  return kAll;
}

const Entry& entry(const Metric& metric) {
  return *std::ranges::find(entries(), metric.word, &Entry::word);
}

} // namespace

double Own::called(const double* a, const double* b, Index p) const {
  const auto cols = static_cast<std::size_t>(p);
  const double d = users({a, cols}, {b, cols});
  if (!(d >= 0) || std::isinf(d))
    throw std::domain_error(
        fmt::format("the user's distance of two rows is {}, which is not a number from zero up", d));
  return d;
}

const std::vector<std::string>& metric_names() {
  static const std::vector<std::string> kNames = [] {
    std::vector<std::string> names;
    for (const Entry& one : entries()) names.emplace_back(one.word);
    return names;
  }();
  return kNames;
}

bool is_metric(std::string_view name) {
  return std::ranges::find(entries(), name, &Entry::word) != entries().end();
}

Measure measure_of(const Metric& metric, const double* first) {
  if (metric.distance) return Own{.distance = nullptr, .users = metric.distance};
  const Entry& leaf = entry(metric);
  if (leaf.norm != nullptr) return leaf.norm(metric);
  return Own{leaf.triangle, leaf.rounding, leaf.distance, {}, {metric.weights, metric.learned, first}};
}

bool has_boxes(const Metric& metric) {
  return std::visit([](const auto& measure) { return measure.boxes; }, measure_of(metric));
}
bool obeys_triangle(const Metric& metric) {
  return std::visit([](const auto& measure) { return measure.triangle; }, measure_of(metric));
}
bool by_norm(const Metric& metric) {
  const Entry& leaf = entry(metric);
  return !metric.distance && leaf.norm != nullptr && (leaf.map == nullptr || leaf.affine);
}
bool straight_borders(const Metric& metric) {
  return by_norm(metric) && std::holds_alternative<Euclidean>(measure_of(metric));
}
bool by_place(const Metric& metric) {
  return !metric.distance && entry(metric).by_place;
}
bool takes_weights(const Metric& metric) {
  return !metric.distance && entry(metric).weights;
}
bool takes_power(const Metric& metric) {
  return !metric.distance && entry(metric).power;
}
bool takes_covariance(const Metric& metric) {
  return !metric.distance && entry(metric).covariance;
}
bool takes_missing(const Metric& metric) {
  return !metric.distance && entry(metric).missing;
}
bool learns(const Metric& metric) {
  return !metric.distance && entry(metric).learn != nullptr;
}
Result<std::vector<double>> learn(const Metric& metric, const Sample& rows) {
  return entry(metric).learn(rows);
}
Index learned_size(const Metric& metric, Index cols) {
  return learns(metric) ? entry(metric).learned(cols) : 0;
}
std::string objection(const Metric& metric, Index rows, Index cols) {
  const Entry& leaf = entry(metric);
  return metric.distance || leaf.objection == nullptr ? "" : leaf.objection(rows, cols);
}

double reported(const Metric& metric, double measured) {
  if (metric.distance || metric.word == "euclidean") return measured;
  const Entry& leaf = entry(metric);
  return leaf.reported != nullptr ? leaf.reported(measured) : measured;
}
double measure_bound(const Metric& metric, double distance) {
  const Entry& leaf = entry(metric);
  return metric.distance || leaf.bound == nullptr ? distance : leaf.bound(distance);
}

bool maps(const Metric& metric) {
  const Entry& leaf = entry(metric);
  return !metric.distance && (leaf.map != nullptr || (leaf.weighed != nullptr && !metric.weights.empty()));
}
bool map_row(const Metric& metric, double* row, Index cols) {
  if (!maps(metric)) return true;
  const Entry& leaf = entry(metric);
  if (leaf.weighed != nullptr && !metric.weights.empty())
    for (Index j = 0; j < cols; ++j) row[j] *= leaf.weighed(metric, metric.weights[at(j)]);
  return leaf.map == nullptr || leaf.map(metric, row, cols);
}
std::string no_distance(const Metric& metric) {
  return std::string(entry(metric).no_distance);
}

} // namespace recta::neighbours
