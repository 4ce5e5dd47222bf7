// Distances between rows, and the order in which rows are neighbours of a query.
//
// A metric is a map of the rows followed by a measure of differences. Squared Euclidean and cosine distances are
// functions of the Euclidean one (cosine: of rows brought to length 1, where 1 - cos = |a - b|^2 / 2), and so are
// weights per feature (of scaled columns). What is left are the measures below, each a number from zero up.
//
// Neighbours are ordered by (distance, label or target, row number), so that answers depend neither on threads nor on
// the index nor on the order of the training rows. The distance in this order is the rounded one that `measured`
// returns, computed from differences of coordinates: adding a constant to all rows does not harm it. Every search
// must return the first rows of exactly this order.
#pragma once

#include "objective/neighbours/measures.hpp"

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace recta::neighbours {

enum class MetricWord : std::uint8_t {
  euclidean,
  squared_euclidean,
  manhattan,
  chebyshev,
  minkowski,
  cosine,
  hamming,
  jaccard,
  canberra,
  bray_curtis,
  haversine
};

struct Metric {
  MetricWord word = MetricWord::euclidean;
  double power = 2; // minkowski
  bool operator==(const Metric&) const = default;
};

std::string_view name(MetricWord word);
std::optional<MetricWord> metric_word(std::string_view name);
const std::vector<std::string>& metric_names();

using Measure =
    std::variant<Euclidean, Manhattan, Chebyshev, Minkowski, Hamming, Jaccard, Canberra, BrayCurtis, Haversine>;
Measure measure_of(const Metric& metric);
// Whether the measure is a sum or maximum of |a_j - b_j| over the columns, which boxes of a tree bound from below.
bool has_boxes(const Metric& metric);
bool obeys_triangle(const Metric& metric);

// The distance that users see, for what the measure gives, and the least measure at which it is above `distance`,
// rounded up: rows whose measure is at most this are looked at, and then compared by `reported`.
double reported(const Metric& metric, double measured);
double measure_bound(const Metric& metric, double distance);

// Brings a row to length 1 for cosine distances; false if it is zero and has no direction. Other metrics: nothing.
bool map_row(const Metric& metric, double* row, Index cols);

// What is searched: rows by row, with the places each takes among the k (empty: one) and its rank among rows of equal
// distance (empty: its number).
struct Points {
  const double* data = nullptr;
  Index rows = 0, cols = 0;
  std::span<const double> places{};
  std::span<const Index> rank{};

  const double* row(Index i) const { return data + i * cols; }
  double places_of(Index i) const { return places.empty() ? 1 : places[static_cast<std::size_t>(i)]; }
  Index rank_of(Index i) const { return rank.empty() ? i : rank[static_cast<std::size_t>(i)]; }
};

// The points with the places that count for a search.
inline Points counted(Points points, bool each_one_place) {
  if (each_one_place) points.places = {};
  return points;
}

struct Neighbour {
  double distance = 0; // as measured
  Index row = 0;
};

// Whether a comes before b.
inline bool nearer(const Points& points, const Neighbour& a, const Neighbour& b) {
  if (a.distance != b.distance) return a.distance < b.distance;
  return points.rank_of(a.row) < points.rank_of(b.row);
}

// The nearest rows that fill k places, the last of them perhaps beyond k, as far as they lie within `radius`.
struct Wanted {
  double k = 0; // 0: all within the radius
  double radius = kInfinity;
  bool each_one_place = false; // k counts rows, whatever places they take
};

// The lists of all queries one after another, nearest first: those of query q are [start[q], start[q + 1]).
struct Neighbourhoods {
  std::vector<Index> start;
  std::vector<Neighbour> list;

  std::span<const Neighbour> of(Index query) const {
    const auto first = static_cast<std::size_t>(start[static_cast<std::size_t>(query)]);
    const auto last = static_cast<std::size_t>(start[static_cast<std::size_t>(query) + 1]);
    return std::span(list).subspan(first, last - first);
  }
};

} // namespace recta::neighbours
