// z = <w, x> + b (+ offset) for every row of a source, one row kernel for every layout and batch size: a row's
// prediction has the same bits alone, in a batch, dense, sparse, and at any number of threads.
#pragma once

#include "base/pool.hpp"
#include "design/row_source.hpp"
#include "model/linear/ties.hpp"

#include <recta/model.hpp>

#include <functional>

namespace recta {

enum class ScoresOf : std::uint8_t { numbers, classes }; // of classes: ties are settled

struct Written {
  double* out;   // rows x columns, by row
  Index columns; // a row
  ScoresOf scores_of = ScoresOf::numbers;
  // From the scores of some rows, which it may use up, to what is written of them; none: the scores themselves.
  std::function<void(const Batch& rows, double* scores, double* out)> finish = {};
};

// `out` begins with the row numbered `first_row`, which is above 0 when the source is one block of a stream. The scores
// of rows of weight zero, those that Missing::drop leaves out, are NaN. If a row cannot be predicted because a number
// in it is not finite, the error names the row and the feature.
Result<void> predict_linear(const LinearSummary& model, RowSource& source, Pool& pool, const Written& written,
                            Index first_row = 0);
// Predicts with weights that are no model yet.
Result<void> predict_linear(std::vector<Scorer> scorers, RowSource& source, Pool& pool, const Written& written);

} // namespace recta
