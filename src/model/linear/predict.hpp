// z = <w, x> + b (+ offset) for every row of a source, one row kernel for every layout and batch size: a row's
// prediction has the same bits alone, in a batch, dense, sparse, and at any number of threads.
#pragma once

#include "base/pool.hpp"
#include "design/row_source.hpp"

#include <recta/model.hpp>

namespace recta {

// `out` is rows x targets, by row, and begins with the row numbered `first_row`, which is above 0 when the source is
// one block of a stream. Rows of weight zero, those that Missing::drop leaves out, are NaN. Where a row cannot be
// predicted because a number in it is not finite, the error names the row and the feature.
Result<void> predict_linear(const LinearSummary& model, RowSource& source, Pool& pool, double* out,
                            Index first_row = 0);

} // namespace recta
