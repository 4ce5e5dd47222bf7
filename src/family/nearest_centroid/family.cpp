#include "family/family.hpp"

#include "family/checked_request.hpp"
#include "family/converted.hpp"
#include "family/nearest_centroid/body.hpp"
#include "family/nearest_centroid/nearest_centroid.hpp"
#include "model_file/rules.hpp"
#include "params/params.hpp"
#include "plot/pixel_grids.hpp"

namespace recta::family::nearest_centroid {
namespace {

ModelInfo centroid_info() {
  ModelInfo info{"nearest-centroid",
                 "the class whose mean is nearest: Gaussian classes of unit covariance",
                 "F = 1/(2W) sum_i s_i |x_i - c_(y_i)|^2",
                 {{"metric",
                   std::string("euclidean"),
                   "euclidean: distances to means; manhattan: sums of absolute differences from medians",
                   0,
                   0,
                   {"euclidean", "manhattan"}},
                  {"shrink-threshold",
                   0.0,
                   "by how many standard errors centroids move towards the mean of all rows; 0: none",
                   0,
                   kHuge,
                   {},
                   1},
                  {"priors",
                   std::string("uniform"),
                   "uniform, learned, LABEL=P,... or P/P/...: probabilities of the classes before a row is seen",
                   0,
                   0,
                   {}}}};
  info.classes = info.probabilities = info.rereads = true;
  return info;
}

class NearestCentroid final : public Family, public HasFieldRules {
public:
  std::vector<ModelInfo> words() const override { return {centroid_info()}; }
  int place() const override { return 6; }
  bool penalised(const Request&) const override { return true; } // every level of a category has its share
  bool gathers_products() const override { return false; }

  Result<void> check(const Request& request) const override {
    return check_class_options(request, "it measures distances in the units of the data", "scale the columns before");
  }
  const Procedure& procedure() const override { return recta::nearest_centroid::procedure(); }
  std::vector<FieldRule> rules() const override {
    return {
        {"nearest_centroid.settings", Rule::setting},        {"nearest_centroid.prior", Rule::setting},
        {"nearest_centroid.class_weight", Rule::recomputed}, {"nearest_centroid.centroids", Rule::recomputed},
        {"nearest_centroid.shrunken", Rule::recomputed},     {"nearest_centroid.middle", Rule::recomputed},
        {"nearest_centroid.deviation", Rule::recomputed},
    };
  }
  Result<std::shared_ptr<const Body>> read(FieldReader& in, FitSummary summary, const Schema& schema) const override {
    return recta::nearest_centroid::read_body(in, std::move(summary), schema);
  }
  std::vector<plot::PictureInfo> pictures() const override { return {plot::pixels_info()}; }
  Result<plot::Picture> picture(const std::string&, const Model& model, const Dataset&) const override {
    const auto* body = dynamic_cast<const recta::nearest_centroid::CentroidBody*>(model.body.get());
    if (!body) return converted_drawing(model.word);
    return plot::pixel_picture(model, body->learned().used);
  }
};

} // namespace

std::unique_ptr<Family> make() {
  return std::make_unique<NearestCentroid>();
}

} // namespace recta::family::nearest_centroid
