// One more pass over the rows, from their beginning.
#pragma once

#include "stats/reduce.hpp"
#include "stats/row_reader.hpp"

namespace recta {

template <Accumulator A>
Result<A> fresh_pass(RowSource& rows, A empty, Pool& pool, const Watch& watch, const ReduceOptions& options) {
  if (auto rewound = rows.rewind(); !rewound) return std::unexpected(rewound.error());
  return reduce_whole(rows, std::move(empty), pool, watch, options);
}

template <Accumulator A>
Result<A> fresh_pass(const RowReader& reader, A empty, const ReduceOptions& options) {
  return fresh_pass(reader.rows, std::move(empty), reader.pool, reader.watch, options);
}

} // namespace recta
