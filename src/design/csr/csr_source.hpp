// Compressed rows where the caller has them; nothing is copied.
#pragma once

#include "design/counted_source.hpp"
#include "design/outcome.hpp"

namespace recta {

class CsrSource final : public CountedSource {
public:
  CsrSource(const SparseView& x, const Outcome& outcome, Index first_row = 0)
      : CountedSource(x.rows, x.cols, outcome.target.cols, first_row), x_(x), outcome_(outcome) {}

protected:
  Batch batch(Index first, Index count) const override {
    SparseView part = x_;
    part.rows = count;
    part.start = x_.width == IndexWidth::bits32
                     ? static_cast<const void*>(static_cast<const std::int32_t*>(x_.start) + first)
                     : static_cast<const void*>(static_cast<const std::int64_t*>(x_.start) + first);
    Batch made;
    made.x = part;
    attach_outcome(outcome_, first, count, made);
    return made;
  }

private:
  SparseView x_;
  Outcome outcome_;
};

} // namespace recta
