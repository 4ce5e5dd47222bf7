// The distances by which a graph is built and walked: cheap numbers that grow with the true ones. Neighbours are
// measured again before they are returned.
#pragma once

#include "solver/neighbours/hnsw/distinct.hpp"

#include <memory>

namespace recta::neighbours {

using NodeNumber = std::uint32_t;

struct FloatNodes;

class Space {
public:
  virtual ~Space() = default;
  virtual Index nodes() const = 0;
  // A query, or a node as a query, in the units of this space.
  virtual void prepare(const double* query, std::vector<double>& out) const = 0;
  virtual void prepare(NodeNumber node, std::vector<double>& out) const = 0;
  virtual void distances(const std::vector<double>& prepared, std::span<const NodeNumber> list, double* out) const = 0;
  virtual void expect(NodeNumber) const {}                     // brings its coordinates near, which are read soon
  virtual const FloatNodes* floats() const { return nullptr; } // if it has them
  // No row of a node with this distance here is nearer than this; 0 if the space cannot say.
  virtual double least_measured(double) const { return 0; }
};

// The coordinates of the nodes in single precision: (x - centre) * scale. With these a space need not be made again.
struct FloatNodes {
  std::vector<double> centre{};
  double scale = 0;
  CheckedArray<float> x{}; // by node; empty: the space does not have them
  bool operator==(const FloatNodes&) const = default;
};

// The points of the nodes. Euclidean distances are taken in single precision, about the mean of the rows and in units
// of the largest coordinate, unless that is beyond its range.
std::unique_ptr<Space> make_space(const Metric& metric, const Points& points, const DistinctRows& rows);
std::unique_ptr<Space> make_space(const Metric& metric, const Points& points, const DistinctRows& rows,
                                  FloatNodes known);

} // namespace recta::neighbours
