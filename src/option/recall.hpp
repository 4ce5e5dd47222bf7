// How a saved model tells the options that it was fitted with, as far as its file has them.
#pragma once

#include <recta/estimator.hpp>

namespace recta {

FitOptions refit_options(const Model& model);

namespace option {

// What the linear model, or the first part of a model of models, states of itself.
FitOptions stated(const Model& model);
template <auto member>
void recall_stated(const Model& model, FitOptions& options) {
  options.*member = stated(model).*member;
}

void recall_positive(const Model& model, FitOptions& options);
void recall_class_weights(const Model& model, FitOptions& options);
void recall_missing_neighbours(const Model& model, FitOptions& options);
void recall_multiclass(const Model& model, FitOptions& options);
void recall_basis(const Model& model, FitOptions& options);
void recall_feature(const Model& model, FitOptions& options);
void recall_components(const Model& model, FitOptions& options);
void recall_tolerance(const Model& model, FitOptions& options);
void recall_params(const Model& model, FitOptions& options);

} // namespace option
} // namespace recta
