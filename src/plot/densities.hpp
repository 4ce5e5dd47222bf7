// Gaussian densities of classes over one column, as curves, or over two, as ellipses on the regions of the classes.
#pragma once

#include <recta/plot.hpp>

namespace recta::plot {

struct ClassDensity {
  double prior = 0;
  std::vector<double> mean;       // one or two
  std::vector<double> covariance; // one, or two by two
};

inline PictureInfo densities_info() {
  return {"densities", "Gaussian densities of the classes over one or two columns, with the boundary between them"};
}

// One density per class of the model, in the order of its classes.
Result<Picture> density_picture(const Model& model, const Dataset& data, const std::vector<ClassDensity>& classes);
// The error for a model that does not read one or two columns of numbers and nothing else.
Result<void> check_density_columns(const Model& model);

} // namespace recta::plot
