// A matrix in the caller's memory: blocks are views of that memory, nothing is copied.
#pragma once

#include "design/counted_source.hpp"
#include "design/outcome.hpp"

namespace recta {

template <class View>
class ViewSource final : public CountedSource {
public:
  ViewSource(const View& x, const Outcome& outcome, Index first_row = 0)
      : CountedSource(x.rows, x.cols, outcome.target.cols, first_row), x_(x), outcome_(outcome) {}

protected:
  Batch batch(Index first, Index count) const override {
    Batch out;
    out.x = rows_of(x_, first, count);
    attach_outcome(outcome_, first, count, out);
    return out;
  }

private:
  View x_;
  Outcome outcome_;
};

using DenseSource = ViewSource<MatrixView>; // any order, either precision
using CsrSource = ViewSource<SparseView>;   // compressed by row

} // namespace recta
