#include "params/stated_options.hpp"

#include "model/linear/body.hpp"

namespace recta {

FitOptions stated_options(const Model& model) {
  const LinearSummary& linear = linear_or_none(model);
  return {.intercept = linear.intercept,
          .standardise = linear.standardised,
          .weights_are = linear.weights_are,
          .tolerance = model.certificate.tolerance,
          .confidence = linear.confidence,
          .errors = linear.errors,
          .intervals = !linear.inverse_root.empty(),
          .params = model.params};
}

} // namespace recta
