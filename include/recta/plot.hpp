// Pictures as SVG: layers on one pair of axes, light or dark as the reader's screen is. The same data give the same
// bytes. docs/plots.md shows them.
#pragma once

#include <recta/model.hpp>

#include <array>
#include <functional>
#include <limits>

namespace recta::plot {

inline constexpr double kFromData = std::numeric_limits<double>::quiet_NaN();

enum class Scale : std::uint8_t { linear, log };

struct Axis {
  std::string label{};
  Scale scale = Scale::linear;
  bool falling = false;                     // from the highest to the lowest
  double low = kFromData, high = kFromData; // the range shown
  std::vector<std::string> names{};         // at 0, 1, 2, ... in place of numbers
};

// A colour is a place in a palette that colour-blind people can tell apart, from 0; or one of these.
inline constexpr int kNextColour = -1, kInk = -2, kSoft = -3; // kSoft: grey, for what stands behind

// Layers are drawn in the order given. What is not finite, and what is not positive on a logarithmic axis, is left out;
// a line is broken there. Millions of points are thinned to what can be seen; the outermost always stay.
struct Points {
  std::vector<double> x{}, y{};
  std::string label{}; // in the legend; empty: not there
  int colour = kNextColour;
};
struct Line {
  std::vector<double> x{}, y{};
  std::string label{};
  int colour = kNextColour;
  bool dashed = false, dotted = false; // dotted: a dot on every point
};
struct Band { // from low to high
  std::vector<double> x{}, low{}, high{};
  std::string label{};
  int colour = kNextColour;
};
struct Region { // inside a closed line
  std::vector<double> x{}, y{};
  std::string label{};
  int colour = kNextColour;
};
struct Field { // numbers on a grid: lines of equal value, darker inside the lower ones if shaded
  double left = 0, right = 1, bottom = 0, top = 1;
  Index columns = 0, rows = 0;
  std::vector<double> values{}; // row by row from the bottom
  std::vector<double> levels{}; // ascending
  std::string label{};
  int colour = kNextColour;
  bool shaded = false;
};
struct Cells { // numbers as shades, the largest the darkest: a matrix, the pixels of a digit
  double left = 0, right = 1, bottom = 0, top = 1;
  Index columns = 0, rows = 0;
  std::vector<double> values{};             // row by row from the bottom; what is not finite is left out
  double low = kFromData, high = kFromData; // numbers that are white and black
  std::string label{};
  int colour = kInk;
};
struct Mark { // one point that has a name
  double x = 0, y = 0;
  std::string text{};
  int colour = kInk;
};
struct Rule { // a line across the picture
  double at = 0;
  bool upright = false;
  std::string text{};
  bool dashed = false;
};
using Layer = std::variant<Points, Line, Band, Region, Field, Cells, Mark, Rule>;

struct Picture {
  std::string title{}, subtitle{};
  Axis x{}, y{};
  std::vector<Layer> layers{};
  bool same_unit = false;      // one unit is as long on one axis as on the other
  bool names_at_lines = false; // at the right end of each line instead of a legend
  double width = 720, height = 450;
};

// An error when there is nothing to draw.
Result<std::string> svg(const Picture& picture);
// svg, one beside the other, so many in a row; 0: all.
Result<std::string> side_by_side(const std::vector<Picture>& pictures, Index columns = 0);

// Pictures of a model and rows that have its target: "curve" (one column of numbers against the target, with bands of
// the model's confidence), "residuals" (against fitted values), "contours" (of the cost over two weights, with the disc
// or diamond that the penalty amounts to). Empty: the curve if there is one column, residuals otherwise. Pictures of a
// model of classes: "curve" (the probability over one column, beside the line of least squares), "regions" (of each
// class over two columns), "probabilities" (by true class). Empty: the first that the columns allow. Some models have
// more; picture_kinds() lists all.
Result<Picture> picture(const Model& model, const Dataset& data, const std::string& kind = {});

struct PictureInfo {
  std::string word, text; // "curve" and what it shows, in a few words
};
const std::vector<PictureInfo>& picture_kinds();

struct Way { // of a descent, step by step
  std::vector<double> x{}, y{};
  std::string label = "descent";
};

// Contours of the objective that the model minimises and the paths of descents to it: over its two weights, or over
// intercept and weight if there is one; standardised if the model is. For classes: logistic regression, the
// perceptron's criterion and the delta rule.
Result<Picture> descent_picture(const Model& model, const Dataset& data, const std::vector<Way>& ways);

// Losses of a prediction z where y = 1, each scaled to 1 at z = 0, beside the 0/1 loss. Empty: squared, logistic,
// hinge.
Result<Picture> loss_picture(const std::vector<std::string>& words = {});

// Weights against the strength of a penalty: weights[k * names.size() + j] is that of names[j] at lambda[k].
Result<Picture> path_picture(const std::vector<double>& lambda, const std::vector<double>& weights,
                             const std::vector<std::string>& names);

// The cost after each step; the optimum if it is known. If steps are omitted they are 0, 1, 2, ...
Result<Picture> trace_picture(const std::vector<double>& cost, double optimum = kFromData,
                              const std::vector<double>& steps = {});

// cost = least + (xx dx^2 + 2 xy dx dy + yy dy^2) / 2, where (dx, dy) is the displacement from the centre.
struct Quadratic {
  double xx = 1, xy = 0, yy = 1, x = 0, y = 0, least = 0;
  double operator()(double at_x, double at_y) const;
};
enum class Ball { none, disc, diamond }; // squares, or absolute values, sum to no more than ...

// The point of least cost in the ball: where the lines of equal cost touch it.
std::array<double, 2> touching_point(const Quadratic& cost, Ball ball, double radius);

struct CostPicture {
  Quadratic cost{};
  std::function<double(double x, double y)> exact{}; // in its place, where the cost is another: it then has the centre
  bool known = true;                                 // the centre is a point of least cost
  std::array<std::string, 2> names{"w1", "w2"};
  Ball ball = Ball::none;
  double radius = 0;
  std::vector<Way> ways{};
};
Result<Picture> cost_picture(const CostPicture& what);

} // namespace recta::plot
