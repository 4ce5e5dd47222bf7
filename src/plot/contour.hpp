// Lines of equal value on a grid, by marching squares (Lorensen and Cline 1987, in the plane).
//
// Each square of four neighbours is crossed according to which corners lie below the level; a line meets an edge where
// linear interpolation has the level. A saddle is decided by the mean of its corners. Pieces run with the lower side on
// their left, so every crossing is the end of one piece and the beginning of the next and lines are joined by following
// them. Cost: one look at every square per level.
#pragma once

#include "plot/thin.hpp"

#include <cstdint>
#include <vector>

namespace recta::plot {

struct Grid {
  std::vector<double> x, y;   // positions of the columns and the rows
  std::vector<double> values; // row by row
};

struct Contour {
  std::vector<Pixel> points;
  bool closed = false;
};

// Squares with a corner that is not finite are left out.
std::vector<Contour> contours(const Grid& grid, double level);

// Contours with every line closed along the border of the grid: what lies inside, by the even-odd rule, is below.
std::vector<Contour> below(const Grid& grid, double level);

} // namespace recta::plot
