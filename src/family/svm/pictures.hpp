// The picture of a support vector machine: the line between two classes with its margins, or the tube around a curve,
// and the support vectors that hold them.
#pragma once

#include <recta/plot.hpp>

namespace recta::svm {

plot::PictureInfo margins_info();
Result<plot::Picture> margins_picture(const Model& model, const Dataset& data);

} // namespace recta::svm
