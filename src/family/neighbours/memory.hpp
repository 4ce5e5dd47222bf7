// Rows, metric and index, from a request to a body and from a body to its proof: what all models that remember their
// rows share.
#pragma once

#include "family/neighbours/body.hpp"

namespace recta::neighbours {

struct Prepared {
  TrainingRows rows;
  Settings settings;
  IndexChoice choice;
  Fingerprint fingerprint;
  FitSummary summary;
};
// `params`: those of this model, with those of knn that it does not have.
Result<Prepared> prepare(const Request& request, const Params& params, Schema& schema, const Rows& rows, Pool& pool,
                         const Clock& clock);
// Leaves out parameters that say nothing: of another index, of no weights.
void drop_idle(Params& params, const Settings& settings, IndexWord index);

// An error unless these are the training rows.
Result<void> recognise_rows(const NeighbourBody& body, const Model& model, const Rows& rows, Pool& pool,
                            const Clock& clock);

Recall recall_of(const NeighbourBody& body, Pool& pool); // of an approximate index; of any other, none
// The rows are the training rows, and the index finds what it says.
Result<Certificate> prove_memory(const NeighbourBody& body, const Classes& classes, RowSource& source, Pool& pool);
// Refutes a body whose graph, recall, units or settings are not those of the rows and the parameters.
Result<void> compare_memory(const NeighbourBody& body, const Model& model, const Params& params, const Rows& rows,
                            Pool& pool, Certificate& certificate);
void refute(Certificate& certificate, std::string why);

} // namespace recta::neighbours
