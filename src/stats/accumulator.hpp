// Everything that reads rows is an accumulator: it takes batches, merges with others of its kind, and can be sent as
// bytes. The fitted model is never the accumulator.
#pragma once

#include "base/pool.hpp"
#include "design/batch.hpp"
#include "stats/state_bytes.hpp"

#include <algorithm>
#include <concepts>
#include <string>

namespace recta {

template <class A>
concept Accumulator = std::copyable<A> && requires(A a, const A& other, const Batch& batch, std::string_view bytes) {
  a.accumulate(batch);                               // one block of rows, into an empty accumulator or a used one
  a.merge(other);                                    // other's rows come after ours
  { other.to_bytes() } -> std::same_as<std::string>; // the same bytes on every machine
  { A::from_bytes(bytes) } -> std::same_as<Result<A>>;
};

// An accumulator whose state can be larger than a block (a Gram matrix of thousands of columns). Blocks are then taken
// one after the other, each by all threads, and leaf_blocks() neighbours share one state before states are merged.
template <class A>
concept WideAccumulator = Accumulator<A> && requires(A a, const A& other, const Batch& batch, Pool& pool) {
  { other.leaf_blocks() } -> std::same_as<Index>; // 1: the state is small, one block per thread
  a.accumulate(batch, pool);
  a.merge(other, pool);
};

// An accumulator whose state can be larger than the numbers of a block of sparse rows: one thread takes run_blocks()
// neighbours one after the other into one state, so that there are fewer states to clear and to merge.
template <class A>
concept RunAccumulator = Accumulator<A> && requires(const A& a) {
  { a.run_blocks() } -> std::same_as<Index>; // 1: every block has a state of its own
};
// For states of a few numbers per column: depends only on the columns. Not above what streams share (partial.hpp), so
// that a table in memory has the same bits.
inline Index usual_run(Index cols) {
  return std::clamp<Index>(cols / 16384, 1, 4);
}

// A wide accumulator whose columns are independent of each other: a block shared among threads has the bits of one
// thread. If there are fewer blocks than threads, they are taken one after the other, each by all threads.
template <class A>
concept ColumnwiseAccumulator = WideAccumulator<A> && A::kColumnwise;

// An accumulator that cannot hold NaN or infinity unless a row brought it (or squares overflowed) says so here, which
// saves reduce() a check of every number.
template <class A>
concept FiniteAccumulator = requires(const A& a) {
  { a.finite() } -> std::same_as<bool>;
};

// A columnwise accumulator that can also take all rows at once from compressed columns (RowSource::columns()). One with
// a long state has blank(), which makes an empty one of its kind, and is then not copied on the way.
template <class A>
concept ByColumnAccumulator = ColumnwiseAccumulator<A> && FiniteAccumulator<A> &&
                              requires(A a, const Batch& columns, Pool& pool) { a.accumulate_columns(columns, pool); };

// An accumulator that needs a workspace names its type: one is kept per thread and reused for every block.
template <class A>
concept RoomyAccumulator =
    requires(A a, const Batch& batch, typename A::Workspace& room) { a.accumulate(batch, room); };
struct NoWorkspace {};
template <class A>
struct WorkspaceOf {
  using Type = NoWorkspace;
};
template <RoomyAccumulator A>
struct WorkspaceOf<A> {
  using Type = typename A::Workspace;
};
template <class A>
using Workspace = typename WorkspaceOf<A>::Type;

template <Accumulator A>
void accumulate_in(A& state, const Batch& batch, Workspace<A>& room) {
  if constexpr (RoomyAccumulator<A>)
    state.accumulate(batch, room);
  else
    state.accumulate(batch);
}

} // namespace recta
