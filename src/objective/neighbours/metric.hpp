// Rows to be searched, and the order in which they are neighbours of a query.
//
// A metric (metric/metric.hpp) is a map of the rows followed by a measure of two rows. Squared Euclidean and cosine
// distances are functions of the Euclidean one (cosine: of rows brought to length 1, where 1 - cos = |a - b|^2 / 2),
// and so are weights per feature (of scaled columns) and Mahalanobis' distance (of rows in units of their covariance).
//
// Neighbours are ordered by (distance, label or target, row number), so that answers depend neither on threads nor on
// the index nor on the order of the training rows. The distance in this order is the rounded one that `measured`
// returns, computed from differences of coordinates: adding a constant to all rows does not harm it. Every search
// must return the first rows of exactly this order.
#pragma once

#include "metric/metric.hpp"

#include <span>
#include <vector>

namespace recta::neighbours {

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

inline Measure measure_of(const Metric& metric, const Points& points) {
  return measure_of(metric, points.data);
}

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
