#include "family/family.hpp"

#include "family/checked_request.hpp"
#include "family/discriminant/body.hpp"
#include "family/discriminant/discriminant.hpp"
#include "family/discriminant/pictures.hpp"
#include "model_file/rules.hpp"

namespace recta::family::discriminant {
namespace {

ParamInfo shrinkage() {
  return {"shrinkage",
          std::string("none"),
          "none, auto (Ledoit and Wolf), oas, or a number from 0 to 1: how far a covariance moves towards equal "
          "variances without correlation",
          0,
          0,
          {}};
}
ParamInfo priors() {
  return {"priors",
          std::string("learned"),
          "learned, uniform, LABEL=P,... or P/P/...: probabilities of the classes before a row is seen",
          0,
          0,
          {}};
}
ParamInfo rank_tolerance() {
  return {"rank-tolerance",
          1e-6,
          "a direction whose standard deviation, in units of the columns', is no larger counts as constant",
          1e-8,
          1,
          {}};
}

ModelInfo lda_info() {
  ModelInfo info{"lda",
                 "Gaussian classes with one covariance: linear scores, and the directions that separate classes best",
                 "F = -1/W sum_i s_i [log P(y_i) + log N(x_i; m_(y_i), S)]",
                 {shrinkage(),
                  priors(),
                  {"pooling",
                   std::string("weights"),
                   "how the covariances of the classes are weighed: by the weights of their rows, or by the priors",
                   0,
                   0,
                   {"weights", "priors"}},
                  rank_tolerance()}};
  info.classes = info.probabilities = info.rereads = true;
  return info;
}

ModelInfo qda_info() {
  ModelInfo info{"qda",
                 "Gaussian classes, each with a covariance of its own: quadratic scores",
                 "F = -1/W sum_i s_i [log P(y_i) + log N(x_i; m_(y_i), S_(y_i))]",
                 {shrinkage(),
                  priors(),
                  {"towards-pooled", 0.0, "how far each covariance moves towards that of all classes", 0, 1, {}},
                  {"regularisation",
                   0.0,
                   "how far each covariance then moves towards the identity, in units of the data",
                   0,
                   1,
                   {}},
                  rank_tolerance()}};
  info.classes = info.probabilities = info.rereads = true;
  return info;
}

class Discriminants final : public Family, public HasFieldRules {
public:
  std::vector<ModelInfo> words() const override { return {lda_info(), qda_info()}; }
  int place() const override { return 6; }
  bool penalised(const Request&) const override { return false; }

  Result<void> check(const Request& request) const override {
    if (auto good = check_class_options(request, "units do not matter to it, except for shrinkage by a number",
                                        "leave out standardise");
        !good)
      return good;
    return check_priors_learned(request);
  }
  const Procedure& procedure() const override { return recta::discriminant::procedure(); }
  std::vector<FieldRule> rules() const override {
    return {
        {"discriminant.settings", Rule::setting},           {"discriminant.prior", Rule::setting},
        {"discriminant.class_weight", Rule::recomputed},    {"discriminant.mean", Rule::recomputed},
        {"discriminant.covariance", Rule::recomputed},      {"discriminant.deviation", Rule::recomputed},
        {"discriminant.share", Rule::recomputed},           {"discriminant.factor", Rule::recomputed},
        {"discriminant.log_determinant", Rule::recomputed}, {"discriminant.added", Rule::recomputed},
        {"discriminant.coefficients", Rule::recomputed},    {"discriminant.intercepts", Rule::recomputed},
        {"discriminant.directions", Rule::recomputed},      {"discriminant.ratios", Rule::recomputed},
    };
  }
  Result<std::shared_ptr<const Body>> read(FieldReader& in, FitSummary summary, const Schema& schema) const override {
    return recta::discriminant::read_body(in, std::move(summary), schema);
  }
  std::vector<plot::PictureInfo> pictures() const override { return recta::discriminant::pictures(); }
  Result<plot::Picture> picture(const std::string& kind, const Model& model, const Dataset& data) const override {
    return recta::discriminant::picture(kind, model, data);
  }
};

} // namespace

std::unique_ptr<Family> make() {
  return std::make_unique<Discriminants>();
}

} // namespace recta::family::discriminant
