#include "family/discriminant/pictures.hpp"

#include "base/numbers.hpp"
#include "family/converted.hpp"
#include "family/discriminant/body.hpp"
#include "plot/densities.hpp"
#include "plot/pixel_grids.hpp"

namespace recta::discriminant {

std::vector<plot::PictureInfo> pictures() {
  return {plot::densities_info(), plot::pixels_info()};
}

Result<plot::Picture> picture(const std::string& kind, const Model& model, const Dataset& data) {
  const auto* body = dynamic_cast<const DiscriminantBody*>(model.body.get());
  if (!body) return converted_drawing(model.word);
  const Learned& learned = body->learned();
  if (kind == "pixels") return plot::pixel_picture(model, learned.mean);
  if (auto good = plot::check_density_columns(model); !good) return std::unexpected(good.error());
  std::vector<plot::ClassDensity> classes;
  const Index p = learned.columns;
  for (Index k = 0; k < learned.classes; ++k) {
    const double *mean = learned.mean.data() + k * p,
                 *covariance = learned.covariance.data() + (learned.shape.quadratic ? k * p * p : 0);
    classes.push_back({learned.prior[at(k)], {mean, mean + p}, {covariance, covariance + p * p}});
  }
  return plot::density_picture(model, data, classes);
}

} // namespace recta::discriminant
