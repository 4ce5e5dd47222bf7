// Rows of another source shifted to a point near their means, for columns whose means are large compared with their
// deviations: years, timestamps, coordinates. Scores <w, x> and slopes sum r x of such columns lose the digits that the
// mean takes; those of x - m lose none. With an intercept both are the same regression, and b = c - <m, w>.
//
// m is a multiple of a power of two near the deviation, so x - m is a double if the numbers of the column lie on a
// common grid that is no coarser. Otherwise the part that does not fit is served as a low part: the difference is
// exact.
#pragma once

#include "base/double_double.hpp"
#include "stats/replaced_rows.hpp"

#include <span>
#include <vector>

namespace recta {

// The shift of one column; 0 if its mean is not far out.
double shift_of(double mean, double deviation);
// The shifts of all columns; empty if all are 0.
std::vector<double> shifts_of(std::span<const double> mean, std::span<const double> deviation);
// b + <m, w>; with `sign` -1 the shift is undone.
DoubleDouble constant_about(std::span<const double> shift, std::span<const double> w, double b, double sign);
// An upper bound on the error of that sum.
double constant_about_error(std::span<const double> shift, std::span<const double> w, double b);

class ShiftedRows final : public ReplacedRows {
public:
  // `shift`: one number per column; it must outlive this.
  ShiftedRows(RowSource& rows, std::span<const double> shift) : ReplacedRows(rows), shift_(shift) {}

private:
  bool replace(double* x, double* low) const override;

  std::span<const double> shift_;
};

} // namespace recta
