#include "summary/standard_units.hpp"

#include "stats/column_sums/column_sums.hpp"
#include "stats/pass.hpp"

namespace recta {

Result<StandardUnits> StandardUnits::of(RowSource& rows, bool sparse, Pool& pool, const Watch& watch) {
  const auto sums = fresh_pass(rows, ColumnSums(rows.cols(), rows.targets()), pool, watch, {"measuring columns", 0});
  if (!sums) return std::unexpected(sums.error());
  StandardUnits out;
  out.centred = !sparse;
  for (Index j = 0; j < rows.cols(); ++j) {
    out.mean.push_back(sums->mean(j).hi);
    const double deviation = sums->deviation(j);
    out.deviation.push_back(deviation > 0 ? deviation : 1);
  }
  return out;
}

void StandardUnits::to_data(double* w, double& b) const {
  for (std::size_t j = 0; j < mean.size(); ++j) {
    w[j] /= deviation[j];
    if (centred) b -= mean[j] * w[j];
  }
}

void StandardUnits::from_data(double* w, double& b) const {
  for (std::size_t j = 0; j < mean.size(); ++j) {
    if (centred) b += mean[j] * w[j];
    w[j] *= deviation[j];
  }
}

} // namespace recta
