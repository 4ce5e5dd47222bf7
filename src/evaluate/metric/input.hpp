// What every measure asks of its arrays. Each refusal names the row, numbered from 1, and the value.
#pragma once

#include <recta/metrics.hpp>

#include <string_view>

namespace recta::metric {

Result<void> same_length(std::size_t truth, std::size_t other, std::string_view what);
// One per row, finite, from zero up, and not all zero.
Result<void> check_weights(Numbers weights, std::size_t rows, int threads);
// From 0 to classes - 1.
Result<void> check_places(Places places, Index classes, std::string_view what, int threads);
// Row i's at i * stride, within [low, high] and no NaN.
Result<void> check_numbers(const double* values, Index rows, Index stride, std::string_view what, int threads);
Result<void> check_probabilities(Numbers p, int threads);

inline double weight_of(Numbers weights, Index row) {
  return weights.empty() ? 1 : weights[static_cast<std::size_t>(row)];
}

} // namespace recta::metric
