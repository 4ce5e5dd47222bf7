#include "model/linear/body.hpp"

namespace recta {

LinearSummary& LinearBody::change() {
  for (auto& predictor : predictors_) predictor.reset();
  return summary_;
}

const LinearSummary& linear_or_none(const Model& model) {
  static const LinearSummary none;
  return model.is_linear() ? *model.linear() : none;
}

LinearSummary& own_linear(Model& model) {
  const auto* body = dynamic_cast<const LinearBody*>(model.body.get());
  if (!body || model.body.is_shared()) {
    model.body = body ? std::make_shared<LinearBody>(*body->linear()) : std::make_shared<LinearBody>();
    body = static_cast<const LinearBody*>(model.body.get());
  }
  return const_cast<LinearBody*>(body)->change(); // made here, without const, and nobody else holds it
}

Index LinearBody::features() const {
  return summary_.targets.empty() ? 0 : std::ssize(summary_.targets[0].coefficients);
}

const LinearPredictor& LinearBody::predictor(ScoresOf of) const {
  const std::lock_guard lock(mutex_);
  auto& predictor = predictors_[static_cast<std::size_t>(of)];
  if (predictor) return *predictor;
  std::vector<Scorer> scorers;
  for (const TargetFit& target : summary_.targets) {
    Scorer& scorer = scorers.emplace_back(Scorer{.b = target.intercept.value});
    for (const Coefficient& coefficient : target.coefficients) scorer.w.push_back(coefficient.value);
  }
  const auto feature = [this](Index j) {
    return summary_.targets[0].coefficients[static_cast<std::size_t>(j)].feature;
  };
  predictor = std::make_unique<const LinearPredictor>(std::move(scorers), feature, of);
  return *predictor;
}

Result<void> LinearBody::score(const Batch& rows, ScoresOf of, double* out) const {
  return predictor(of).predict(rows, out);
}

} // namespace recta
