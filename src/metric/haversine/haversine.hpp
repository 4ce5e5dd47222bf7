// The angle between two points of a sphere, given as latitude and longitude in radians:
// 2 asin sqrt(sin^2((a_0 - b_0) / 2) + cos a_0 cos b_0 sin^2((a_1 - b_1) / 2)).
#pragma once

#include "metric/list.hpp"

#include <fmt/format.h>

namespace recta::neighbours::haversine {

struct Leaf {
  static constexpr std::string_view kWord = "haversine";
  static constexpr bool kTriangle = true;
  static constexpr double kRounding = 0x1p-20; // near half a turn asin turns one rounding into the root of it
  static double distance(const double* a, const double* b, Index, const OwnNumbers&) {
    const double across = std::sin((a[0] - b[0]) / 2), along = std::sin((a[1] - b[1]) / 2);
    return 2 * std::asin(std::min(1.0, std::sqrt(across * across + std::cos(a[0]) * std::cos(b[0]) * along * along)));
  }
  static std::string objection(Index, Index cols) {
    if (cols == 2) return {};
    return fmt::format("haversine is a distance of latitude and longitude in radians, and there are {} features", cols);
  }
};

} // namespace recta::neighbours::haversine
