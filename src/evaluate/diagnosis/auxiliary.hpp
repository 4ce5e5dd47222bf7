// Auxiliary regressions: the squared residuals of a fit on its features, or on their squares and products too.
#pragma once

#include "design/row_source.hpp"
#include "evaluate/diagnosis/whitening.hpp"

#include <recta/trace.hpp>

namespace recta::diagnosis {

// The rows with another target and other weights, both by row number from `first_row` on; a row of weight zero stays
// absent. With `products` the features are (x - mean) / sd, their squares and the products of two.
class AuxiliaryRows final : public RowSource {
public:
  struct Products {
    std::vector<double> mean, deviation;
  };
  AuxiliaryRows(RowSource& rows, const std::vector<double>& target, const std::vector<double>& weight, Index first_row,
                const Products* products = nullptr);

  Index cols() const override;
  Index targets() const override { return 1; }
  std::optional<Index> rows() const override { return rows_.rows(); }
  std::unique_ptr<BlockScratch> scratch() const override;
  Result<std::optional<Index>> claim(BlockScratch& scratch) override;
  Result<Batch> load(BlockScratch& scratch) const override;
  Result<void> rewind() override { return rows_.rewind(); }
  Rounds* rounds() override { return rows_.rounds(); }

private:
  RowSource& rows_;
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
