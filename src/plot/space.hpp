// A box of three dimensions on paper, seen from far away and a little above, so that parallel lines stay parallel. The
// box is drawn as a cube, whatever the units of its sides: at u in [0, 1]^3 of it,
//   across = -sin(a) u1 + cos(a) u2,   up = -sin(e) (cos(a) u1 + sin(a) u2) + cos(e) u3,   a = e = 20 degrees.
// The first side comes towards the reader, the second runs to the right, the third upwards.
#pragma once

#include <recta/plot.hpp>

#include <array>
#include <span>

namespace recta::plot {

using InSpace = std::array<double, 3>;

struct Box {
  InSpace low{}, high{};
};

struct OnPaper {
  double across = 0, up = 0;
};

// Around all points that are finite, with a little room; a side on which they are all equal is 2 long.
Box box_around(std::span<const InSpace> points);

OnPaper on_paper(const Box& box, const InSpace& point);

// The corners of the plane <w, x> = value inside the box, in order around it; empty if it misses the box.
std::vector<InSpace> corners_of_plane(const Box& box, const InSpace& w, double value);

// The edges of the box, and its three sides as axes that have a name and a range. The frame has no axes of its own.
void draw_box(Picture& picture, const Box& box, const std::vector<std::string>& names);

} // namespace recta::plot
