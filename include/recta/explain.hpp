// What a model sees in rows beside its predictions: their place in its own coordinates, why one row is answered as it
// is, and the weights that its scores amount to.
#pragma once

#include <recta/estimator.hpp>

namespace recta {

// One row of numbers per row of data, in the order of Body::coordinates(). Refused for models that have none.
Result<Values> transform(const Model& model, const Dataset& data, int threads = 0);
Result<Values> transform(const Model& model, const Arrays& rows, int threads = 0);

// What each feature added to the scores of the row numbered `row` from 0, or which training rows decided.
Result<Report> explain(const Model& model, const Dataset& data, Index row);
Result<Report> explain(const Model& model, const Arrays& rows, Index row);

// Scores <w_k, x> + b_k.
struct LinearForm {
  std::vector<double> w, b; // scores x features, scores
};
// What a body can be asked whose scores are linear, but for a number that all classes share.
class LinearScores {
public:
  virtual ~LinearScores() = default;
  virtual Result<LinearForm> linear_form() const = 0; // one score per class
};
// The same predictions by a linear model: one score for two classes, else one per class. Refused unless the scores are
// linear in the features.
Result<Model> as_linear(const Model& model);

} // namespace recta
