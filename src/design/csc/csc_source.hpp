// Compressed columns read by row. Rows are scattered over all columns, so a copy by row is made with the first block,
// in O(non-zeros) time and memory; indices within a row come out in order because columns are visited in order.
#pragma once

#include "design/counted_source.hpp"
#include "design/outcome.hpp"

#include <recta/dataset.hpp>

namespace recta {

class CscSource final : public CountedSource {
public:
  CscSource(const SparseView& x, const Outcome& outcome, Index first_row = 0);
  std::optional<Batch> columns() const override;

  using Places = std::vector<Index, UnsetAllocator<Index>>;

protected:
  void prepare() override;
  Batch batch(Index first, Index count) const override;

private:
  SparseView x_;
  Index first_row_;
  std::vector<Index> start_;
  Places index_;
  Values value_;
  Outcome outcome_;
};

} // namespace recta
