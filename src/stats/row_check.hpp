// Finds numbers that no statistic can use and names the first one by row and column. Rows of weight zero are absent and
// may hold anything.
#pragma once

#include "design/batch.hpp"

#include <functional>

namespace recta {

// The names that messages use for the parts of a batch.
struct Places {
  std::string source{};                                  // "train.csv"; may be empty
  std::function<std::string(Index)> feature{}, target{}; // unset: by number from 1
  Index first_row = 0;                                   // of a part, whose rows messages count from its own beginning
};

// Checks that weights are finite and not negative, and that offsets are finite.
Result<void> check_weights(const Batch& batch, const Places& places = {});
// Checks that every feature and target is finite, in rows of positive weight.
Result<void> check_numbers(const Batch& batch, const Places& places = {});
// The number to blame in a block whose statistics are not finite; if squares overflowed, that is the largest one.
std::unexpected<Error> blame(const Batch& batch, const Places& places = {});

} // namespace recta
