#include "family/family.hpp"

#include "family/neighbours/memory.hpp"
#include "family/neighbours/neighbours.hpp"
#include "family/neighbours/pictures.hpp"
#include "family/skips_missing.hpp"
#include "model_file/rules.hpp"
#include "params/params.hpp"

namespace recta::family::neighbours {
namespace {

ModelInfo word_of(bool classes) {
  ModelInfo info{classes ? "knn" : "knn-regression",
                 classes ? "k nearest neighbours: the majority of the nearest training rows"
                         : "k nearest neighbours: the mean target of the nearest training rows",
                 classes ? "y(x) = majority of the k nearest rows" : "y(x) = mean of the k nearest rows",
                 recta::neighbours::parameters(classes)};
  info.classes = info.probabilities = classes;
  info.rereads = true;
  return info;
}

class Neighbours final : public Family, public HasFieldRules, public SkipsMissing {
public:
  std::vector<ModelInfo> words() const override { return {word_of(true), word_of(false)}; }
  int place() const override { return 60; }
  bool skips_missing(const Request& request) const override {
    return recta::neighbours::takes_missing({.word = word(request.params, "metric")});
  }
  bool penalised(const Request&) const override { return true; } // every level of a category is as far from the others
  bool gathers_products() const override { return false; }

  Result<void> check(const Request& request) const override {
    if (!request.options->intercept)
      return refuse(request.info->word, "it has no intercept to leave out", "leave out no-intercept");
    if (!request.options->offset.empty())
      return refuse(request.info->word, "it has no score to add an offset to", "leave out the offset");
    return recta::neighbours::check_settings(*request.info, request.options->params, request.params);
  }
  const Procedure& procedure() const override { return recta::neighbours::procedure(); }
  std::vector<FieldRule> rules() const override { return recta::neighbours::memory_rules(); }
  Result<std::shared_ptr<const Body>> read(FieldReader& in, FitSummary summary, const Schema& schema) const override {
    return recta::neighbours::read_neighbours(in, std::move(summary), schema);
  }
  std::vector<plot::PictureInfo> pictures() const override { return recta::neighbours::pictures(); }
  Result<plot::Picture> picture(const std::string& kind, const Model& model, const Dataset& data) const override {
    return recta::neighbours::picture(kind, model, data);
  }
};

} // namespace

std::unique_ptr<Family> make() {
  return std::make_unique<Neighbours>();
}

} // namespace recta::family::neighbours
