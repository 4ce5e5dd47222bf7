#include "family/family.hpp"

#include "family/constant/constant.hpp"
#include "params/params.hpp"

namespace recta::family::constant {
namespace {

ModelInfo numbers() {
  ModelInfo info{"constant",
                 "the same number for every row: the mean, the median or a quantile, which other models should beat",
                 "F(b) = 1/(2W) sum_i s_i (y_i - b)^2",
                 {{"statistic", std::string("mean"), "which constant", 0, 0, {"mean", "median", "quantile"}},
                  {"quantile", 0.5, "share of the weight below, if the statistic is quantile", 1e-6, 1 - 1e-6, {}}}};
  info.rereads = true;
  return info;
}

ModelInfo classes() {
  ModelInfo info{"majority",
                 "the class of most weight for every row, with the shares of the classes as probabilities",
                 "F(p) = -1/W sum_i s_i log p_(y_i),  sum_k p_k = 1",
                 {}};
  info.classes = info.rereads = info.probabilities = true;
  return info;
}

class Constants final : public Family {
public:
  std::vector<ModelInfo> words() const override { return {numbers(), classes()}; }
  int place() const override { return 7; }
  bool penalised(const Request&) const override { return false; }
  bool gathers_products() const override { return false; }

  Result<void> check(const Request& request) const override {
    const std::string& word = request.info->word;
    if (!request.options->intercept) return refuse(word, "a constant is all it has", "leave out no-intercept");
    if (request.options->standardise)
      return refuse(word, "it reads no column that could be standardised", "leave out standardise");
    if (request.options->params.contains("quantile") && recta::word(request.params, "statistic") != "quantile")
      return refuse(word + ", parameter quantile", "it belongs to the statistic quantile", "ask for that statistic");
    return {};
  }
  const Procedure& procedure() const override { return constant_procedure(); }
  const Procedure& procedure_for(const Request& request, const Rows&) const override {
    return request.info->classes ? majority_procedure() : procedure();
  }
  const Procedure& procedure_of(const Model& model) const override {
    return model.classifies() ? majority_procedure() : procedure();
  }
};

} // namespace

std::unique_ptr<Family> make() {
  return std::make_unique<Constants>();
}

} // namespace recta::family::constant
