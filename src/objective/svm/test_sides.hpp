// Weighted rows of two columns on two sides, for tests of sums over them.
#pragma once

#include "design/row_source.hpp"

#include <vector>

namespace recta::svm::testing {

struct SidedRows {
  std::vector<double> x, y, v; // y: -1 or 1

  void add(double first, double second, double side, double weight) {
    x.insert(x.end(), {first, second});
    y.push_back(side);
    v.push_back(weight);
  }
  Index rows() const { return std::ssize(y); }
  Batch batch(Index first, Index end) const {
    Batch out;
    out.x = MatrixView::row_major(x.data() + 2 * first, end - first, 2);
    out.target = MatrixView::vector(y.data() + first, end - first);
    out.weight = std::span(v).subspan(static_cast<std::size_t>(first), static_cast<std::size_t>(end - first));
    out.first_row = first;
    return out;
  }
};

} // namespace recta::svm::testing
