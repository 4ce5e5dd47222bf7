// Auxiliary regressions: the squared residuals of a fit on its features, or on their squares and products too.
#pragma once

#include "design/changed_rows.hpp"
#include "evaluate/diagnosis/whitening.hpp"

#include <recta/trace.hpp>

namespace recta::diagnosis {

struct ProductRoom {
  std::vector<double> x, plain;
};

// The rows with another target and other weights, both by row number from `first_row` on; a row of weight zero stays
// absent. With `products` the features are (x - mean) / sd, their squares and the products of two.
class AuxiliaryRows final : public ChangedRows<ProductRoom> {
public:
  struct Products {
    std::vector<double> mean, deviation;
  };
  AuxiliaryRows(RowSource& rows, const std::vector<double>& target, const std::vector<double>& weight, Index first_row,
                const Products* products = nullptr);

  Index cols() const override;
  Index targets() const override { return 1; }

private:
  void change(Batch& batch, ProductRoom& room) const override;

  const std::vector<double>& target_;
  const std::vector<double>& weight_;
  Index first_row_;
  const Products* products_;
};

Index product_count(Index cols); // p + p (p + 1) / 2

struct AuxiliaryFit {
  double r2 = 0;
  Index rank = 0;
};
Result<AuxiliaryFit> regress(AuxiliaryRows& rows, Precision precision, Pool& pool, const Watch& watch);

} // namespace recta::diagnosis
