// Rows of another source about a point near their means, for columns whose means are far out beside their deviations:
// years, timestamps, coordinates. Scores <w, x> and slopes sum r x of such columns lose the digits that the mean takes;
// of x - m they lose none. With an intercept both are the same regression, and b = c - <m, w>.
//
// m is a multiple of a power of two near the deviation, so x - m is a double where the numbers of a column have a grid
// in common that is no coarser. Elsewhere what does not fit into one is served beside it: the difference is exact.
#pragma once

#include "base/double_double.hpp"
#include "design/row_source.hpp"

#include <span>
#include <vector>

namespace recta {

// What to take off a column. 0: its mean is not far out.
double shift_of(double mean, double deviation);
// Of all columns; empty: none is.
std::vector<double> shifts_of(std::span<const double> mean, std::span<const double> deviation);
// b + <m, w>; `sign` -1: the way back.
DoubleDouble constant_about(std::span<const double> shift, std::span<const double> w, double b, double sign);
// What it is off by, at most.
double constant_about_error(std::span<const double> shift, std::span<const double> w, double b);

class ShiftedRows final : public RowSource {
public:
  // `shift`: one number a column; it outlives this.
  ShiftedRows(RowSource& rows, std::span<const double> shift) : rows_(rows), shift_(shift) {}

  Index cols() const override { return rows_.cols(); }
  Index targets() const override { return rows_.targets(); }
  std::optional<Index> rows() const override { return rows_.rows(); }
  std::unique_ptr<BlockScratch> scratch() const override;
  Result<std::optional<Index>> claim(BlockScratch& scratch) override;
  Result<Batch> load(BlockScratch& scratch) const override; // dense, row by row
  Result<void> rewind() override { return rows_.rewind(); }

private:
  RowSource& rows_;
  std::span<const double> shift_;
};

} // namespace recta
