// Compressed columns read by row. Rows are scattered over all columns, so a copy by row is made once, in O(non-zeros)
// time and memory; indices within a row come out in order because columns are visited in order.
#pragma once

#include "design/counted_source.hpp"
#include "design/outcome.hpp"

#include <recta/dataset.hpp>

namespace recta {

class CscSource final : public CountedSource {
public:
  CscSource(const SparseView& x, const Outcome& outcome, Index first_row = 0);

protected:
  Batch batch(Index first, Index count) const override;

private:
  std::vector<Index> start_, index_;
  Values value_;
  Outcome outcome_;
};

} // namespace recta
