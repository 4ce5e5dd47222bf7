// Distances between rows. A folder under src/metric is a metric: the build finds it, and `--metric` knows its word.
//
// A leaf (NAME/NAME.hpp, struct Leaf) has kWord, kSummary and one of
//   static Measure norm(const Metric&)              a norm of the difference of rows, which boxes of a tree bound
//   static double distance(a, b, p, OwnNumbers)     a distance of its own; kTriangle says whether it obeys the
//   inequality
// and what it needs of these:
//   kRounding                                       how far its distance may be off, beside 2^-32 of itself
//   static double weighed(const Metric&, double w)  the factor of a column of weight w in a norm; kWeights for others
//   static bool map(const Metric&, double* row, Index cols)   rows are mapped first; false: this row has no distance
//   kAffine                                         the map is affine: it keeps straight lines
//   kNoDistance                                     why, for that case
//   static double reported(double), bound(double)   what users see for a measure, and the measure of what they see
//   static Result<std::vector<double>> learn(const Sample&)   numbers learned from the training rows, and
//   static Index learned(Index cols)                          how many
//   static std::string objection(Index rows, Index cols)      why rows of this shape have no distance; empty: they do
//   kMissing                                        a missing value (NaN) leaves its column out
#pragma once

#include "metric/measures.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <variant>

namespace recta::neighbours {

using UserDistance = std::function<double(std::span<const double>, std::span<const double>)>;

struct Metric {
  std::string word = "euclidean";
  double power = 2;              // minkowski
  std::vector<double> weights{}; // of the features; empty: all one
  std::vector<double> learned{}; // from the training rows
  UserDistance distance{};       // in place of all this
  bool operator==(const Metric& other) const {
    return word == other.word && power == other.power && weights == other.weights;
  }
};

using Measure = std::variant<Euclidean, Manhattan, Chebyshev, Minkowski, Own>;

// The training rows, as a metric learns from them.
struct Sample {
  const double* x = nullptr; // by row
  Index rows = 0, cols = 0;
  std::span<const double> weight{};  // of the rows; empty: all one
  std::span<const Index> category{}; // of every feature: the number of the category it is a level of, or -1; empty: -1

  double weight_of(Index i) const { return weight.empty() ? 1 : weight[static_cast<std::size_t>(i)]; }
  Index category_of(Index j) const { return category.empty() ? -1 : category[static_cast<std::size_t>(j)]; }
};

const std::vector<std::string>& metric_names();
bool is_metric(std::string_view name);

// `first`: of the rows searched, for distances that are given by place.
Measure measure_of(const Metric& metric, const double* first = nullptr);
// Whether the measure is a sum or maximum of |a_j - b_j| over the columns, which boxes of a tree bound from below.
bool has_boxes(const Metric& metric);
bool obeys_triangle(const Metric& metric);
// Whether it is a norm of the difference of two rows, perhaps after an affine map of the rows; and whether, moreover,
// the rows that are as far from one row as from another lie on a line, a plane, ...
bool by_norm(const Metric& metric);
bool straight_borders(const Metric& metric);
bool by_place(const Metric& metric); // column j of a row is its distance to row j
bool takes_weights(const Metric& metric);
bool takes_missing(const Metric& metric);
bool learns(const Metric& metric);
Result<std::vector<double>> learn(const Metric& metric, const Sample& rows);
Index learned_size(const Metric& metric, Index cols);
std::string objection(const Metric& metric, Index rows, Index cols);

// The distance that users see, for what the measure gives, and the least measure at which it is above `distance`,
// rounded up: rows whose measure is at most this are looked at, and then compared by `reported`.
double reported(const Metric& metric, double measured);
double measure_bound(const Metric& metric, double distance);

// Rows in the units of the measure: times the weights of the features, and mapped. False if a row has no distance,
// which `no_distance` explains.
bool maps(const Metric& metric);
bool map_row(const Metric& metric, double* row, Index cols);
std::string no_distance(const Metric& metric);

} // namespace recta::neighbours
