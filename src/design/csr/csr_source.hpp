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
    Batch made;
    made.x = rows_of(x_, first, count);
    attach_outcome(outcome_, first, count, made);
    return made;
  }

private:
  SparseView x_;
  Outcome outcome_;
};

} // namespace recta
