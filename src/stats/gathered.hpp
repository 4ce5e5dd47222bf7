// A statistic of rows that are elsewhere, by a round (design/rounds.hpp), to the bits of one pass over all of them.
#pragma once

#include "design/rounds.hpp"
#include "stats/partial.hpp"

#include <functional>
#include <span>

namespace recta {

// An accumulator that leaves numbers of its own with every row cannot be gathered elsewhere: the next round may find
// these rows on another machine.
template <class A>
concept KeepsRows = requires { requires A::kKeepsRows; };

namespace gathering {

std::unexpected<Error> cannot_be_gathered();
std::unexpected<Error> parts_missing();

template <Accumulator A>
class Asked final : public Rounds::Statistic {
public:
  using Reduce = std::function<Result<Partial<A>>()>;
  Asked(const A& empty, Reduce reduce, Pool& pool) : empty_(empty), reduce_(std::move(reduce)), pool_(pool) {}

  Index leaf_blocks() const override { return streamed_leaf(empty_); }
  Result<std::string> here() const override {
    const auto partial = reduce_();
    if (!partial) return std::unexpected(partial.error());
    return partial->to_bytes();
  }
  Result<std::string> join(std::span<const std::string> parts) const override {
    const auto whole = joined(parts);
    if (!whole) return std::unexpected(whole.error());
    return whole->to_bytes();
  }
  Result<std::string> total(std::span<const std::string> parts, Index blocks) const override {
    auto whole = joined(parts);
    if (!whole) return std::unexpected(whole.error());
    if (!whole->covers(blocks)) return parts_missing();
    StateWriter out("total");
    out.put(blocks);
    out.put(std::string_view((*std::move(whole)).total(&pool_).to_bytes()));
    return out.take();
  }

private:
  Result<Partial<A>> joined(std::span<const std::string> parts) const {
    Partial<A> whole(empty_, leaf_blocks());
    for (const std::string& bytes : parts) {
      const auto part = Partial<A>::with_gaps(bytes, empty_);
      if (!part) return std::unexpected(part.error());
      whole.put_between(*part);
    }
    return whole;
  }

  const A& empty_;
  Reduce reduce_;
  Pool& pool_;
};

// From the bytes of a total.
template <Accumulator A>
Result<Partial<A>> whole(std::string_view bytes, const A& empty) {
  StateReader in("total", bytes);
  const Index end = in.index();
  const std::string_view state = in.text();
  if (!in.done() || end < 0) return damaged_state("a gathered statistic");
  Result<A> total = A::from_bytes(state);
  if (!total) return std::unexpected(total.error());
  Partial<A> out(empty);
  if (end > 0) out.put({0, end, with_question(*total, empty)});
  return out;
}

} // namespace gathering

// `reduce`: the pass over the rows that the source can read at the moment it is called.
template <Accumulator A>
Result<Partial<A>> gathered(Rounds& rounds, const A& empty, typename gathering::Asked<A>::Reduce reduce, Pool& pool,
                            std::string_view stage) {
  if constexpr (KeepsRows<A>) return gathering::cannot_be_gathered();
  const auto bytes = rounds.gather(gathering::Asked<A>(empty, std::move(reduce), pool), stage);
  if (!bytes) return std::unexpected(bytes.error());
  return gathering::whole(*bytes, empty);
}

} // namespace recta
