#pragma once

#include <recta/plot.hpp>

namespace recta::kernel_pca {

// "components": rows by their first two components, coloured by a column that the model does not read.
Result<plot::Picture> components_picture(const Model& model, const Dataset& data);
// "variance": the share of every component, and of those up to it.
Result<plot::Picture> variance_picture(const Model& model);

} // namespace recta::kernel_pca
