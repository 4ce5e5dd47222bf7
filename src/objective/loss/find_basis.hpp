// A basis (stats/basis) for nearly dependent columns. Columns that are nearly combinations of earlier ones are replaced
// by their remainders, and this is repeated until no such column is left. Every stage is a Cholesky factor of products
// in double, which tells the first eight digits of columns apart; the next stage sees what these hid (Yamamoto et al.
// 2015, for QR).
//
// A remainder may be nothing but the rounding of the numbers of a column, a few units in their last place. Such a
// column is left out; whether it is a combination of others exactly is decided by passes of their own
// (least_squares/left_out, least_squares/exact_span).
#pragma once

#include "base/pool.hpp"
#include "design/row_source.hpp"
#include "stats/basis/basis.hpp"
#include "stats/gram/gram.hpp"

#include <recta/trace.hpp>

namespace recta {

struct ColumnSums;

struct FoundBasis {
  Basis basis; // has no columns if none are alike
  Index passes = 0;
};

// `centred`: there is an intercept. `sums`: of the rows as they are; `rows` may be about a shift. `first`: products of
// these under positive weights, if known; it saves a pass.
Result<FoundBasis> find_basis(bool centred, const ColumnSums& sums, RowSource& rows, const Gram* first, Pool& pool,
                              const Watch& watch);

} // namespace recta
