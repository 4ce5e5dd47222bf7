#include "feature/map/components/components.hpp"

#include <fmt/format.h>

namespace recta::feature {

Components::Components(std::size_t columns, std::vector<double> learned)
    : columns_(columns), count_(static_cast<Index>(learned.size() / columns) - 2), learned_(std::move(learned)) {}

std::string Components::name(Index k) const {
  return fmt::format("component {}", k + 1);
}

// Computed in double-double: what is left of large numbers after their mean is taken off keeps its digits.
MapOutcome Components::evaluate(const MapRows& rows, double* high, double* low) const {
  const double *mean = learned_.data(), *deviation = mean + columns_;
  for (Index k = 0; k < count_; ++k) {
    const double* weight = deviation + columns_ * static_cast<std::size_t>(k + 1);
    for (Index i = 0; i < rows.count; ++i) {
      DoubleDouble sum = 0.0;
      for (std::size_t j = 0; j < columns_ && !rows.absent(i); ++j)
        sum += two_sum(rows.inputs[j][i], -mean[j]) * (DoubleDouble(weight[j]) / deviation[j]);
      const Index at = k * rows.count + i;
      if (!(sum.hi - sum.hi == 0))
        return std::unexpected(MapFault{i, name(k), "the numbers are too large", "leave the row out"});
      high[at] = sum.hi;
      if (low) low[at] = sum.lo;
    }
  }
  return {};
}

} // namespace recta::feature
