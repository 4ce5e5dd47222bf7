// Numbers no statistic can use: the first one is named by row and column. Rows of weight zero are absent and may hold
// anything.
#pragma once

#include "design/batch.hpp"

#include <functional>

namespace recta {

// What messages call the parts of a batch.
struct Places {
  std::string source{};                                  // "train.csv"; may be empty
  std::function<std::string(Index)> feature{}, target{}; // unset: by number from 1
};

// Finite and not negative, offsets finite.
Result<void> check_weights(const Batch& batch, const Places& places = {});
// Every number and target finite, in rows of positive weight.
Result<void> check_numbers(const Batch& batch, const Places& places = {});
// For a block whose statistics are not finite: the number to blame, which is the largest where squares overflowed.
std::unexpected<Error> blame(const Batch& batch, const Places& places = {});

} // namespace recta
