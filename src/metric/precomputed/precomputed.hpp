// Distances that are given as numbers: column j of a row is its distance to training row j, whatever row j holds.
#pragma once

#include "metric/list.hpp"

#include <fmt/format.h>

namespace recta::neighbours::precomputed {

struct Leaf {
  static constexpr std::string_view kWord = "precomputed";
  static constexpr bool kTriangle = false, kByPlace = true;
  static double distance(const double* a, const double* b, Index p, const OwnNumbers& numbers) {
    return a[(b - numbers.first) / p];
  }
  static std::string objection(Index rows, Index cols) {
    if (rows == cols) return {};
    return fmt::format("precomputed distances have one column per training row, and there are {} of {}", cols, rows);
  }
};

} // namespace recta::neighbours::precomputed
