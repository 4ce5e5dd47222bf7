// The columns that most rows have, for a preconditioner: what they share is what conjugate gradients take long to find.
// Their block of the Hessian, about their means, is made from some of the rows and factored.
#pragma once

#include "base/factor/cholesky.hpp"
#include "solver/newton/row_products.hpp"

#include <optional>

namespace recta {

class FrequentColumns {
public:
  // At most 128 of those with a penalty, none of dense rows. What is given outlives this.
  FrequentColumns(RowProducts& products, std::span<const double> penalty, std::span<const double> mean);

  const std::vector<Index>& columns() const { return columns_; } // ascending
  // curvatures: of all rows, and their sum. False: there is no factor.
  bool factor(std::span<const double> curvature, double curvatures);
  // Over the factor, of the columns alone; <rest, out> over them is returned. Without a factor nothing is done.
  double solve(std::span<const double> rest, std::span<double> out) const;

private:
  RowProducts& products_;
  std::span<const double> penalty_, mean_;
  std::vector<Index> columns_;
  std::vector<int> place_; // of a column among the frequent ones
  std::optional<Cholesky<double>> factor_;
};

} // namespace recta
