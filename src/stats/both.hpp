// Two statistics in one pass over the rows.
#pragma once

#include "stats/partial.hpp"

#include <algorithm>

namespace recta {

template <Accumulator A, Accumulator B>
struct Both {
  A first;
  B second;

  struct Workspace {
    recta::Workspace<A> first;
    recta::Workspace<B> second;
  };

  void accumulate(const Batch& batch) {
    first.accumulate(batch);
    second.accumulate(batch);
  }
  void accumulate(const Batch& batch, Workspace& room) {
    accumulate_in(first, batch, room.first);
    accumulate_in(second, batch, room.second);
  }
  void merge(const Both& other) {
    first.merge(other.first);
    second.merge(other.second);
  }
  std::string to_bytes() const {
    StateWriter out("both");
    out.put(std::string_view(first.to_bytes()));
    out.put(std::string_view(second.to_bytes()));
    return out.take();
  }
  static Result<Both> from_bytes(std::string_view bytes) {
    StateReader in("both", bytes);
    const std::string_view a = in.text(), b = in.text();
    if (!in.done()) return damaged_state("two statistics");
    Result<A> first = A::from_bytes(a);
    if (!first) return std::unexpected(first.error());
    Result<B> second = B::from_bytes(b);
    if (!second) return std::unexpected(second.error());
    return Both{*std::move(first), *std::move(second)};
  }

  static constexpr bool kColumnwise = ColumnwiseAccumulator<A> && ColumnwiseAccumulator<B>;
  Index leaf_blocks() const { return std::max(by_all(first), by_all(second)); }
  Index run_blocks() const { return std::max(recta::run_blocks(first), recta::run_blocks(second)); }
  void accumulate(const Batch& batch, Pool& pool) {
    accumulate_with(first, batch, pool);
    accumulate_with(second, batch, pool);
  }
  void accumulate_columns(const Batch& columns, Pool& pool)
    requires requires {
      first.accumulate_columns(columns, pool);
      second.accumulate_columns(columns, pool);
    }
  {
    first.accumulate_columns(columns, pool);
    second.accumulate_columns(columns, pool);
  }
  void merge(const Both& other, Pool& pool) {
    merge_with(first, other.first, pool);
    merge_with(second, other.second, pool);
  }
  bool finite() const
    requires(FiniteAccumulator<A> || FiniteAccumulator<B>)
  {
    bool all = true;
    if constexpr (FiniteAccumulator<A>) all = first.finite();
    if constexpr (FiniteAccumulator<B>) all = all && second.finite();
    return all;
  }
  Both blank() const
    requires requires {
      first.blank();
      second.blank();
    }
  {
    return {first.blank(), second.blank()};
  }
  bool same_kind(const Both& other) const { return alike(first, other.first) && alike(second, other.second); }

private:
  template <class S>
  static Index by_all(const S& state) {
    if constexpr (WideAccumulator<S>) return state.leaf_blocks();
    return 1;
  }
  template <class S>
  static void accumulate_with(S& state, const Batch& batch, Pool& pool) {
    if constexpr (WideAccumulator<S>)
      state.accumulate(batch, pool);
    else
      state.accumulate(batch);
  }
  template <class S>
  static void merge_with(S& state, const S& other, Pool& pool) {
    if constexpr (WideAccumulator<S>)
      state.merge(other, pool);
    else
      state.merge(other);
  }
  template <class S>
  static bool alike(const S& a, const S& b) {
    if constexpr (requires { a.same_kind(b); }) return a.same_kind(b);
    return true;
  }
};

} // namespace recta
