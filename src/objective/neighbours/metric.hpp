// Rows to be searched, and the order in which they are neighbours of a query.
//
// A metric (metric/metric.hpp) is a map of the rows followed by a measure of two rows. Squared Euclidean and cosine
// distances are functions of the Euclidean one (cosine: of rows brought to length 1, where 1 - cos = |a - b|^2 / 2),
// and so are weights per feature (of scaled columns) and Mahalanobis' distance (of rows in units of their covariance).
//
// Neighbours are ordered by (distance, label or target, row number), so that answers depend neither on threads nor on
// the index nor on the order of the training rows. Every search must return the first rows of exactly this order, which
// order.hpp defines. Distances are measured from differences of coordinates: adding a constant to all rows does not
// harm them.
#pragma once

#include "base/checked_array.hpp"
#include "metric/metric.hpp"

#include <span>
#include <vector>

namespace recta::neighbours {

// What is searched: rows by row, with the places each takes among the k (empty: one) and their targets, which order
// rows of equal distance (by row, as many per row; empty: none). They may lie in a file, and are checked as they are
// read.
struct Points {
  CheckedSpan<double> data{};
  Index rows = 0, cols = 0;
  CheckedSpan<double> places{}, target{};

  const double* row(Index i) const { return rows_from(i, 1); }
  const double* rows_from(Index first, Index count) const {
    return data.from(static_cast<std::size_t>(first * cols), static_cast<std::size_t>(count * cols));
  }
  double places_of(Index i) const { return places.empty() ? 1 : places[static_cast<std::size_t>(i)]; }
  // The order of rows at equal distances: by their targets, then by their numbers.
  bool before(Index a, Index b) const {
    const std::size_t width = target.size() / static_cast<std::size_t>(rows);
    const double* of_a = target.from(static_cast<std::size_t>(a) * width, width);
    const double* of_b = target.from(static_cast<std::size_t>(b) * width, width);
    for (std::size_t t = 0; t < width; ++t)
      if (of_a[t] != of_b[t]) return of_a[t] < of_b[t];
    return a < b;
  }
};

inline Measure measure_of(const Metric& metric, const Points& points) {
  return measure_of(metric, points.data.address());
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

// Whether a comes before b, if their distances are taken as measured.
inline bool nearer(const Points& points, const Neighbour& a, const Neighbour& b) {
  if (a.distance != b.distance) return a.distance < b.distance;
  return points.before(a.row, b.row);
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
