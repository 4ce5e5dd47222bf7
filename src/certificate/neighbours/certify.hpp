// The claims of a model that remembers its rows: they are the training rows, bit for bit, and its index finds what a
// comparison with every row finds.
//
// The second is checked on a sample of queries that the certificate names: training rows at even steps and the points
// halfway between each of them and the next. Each query's distances to all rows are computed and sorted here, by the
// definition of the order (objective/neighbours/metric.hpp) and by no index.
//
// An approximate index claims no more than its recall, which is measured here (recall.hpp) and is not a proof.
#pragma once

#include "certificate/neighbours/recall.hpp"
#include "design/row_source.hpp"

#include <recta/certificate.hpp>

#include <functional>

namespace recta::neighbours {

struct Remembered {
  Index cols = 0, targets = 0;
  std::span<const double> x, y, weight; // by row; weight empty: all one
  std::span<const Index> number;        // of each row in the data
};

// What the index is asked: mapped queries in, lists of neighbours out.
using Finder = std::function<Neighbourhoods(std::span<const double> queries)>;

struct NeighbourClaim {
  Remembered rows;
  Points points; // the same rows in the units of distances
  Metric metric;
  Wanted wanted; // in the units of the measure
  std::string index;
  Recall recall{}; // measured, if the index is approximate
};

Result<Certificate> certify(const NeighbourClaim& claim, const Finder& find, RowSource& source, Pool& pool);

} // namespace recta::neighbours
