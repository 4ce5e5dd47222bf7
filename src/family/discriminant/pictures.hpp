// Pictures of lda and qda: densities of the classes, and pixels that a class expects.
#pragma once

#include <recta/plot.hpp>

namespace recta::discriminant {

std::vector<plot::PictureInfo> pictures();
Result<plot::Picture> picture(const std::string& kind, const Model& model, const Dataset& data);

} // namespace recta::discriminant
