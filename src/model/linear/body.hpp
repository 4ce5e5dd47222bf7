// The body of a linear model: its scores are <w, x> + b.
#pragma once

#include "model/linear/predict.hpp"

#include <array>
#include <mutex>

namespace recta {

class LinearBody final : public Body {
public:
  LinearBody() = default;
  explicit LinearBody(LinearSummary summary) : summary_(std::move(summary)) {}

  LinearSummary& change(); // while the model is made

  const FitSummary& summary() const override { return summary_; }
  const LinearSummary* linear() const override { return &summary_; }
  Index features() const override;
  Index scores() const override { return std::ssize(summary_.targets); }
  Result<void> score(const Batch& rows, ScoresOf of, double* out) const override;
  Result<Report> explain(const Batch& row, const Schema& schema) const override;
  Report report(const Schema&) const override { return {}; } // the summary says all there is
  void write(TensorWriter& out) const override;              // in model_file/write_linear.cpp

private:
  const LinearPredictor& predictor(ScoresOf of) const;

  LinearSummary summary_;
  mutable std::mutex mutex_;
  mutable std::array<std::unique_ptr<const LinearPredictor>, 2> predictors_; // by ScoresOf, made when first needed
};

// The coefficients and figures of a model; without targets if it is not linear.
const LinearSummary& linear_or_none(const Model& model);
// Those of a model that is being made: its own to change, and made if there are none.
LinearSummary& own_linear(Model& model);

} // namespace recta
