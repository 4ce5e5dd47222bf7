// Least squares and ridge from any rows to a model, and from a model and any rows back to its certificate.
#pragma once

#include "design/row_source.hpp"
#include "dispatch/clock.hpp"
#include "stats/fingerprint/fingerprint.hpp"
#include "stats/gram/gram.hpp"

#include <recta/estimator.hpp>

#include <optional>

namespace recta {

// Rows ready to be read, and what is known about them.
struct Rows {
  RowSource& source;
  std::string name;         // for messages
  bool sparse = false;      // few numbers of a row are not zero
  bool single_pass = false; // standard input
  bool low = false;         // some features carry what does not fit into a double
};

// What the first pass learns about rows: who they are and, where the solver will want it, their Gram.
struct FirstPass {
  RowFingerprint fingerprint;
  std::shared_ptr<const Gram> gram;
};

// An order to fit, checked.
struct Order {
  const ModelInfo* info;
  Params params;
  const FitOptions* options;
};
Result<Order> checked_order(const std::string& word, const FitOptions& options);

Result<Model> fit_linear(const Order& order, Schema schema, const Rows& rows, const Clock& clock);
// The same after the first pass.
Result<Model> fit_linear(const Order& order, Schema schema, const Rows& rows, FirstPass seen, const Clock& clock);

// The first pass over rows that must be those the model was trained on; with their Gram where a precision is given.
Result<FirstPass> recognise(const Model& model, const Rows& rows, std::optional<Precision> gram, Pool& pool,
                            const Clock& clock);

Result<Certificate> verify_linear(const Model& model, const Rows& rows, const Clock& clock);

} // namespace recta
