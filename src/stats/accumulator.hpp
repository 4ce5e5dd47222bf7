// Everything that reads rows is an accumulator: it takes batches, merges with its like, and travels as bytes. The
// fitted model is never the accumulator.
#pragma once

#include "design/batch.hpp"

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

} // namespace recta
