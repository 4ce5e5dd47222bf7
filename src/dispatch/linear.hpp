// Least squares and ridge from any rows to a model, and from a model and any rows back to its certificate.
#pragma once

#include "design/row_source.hpp"
#include "dispatch/clock.hpp"

#include <recta/estimator.hpp>

namespace recta {

// Rows ready to be read, and what is known about them.
struct Rows {
  RowSource& source;
  std::string name;         // for messages
  bool sparse = false;      // few numbers of a row are not zero
  bool single_pass = false; // standard input
};

Result<Model> fit_linear(const ModelInfo& info, const Params& params, const FitOptions& options, Schema schema,
                         const Rows& rows, const Clock& clock);

Result<Certificate> verify_linear(const Model& model, const Rows& rows, const Clock& clock);

} // namespace recta
