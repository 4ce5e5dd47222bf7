// The only loop that gathers statistics over rows, whether in memory, streamed or sharded.
//
// Every block goes into a fresh accumulator; blocks are merged along the fixed tree of partial.hpp, so the answer has
// the same bits at any number of threads. Memory: one block and one state per thread, and the nodes of the tree, at
// most 2 log2(blocks) per thread. Errors: if several blocks fail, the error of the first by number is returned, again
// at any number of threads. The watch is called from the calling thread: before the first block, then between its
// blocks.
#pragma once

#include "design/row_source.hpp"
#include "stats/both.hpp"
#include "stats/gathered.hpp"
#include "stats/row_check.hpp"

#include <recta/trace.hpp>

#include <atomic>
#include <chrono>
#include <mutex>

namespace recta {

struct ReduceOptions {
  std::string_view stage = "gathering statistics";
  Index pass = 0; // passes over the data before this one
  std::chrono::steady_clock::time_point since = std::chrono::steady_clock::now();
  Places places{}; // for messages about single numbers
};

namespace reducing {

// The shared state of the workers of one reduce(): who claims, who failed first, how far we are.
class Control {
public:
  Control(RowSource& source, const Watch& watch, const ReduceOptions& options)
      : source_(source), watch_(watch), options_(options), total_(source.rows()) {}

  // The next block's number; nothing if there are no more blocks, or if stopped. The calling thread (worker 0) keeps
  // the watch informed while it waits for its turn.
  std::optional<Index> claim(BlockScratch& scratch, int worker);
  // Claims the blocks up to the next multiple of `run` and returns the number of the first; nothing: as above.
  std::optional<Index> claim_run(Index run, int worker, std::vector<std::unique_ptr<BlockScratch>>& scratches);
  void failed(Index block, Error error);
  void finished(Index rows) { rows_ += rows; }
  void stop() { stopped_ = true; }
  void look(); // calls the watch when 20 ms have passed; calling thread only
  std::optional<Error> outcome() const;
  const Places& places() const { return options_.places; }

private:
  std::unique_lock<std::timed_mutex> turn(int worker);
  std::optional<Index> next(BlockScratch& scratch, int worker);

  RowSource& source_;
  const Watch& watch_;
  ReduceOptions options_;
  std::optional<Index> total_;
  std::timed_mutex claiming_;
  mutable std::mutex failing_;
  std::atomic<bool> stopped_ = false;
  std::atomic<Index> rows_ = 0;
  bool interrupted_ = false, looked_ = false;
  std::chrono::steady_clock::time_point last_look_;
  Index next_ = 0;
  std::optional<Error> error_;
  Index error_block_ = 0;
};

// Adds one block to a state by `accumulate`, and checks either the numbers before or the state after.
template <Accumulator A, class Accumulate>
Result<void> take(A& state, const Batch& batch, const Places& places, const Accumulate& accumulate) {
  if (auto good = check_weights(batch, places); !good) return good;
  if constexpr (!FiniteAccumulator<A>)
    if (auto good = check_numbers(batch, places); !good) return good;
  accumulate(state, batch);
  if constexpr (FiniteAccumulator<A>)
    if (!state.finite()) return blame(batch, places);
  return {};
}

// The work of one thread: claim, load, accumulate, merge with whichever neighbours are finished. States that were
// merged into others are kept for their memory.
template <Accumulator A>
class Narrow {
public:
  Narrow(RowSource& source, const A& empty, Control& control, Partial<A>& partial)
      : source_(source), empty_(empty), control_(control), partial_(partial),
        run_(std::min(run_blocks(empty), partial.leaf())) {}

  void work(int worker) {
    try {
      std::vector<std::unique_ptr<BlockScratch>> scratches;
      Workspace<A> room;
      while (const auto first = control_.claim_run(run_, worker, scratches)) several(*first, scratches, room);
    } catch (...) {
      control_.stop();
      throw;
    }
  }

private:
  void several(Index first, std::vector<std::unique_ptr<BlockScratch>>& scratches, Workspace<A>& room) {
    TreeNode<A> node{first, first, fresh()};
    Index rows = 0;
    for (auto& scratch : scratches) {
      const Result<Batch> batch = source_.load(*scratch);
      if (!batch) return control_.failed(node.end, batch.error());
      const auto taken =
          take(node.state, *batch, control_.places(), [&](A& state, const Batch& b) { accumulate_in(state, b, room); });
      if (!taken) return control_.failed(node.end, taken.error());
      ++node.end;
      rows += batch->rows();
      if (run_ > 1) scratch.reset(); // loaded rows are not kept for the length of the run
    }
    // Merging happens outside the lock; only finding the partner is inside.
    while (auto partner = put_or_partner(node)) {
      Partial<A>::merge_nodes(node, *partner);
      const std::lock_guard lock(mutex_);
      spare_.push_back(std::move(partner->state));
    }
    control_.finished(rows);
  }
  A fresh() {
    std::unique_lock lock(mutex_);
    if (spare_.empty()) return empty_;
    A state = std::move(spare_.back());
    spare_.pop_back();
    lock.unlock();
    state = empty_;
    return state;
  }
  std::optional<TreeNode<A>> put_or_partner(TreeNode<A>& node) {
    const std::lock_guard lock(mutex_);
    auto partner = partial_.take_partner(node);
    if (!partner) partial_.put(std::move(node));
    return partner;
  }

  RowSource& source_;
  const A& empty_;
  Control& control_;
  Partial<A>& partial_;
  Index run_;
  std::mutex mutex_;
  std::vector<A> spare_;
};

// For states larger than blocks: as many blocks as there are threads are loaded at once, then taken one by one, each by
// all threads. A state that was merged into another is kept for its memory.
template <WideAccumulator A>
class Wide {
public:
  Wide(RowSource& source, const A& empty, Control& control, Partial<A>& partial, Pool& pool)
      : source_(source), empty_(empty), control_(control), partial_(partial), pool_(pool), leaf_(partial.leaf()) {
    for (int i = 0; i < pool.threads(); ++i) scratches_.push_back(source.scratch());
  }

  void work() {
    while (load())
      for (const auto& [block, batch] : loaded_) {
        if (!one(block, batch)) return;
        control_.look();
      }
    if (node_) end_leaf();
  }

private:
  struct Loaded {
    Index block;
    Result<Batch> batch;
  };

  bool load() {
    loaded_.clear();
    for (const auto& scratch : scratches_) {
      const auto block = control_.claim(*scratch, 0);
      if (!block) break;
      loaded_.push_back({*block, Batch{}});
    }
    pool_.run(static_cast<Index>(loaded_.size()), [&](Index i, int) {
      const auto at = static_cast<std::size_t>(i);
      loaded_[at].batch = source_.load(*scratches_[at]);
    });
    return !loaded_.empty();
  }
  bool one(Index block, const Result<Batch>& batch) {
    if (!batch) return control_.failed(block, batch.error()), false;
    if (node_ && block / leaf_ != node_->begin / leaf_) end_leaf();
    if (!node_) node_ = TreeNode<A>{block, block, fresh()};
    if (const auto taken = take(node_->state, *batch, control_.places(),
                                [&](A& state, const Batch& b) { state.accumulate(b, pool_); });
        !taken)
      return control_.failed(block, taken.error()), false;
    node_->end = block + 1;
    control_.finished(batch->rows());
    return true;
  }
  void end_leaf() {
    while (auto partner = partial_.take_partner(*node_)) {
      Partial<A>::merge_nodes(*node_, *partner, &pool_);
      spare_ = std::move(partner->state);
    }
    partial_.put(*std::move(node_));
    node_.reset();
  }
  A fresh() {
    if (!spare_) return empty_;
    A state = *std::move(spare_);
    spare_.reset();
    state = empty_;
    return state;
  }

  RowSource& source_;
  const A& empty_;
  Control& control_;
  Partial<A>& partial_;
  Pool& pool_;
  Index leaf_;
  std::vector<std::unique_ptr<BlockScratch>> scratches_;
  std::vector<Loaded> loaded_;
  std::optional<TreeNode<A>> node_;
  std::optional<A> spare_;
};

// Whether every block is processed by all threads together.
template <Accumulator A>
bool by_all_threads(const A& empty, const RowSource& source, const Pool& pool) {
  if constexpr (WideAccumulator<A>)
    if (empty.leaf_blocks() > 1) return true;
  if constexpr (ColumnwiseAccumulator<A>)
    return source.rows() && *source.rows() <= (pool.threads() - 1) * block_rows(source.cols()) * leaf_blocks(empty);
  return false;
}

// Accumulates from compressed columns, without blocks. False: a number or a weight is unusable, and a pass over the
// rows will say which.
template <ByColumnAccumulator A>
bool take_columns(const Batch& columns, A& state, Pool& pool) {
  if (!check_weights(columns, {})) return false;
  state.accumulate_columns(columns, pool);
  return state.finite();
}
template <ByColumnAccumulator A>
bool take_columns(const Batch& columns, const A& empty, Partial<A>& partial, Pool& pool) {
  TreeNode<A> all{0, 1, empty};
  if (!take_columns(columns, all.state, pool)) return false;
  const Index block = block_rows(columns.cols());
  all.begin = columns.first_row / block;
  all.end = all.begin + (columns.rows() + block - 1) / block;
  partial.put(std::move(all));
  return true;
}

} // namespace reducing

namespace reducing {

template <Accumulator A>
Result<Partial<A>> reduce_here(RowSource& source, const A& empty, Pool& pool, Control& control, Partial<A> partial) {
  control.look(); // before the first block: other threads may take all blocks of a small table
  if constexpr (ByColumnAccumulator<A>)
    if (const auto columns = source.columns(); columns && !control.outcome())
      if (take_columns(*columns, empty, partial, pool)) return partial;
  const bool wide = by_all_threads(empty, source, pool);
  if constexpr (WideAccumulator<A>) {
    if (wide) Wide<A>(source, empty, control, partial, pool).work();
  }
  if (!wide) {
    Narrow<A> narrow(source, empty, control, partial);
    pool.run(pool.threads(), [&](Index, int worker) { narrow.work(worker); });
  }
  if (auto error = control.outcome()) return std::unexpected(*std::move(error));
  return partial;
}

// A round: the watch is called before it.
template <Accumulator A>
Result<Partial<A>> reduce_elsewhere(RowSource& source, const A& empty, Pool& pool, const Watch& watch,
                                    const ReduceOptions& options) {
  Control before(source, watch, options);
  before.look();
  if (auto error = before.outcome()) return std::unexpected(*std::move(error));
  const Watch nobody;
  const auto here = [&]() -> Result<Partial<A>> {
    if (auto rewound = source.rewind(); !rewound) return std::unexpected(rewound.error());
    Control control(source, nobody, options);
    return reduce_here(source, empty, pool, control, Partial<A>(empty, streamed_leaf(empty)));
  };
  return gathered<A>(*source.rounds(), empty, here, pool, options.stage);
}

} // namespace reducing

template <Accumulator A>
Result<Partial<A>> reduce(RowSource& source, const A& empty, Pool& pool, const Watch& watch = {},
                          const ReduceOptions& options = {}) {
  if (source.rounds()) return reducing::reduce_elsewhere(source, empty, pool, watch, options);
  reducing::Control control(source, watch, options);
  const Index leaf = source.rows() ? leaf_blocks(empty) : streamed_leaf(empty);
  return reducing::reduce_here(source, empty, pool, control, Partial<A>(empty, leaf));
}

// The same as one state. From compressed columns it is the given state itself, so that a long one is not copied.
template <Accumulator A>
Result<A> reduce_whole(RowSource& source, A empty, Pool& pool, const Watch& watch = {},
                       const ReduceOptions& options = {}) {
  if constexpr (ByColumnAccumulator<A> && requires { empty.blank(); }) {
    reducing::Control control(source, watch, options);
    control.look();
    if (const auto columns = source.columns(); columns && !control.outcome()) {
      if (reducing::take_columns(*columns, empty, pool)) return empty;
      empty = empty.blank(); // a pass over the rows says what is wrong
    }
  }
  auto partial = reduce(source, empty, pool, watch, options);
  if (!partial) return std::unexpected(partial.error());
  return (*std::move(partial)).total(&pool);
}

} // namespace recta
