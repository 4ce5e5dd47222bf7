// A block of consecutive rows as every reader of rows sees them.
#pragma once

#include <recta/matrix.hpp>

#include <span>
#include <variant>

namespace recta {

struct Batch {
  std::variant<MatrixView, SparseView>
      x;                          // sparse is by row except from RowSource::columns(), with 64-bit or 32-bit indices
  MatrixView target;              // rows x targets; no columns when there is no target
  std::span<const double> weight; // empty: all one
  std::span<const double> offset; // empty: all zero
  Index first_row = 0;
  std::span<const std::uint64_t> cluster = {}; // equal numbers belong together; empty: every row by itself

  Index rows() const {
    return std::visit([](const auto& view) { return view.rows; }, x);
  }
  Index cols() const {
    return std::visit([](const auto& view) { return view.cols; }, x);
  }
};

} // namespace recta
