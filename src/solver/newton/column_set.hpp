// The working set of a Newton method over columns, copied side by side, and the elastic net that is a step over them.
#pragma once

#include "solver/elastic_net.hpp"

#include <variant>

namespace recta {

class ColumnSet {
public:
  ColumnSet(const std::variant<MatrixView, SparseView>& x, Pool& pool); // sparse: by column; both must outlive this

  const std::vector<Index>& ids() const { return ids_; }
  void add(std::span<const Index> columns);

  void multiply(std::span<const double> w, std::span<double> z) const; // z += sum_k w_k x_k
  void products(std::span<const double> r, std::span<double> g) const; // g_k = <x_k, r>
  // Weighted least squares of y, starting at `start`. Coefficients are by place in ids().
  ElasticNetSolution solve(const ElasticNetObjective& net, std::span<const double> y, std::span<const double> weight,
                           std::span<const double> start, double tolerance, const Watch& watch) const;

private:
  std::variant<MatrixView, SparseView> view() const;

  const std::variant<MatrixView, SparseView>& x_;
  Pool& pool_;
  Index rows_;
  std::vector<Index> ids_, start_{0}, index_; // of compressed columns
  std::vector<double> value_;                 // of these, or dense ones
};

} // namespace recta
