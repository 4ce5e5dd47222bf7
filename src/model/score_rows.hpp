// The scores of every row of a source, block by block on all threads, and what is written of them.
#pragma once

#include "base/pool.hpp"
#include "design/row_source.hpp"

#include <recta/body.hpp>

#include <functional>

namespace recta {

struct Written {
  double* out;   // rows x columns, by row
  Index columns; // a row
  // From the scores of some rows, which it may use up, to what is written of them; none: the scores themselves.
  std::function<void(const Batch& rows, double* scores, double* out)> finish = {};
};

struct BatchScorer {
  Index scores; // a row
  std::function<Result<void>(const Batch& rows, double* out)> score;
};

// `out` begins with the row numbered `first_row`, which is above 0 when the source is one block of a stream. Blocks are
// claimed one at a time; of several errors the one of the first block is kept.
Result<void> score_rows(const BatchScorer& scorer, RowSource& source, Pool& pool, const Written& written,
                        Index first_row = 0);

// The scores of a body.
Result<void> score_rows(const Body& body, ScoresOf of, RowSource& source, Pool& pool, const Written& written,
                        Index first_row = 0);

} // namespace recta
