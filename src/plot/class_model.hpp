// Pictures of a model that predicts classes.
#pragma once

#include <recta/plot.hpp>

namespace recta::plot {

// "curve", "regions" or "probabilities"; empty: the first of them that the model can have.
Result<Picture> class_picture(const Model& model, const Dataset& data, const std::string& kind);

} // namespace recta::plot
