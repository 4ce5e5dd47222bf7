// Fewer points that look the same. What is kept is among what was given, and the outermost points always are.
#pragma once

#include <cstddef>
#include <vector>

namespace recta::plot {

struct Pixel {
  double x = 0, y = 0;
  bool operator==(const Pixel&) const = default;
};

struct Dot {
  Pixel at{};
  std::size_t count = 1; // how many points it stands for
};

// One point per cell of a grid, the cells as small as leave at most about `most`; all points if there are no more.
std::vector<Dot> thin_points(const std::vector<Pixel>& points, std::size_t most);

// If x never falls: the first, lowest, highest and last point of every column of pixels, which draws the same line
// (Jugel et al. 2014, "M4"). Otherwise a point is left out while it is less than some pixels, as few as suffice, from
// the last one kept.
std::vector<Pixel> thin_line(const std::vector<Pixel>& points, std::size_t most);

} // namespace recta::plot
