#include "family/family.hpp"

#include "family/checked_request.hpp"
#include "family/naive_bayes/body.hpp"
#include "family/naive_bayes/naive_bayes.hpp"
#include "family/naive_bayes/pictures.hpp"
#include "family/naive_bayes/request.hpp"
#include "model_file/rules.hpp"
#include "params/params.hpp"

namespace recta::family::naive_bayes {
namespace {

ModelInfo naive_bayes_info() {
  ModelInfo info{
      "naive-bayes",
      "classes by Bayes' rule, with columns that are independent given the class: counted, not searched",
      "F = -1/W sum_i s_i [log P(y_i) + sum_j log P(x_ij | y_i)]",
      {{"likelihood",
        std::string("auto"),
        "KIND, COL=KIND,... or KIND/KIND/... in order: gaussian, categorical, categorical:LEVELS, bernoulli, "
        "multinomial, complement; auto goes by the type of the column",
        0,
        0,
        {}},
       {"alpha",
        std::string("1"),
        "NUMBER, COL=NUMBER,... or NUMBER/NUMBER/...: added to every count; 0 is maximum likelihood, 1 Laplace's rule",
        0,
        0,
        {}},
       {"priors",
        std::string("learned"),
        "learned, uniform, LABEL=P,... or P/P/...: probabilities of the classes before a row is seen",
        0,
        0,
        {}},
       {"smoothing", 1e-9, "gaussian: share of a column's variance that is added to that of each class", 0, kHuge, {}},
       {"smoothing-of",
        std::string("each"),
        "gaussian: of each column's own variance, or of the widest column's",
        0,
        0,
        {"each", "widest"}},
       {"threshold", 0.0, "bernoulli: a number above it counts as 1", -kHuge, kHuge, {}},
       {"norm", false, "complement: divide the weights of a class by their sum", 0, 0, {}}}};
  info.classes = info.probabilities = info.rereads = info.skips_missing = true;
  return info;
}

class NaiveBayes final : public Family, public HasFieldRules {
public:
  std::vector<ModelInfo> words() const override { return {naive_bayes_info()}; }
  int place() const override { return 6; }
  bool penalised(const Request&) const override { return true; } // every level of a category has its count
  bool gathers_products() const override { return false; }

  Result<void> check(const Request& request) const override {
    if (auto good =
            check_class_options(request, "it has no penalty that units would matter to", "leave out standardise");
        !good)
      return good;
    return check_priors_learned(request);
  }
  const Procedure& procedure() const override { return recta::naive_bayes::procedure(); }
  std::vector<FieldRule> rules() const override {
    return {
        {"naive_bayes.factors", Rule::recomputed},      {"naive_bayes.level_start", Rule::recomputed},
        {"naive_bayes.levels", Rule::recomputed},       {"naive_bayes.counts", Rule::recomputed},
        {"naive_bayes.class_weight", Rule::recomputed}, {"naive_bayes.prior", Rule::setting},
        {"naive_bayes.alpha", Rule::setting},           {"naive_bayes.settings", Rule::setting},
    };
  }
  Result<std::shared_ptr<const Body>> read(FieldReader& in, FitSummary summary, const Schema& schema) const override {
    return recta::naive_bayes::read_body(in, std::move(summary), schema);
  }
  std::vector<plot::PictureInfo> pictures() const override { return recta::naive_bayes::pictures(); }
  Result<plot::Picture> picture(const std::string& kind, const Model& model, const Dataset& data) const override {
    return recta::naive_bayes::picture(kind, model, data);
  }
};

} // namespace

std::unique_ptr<Family> make() {
  return std::make_unique<NaiveBayes>();
}

} // namespace recta::family::naive_bayes
