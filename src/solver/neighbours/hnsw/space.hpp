// The distances by which a graph is built and walked: cheap numbers that grow with the true ones. Neighbours are
// measured again before they are returned.
#pragma once

#include "objective/neighbours/metric.hpp"

#include <memory>

namespace recta::neighbours {

using NodeNumber = std::uint32_t;

class Space {
public:
  virtual ~Space() = default;
  virtual Index nodes() const = 0;
  // A query, or a node as a query, in the units of this space.
  virtual void prepare(const double* query, std::vector<double>& out) const = 0;
  virtual void prepare(NodeNumber node, std::vector<double>& out) const = 0;
  virtual void distances(const std::vector<double>& prepared, std::span<const NodeNumber> list, double* out) const = 0;
  virtual void expect(NodeNumber) const {} // brings its coordinates near, which are read soon
  // No row of a node with this distance here is nearer than this; 0 if the space cannot say.
  virtual double least_measured(double) const { return 0; }
};

// The points of the nodes: `rows[v]` is the row of node v. Euclidean distances are taken in single precision, about
// the mean of the rows and in units of the largest coordinate, unless that is beyond its range.
std::unique_ptr<Space> make_space(const Metric& metric, const Points& points, std::vector<Index> rows);

} // namespace recta::neighbours
