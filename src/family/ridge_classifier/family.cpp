#include "family/family.hpp"

#include "family/least_squares/words.hpp"
#include "family/ridge_classifier/ridge_classifier.hpp"
#include "summary/objective.hpp"

namespace recta::family::ridge_classifier {
namespace {

ModelInfo word() {
  ModelInfo info{"ridge-classifier",
                 "classes by least squares on targets of -1 and 1, one per class; lambda 0: no penalty",
                 objective_text({.penalty = Penalty::squares}), ridge_params()};
  info.params.back().choices = {"auto", "gram", "qr", "svd", "dual", "lsmr"};
  info.classes = info.rereads = true;
  return info;
}

class RidgeClassifier final : public Family {
public:
  std::vector<ModelInfo> words() const override { return {ridge_classifier::word()}; }
  int place() const override { return 6; }
  bool penalised(const Request&) const override { return true; }
  const Procedure& procedure() const override { return ridge_classifier_procedure(); }
};

} // namespace

std::unique_ptr<Family> make() {
  return std::make_unique<RidgeClassifier>();
}

} // namespace recta::family::ridge_classifier
