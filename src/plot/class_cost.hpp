// The cost of a classifier of two classes over the plane of two weights, or of intercept and weight.
#pragma once

#include <recta/plot.hpp>

namespace recta::plot {

// The cost of logistic regression with its penalty, of the perceptron's criterion, of the delta rule; in units of the
// columns' deviations if the model is standardised.
Result<CostPicture> class_cost(const Model& model, const Dataset& data);
std::string class_cost_subtitle(const Model& model);

} // namespace recta::plot
