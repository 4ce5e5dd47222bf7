// What a machine looks like: the line between two classes with the margins beside it, or the tube about a curve, and
// the support vectors that hold them.
#pragma once

#include <recta/plot.hpp>

namespace recta::svm {

plot::PictureInfo margins_info();
Result<plot::Picture> margins_picture(const Model& model, const Dataset& data);

} // namespace recta::svm
