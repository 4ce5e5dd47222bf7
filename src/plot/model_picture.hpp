// Pictures that any model with a target has.
#pragma once

#include <recta/plot.hpp>

namespace recta::plot {

const std::vector<PictureInfo>& pictures_of_any_model();

// One of them; empty: the one that shows the most of the model.
Result<Picture> model_picture(const Model& model, const Dataset& data, const std::string& kind);

} // namespace recta::plot
