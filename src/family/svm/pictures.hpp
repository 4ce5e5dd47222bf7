// Pictures of a support vector machine and the support vectors that hold it: "margins", the line between two classes
// with its margins, or the tube around a curve; "space", the plane between two classes over three features.
#pragma once

#include "family/svm/body.hpp"

#include <recta/plot.hpp>

namespace recta::svm {

std::vector<plot::PictureInfo> pictures();
Result<plot::Picture> picture(const std::string& kind, const Model& model, const Dataset& data);

// A linear machine of two classes over three features.
Result<plot::Picture> space_picture(const Machine& machine, const Model& model, const Dataset& data);

// An error unless the rows may be those of training: at the optimum no support vector of two classes is beyond the
// margin.
Result<void> check_margins(const Machine& machine, const Model& model, const Dataset& data);

// One more circle of a region; its radii are in the units of the axes.
void add_ring(plot::Region& rings, double x, double y, double x_radius, double y_radius);

} // namespace recta::svm
