// The columns that most rows have, for a preconditioner: conjugate gradients take long to find what these share. Their
// block of the Hessian, about their means, is made from some of the rows and factored.
#pragma once

#include "base/factor/cholesky.hpp"
#include "solver/newton/row_products.hpp"

#include <optional>

namespace recta {

class FrequentColumns {
public:
  // Takes at most 128 columns with a penalty, and none if the rows are dense. All arguments must outlive this.
  FrequentColumns(RowProducts& products, std::span<const double> penalty, std::span<const double> mean);

  const std::vector<Index>& columns() const { return columns_; } // ascending
  // curvatures: of all rows, and their sum. False: there is no factor.
  bool factor(std::span<const double> curvature, double curvatures);
  // Solves with the factor, for its columns alone, and returns <rest, out> over them. Without a factor it does nothing.
  double solve(std::span<const double> rest, std::span<double> out) const;

private:
  RowProducts& products_;
  std::span<const double> penalty_, mean_;
  std::vector<Index> columns_;
  std::vector<int> place_; // of a column among the frequent ones
  std::optional<Cholesky<double>> factor_;
};

} // namespace recta
