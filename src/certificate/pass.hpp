// One more pass over the rows, from their beginning.
#pragma once

#include "stats/reduce.hpp"

namespace recta {

template <Accumulator A>
Result<A> fresh_pass(RowSource& rows, const A& empty, Pool& pool, const Watch& watch, const ReduceOptions& options) {
  if (auto rewound = rows.rewind(); !rewound) return std::unexpected(rewound.error());
  auto partial = reduce(rows, empty, pool, watch, options);
  if (!partial) return std::unexpected(partial.error());
  return partial->total(&pool);
}

} // namespace recta
