// Steps that every fit shares: rows ready to be read, the first pass over them, the checks that follow, and the proof
// at the end, which is made even if the fit was stopped.
#pragma once

#include "certificate/short_of_proof.hpp"
#include "design/row_source.hpp"
#include "driver/clock.hpp"
#include "stats/column_sums/column_sums.hpp"
#include "stats/fingerprint/fingerprint.hpp"
#include "stats/gram/gram.hpp"
#include "stats/reduce.hpp"
#include "stats/row_check.hpp"

#include <recta/estimator.hpp>

#include <memory>
#include <optional>

namespace recta {

// Rows ready to be read, and what is known about them.
struct Rows {
  RowSource& source;
  std::string name;               // for messages
  bool sparse = false;            // few numbers of a row are not zero
  bool single_pass = false;       // standard input
  bool low = false;               // some features carry what does not fit into a double
  const Arrays* arrays = nullptr; // the memory of the caller, if that is where they are
  Index first_row = 0;            // of a part of a larger table, which messages count from
  int doublings = 0;              // the weights are those of the caller times 2 to this
};

// The results of the first pass: the identity of the rows and, if the solver will want it, their Gram.
struct FirstPass {
  RowFingerprint fingerprint;
  std::shared_ptr<const Gram> gram = {};
  std::shared_ptr<const ColumnSums> sums = {}; // if they were asked for in place of a Gram
};

// A user's request for a fit, checked.
struct Request {
  const ModelInfo* info;
  Params params;
  const FitOptions* options;
  std::vector<std::string> notes = {}; // decisions made before the fit, which the conditions of its proof begin with
};
// Names for messages, made only there. The schema outlives them.
Places places_of(const Schema& schema, const std::string& source);

// The precision of the Gram; nothing: none is gathered.
using GramWanted = std::optional<Precision>;
GramWanted usual_gram(const RowSource& source);

// Errors about single numbers name their places.
ReduceOptions reading_rows(const Rows& rows, const Schema& schema);
Result<FirstPass> first_pass(const Rows& rows, const Schema& schema, GramWanted wanted, Pool& pool, const Watch& watch);
// The first pass with the sums of every column, for fits that cannot have a Gram.
Result<FirstPass> first_pass_with_sums(const Rows& rows, const Schema& schema, Pool& pool, const Watch& watch);
// An error unless some rows have weight, and the squares of all numbers are doubles.
Result<void> check_rows(const FirstPass& pass, const Schema& schema, const Rows& rows);

// The first pass of a fit without a Gram, its rows checked.
Result<FirstPass> checked_pass(const Rows& rows, const Schema& schema, Pool& pool, const Watch& watch);

// An error unless the rows have the model's features and targets.
Result<void> same_columns(const Model& model, const Rows& rows);
// An error unless these are the rows that the model was trained on.
Result<void> same_rows(const Model& model, const RowFingerprint& here, const Rows& rows);
// The first pass again, over rows that must have the model's features and be those it was trained on; they are then at
// their beginning, if they can be read once more.
Result<FirstPass> recognise(const Model& model, const Rows& rows, GramWanted gram, Pool& pool, const Clock& clock);

// A fit that is stopped while it is being checked still has its statistics to be checked against; if it has none the
// check goes on, since an answer without a claim would be no answer. `known`: a Gram, or what stands in its place;
// `interrupted`: the fit was stopped before.
template <class Claim, class Known>
auto certified(const Claim& claimed, const Known& known, const Rows& rows, Pool& pool, const Clock& clock,
               bool interrupted = false) {
  if (!rows.single_pass && !interrupted) {
    auto checked = certify(claimed, known, &rows.source, pool, clock.watch());
    if (checked || checked.error().code != ErrorCode::interrupted) return checked;
  }
  Claim short_of_proof = claimed;
  if (!rows.single_pass) {
    short_of_proof.stop = clock.stop_reason();
    short_of_proof.stopped_early = true;
  }
  return certify(short_of_proof, known, known ? nullptr : &rows.source, pool, {});
}

} // namespace recta
