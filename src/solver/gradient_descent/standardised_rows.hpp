// Rows with their columns centred and divided by the deviations. Sparse rows are only divided, since centring would
// fill them: with a free intercept that changes the intercept and nothing else.
#pragma once

#include "design/row_source.hpp"

#include <vector>

namespace recta {

class StandardisedRows final : public RowSource {
public:
  // A deviation of zero (a constant column) divides by one. Both must outlive this.
  StandardisedRows(RowSource& inner, const std::vector<double>& mean, const std::vector<double>& deviation);

  Index cols() const override { return inner_.cols(); }
  Index targets() const override { return inner_.targets(); }
  std::optional<Index> rows() const override { return inner_.rows(); }
  std::unique_ptr<BlockScratch> scratch() const override;
  Result<std::optional<Index>> claim(BlockScratch& scratch) override;
  Result<Batch> load(BlockScratch& scratch) const override;
  Result<void> rewind() override { return inner_.rewind(); }
  Rounds* rounds() override { return inner_.rounds(); }

private:
  RowSource& inner_;
  const std::vector<double>& mean_;
  std::vector<double> scale_; // one over the deviation
};

} // namespace recta
