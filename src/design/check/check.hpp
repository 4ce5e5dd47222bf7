// Refuses rows that no model can use, naming the first place: NaN and infinity in features, targets, weights and
// offsets, weights below zero, and compressed indices that do not make a matrix.
#pragma once

#include "design/batch.hpp"

#include <string>

namespace recta {

struct CheckNames {
  std::string source;                   // "train.csv"; may be empty
  std::span<const std::string> columns; // of the features; empty: x1, x2, ...
  std::span<const std::string> targets; // empty: y1, y2, ... (y alone)
};

// Costs one sum over the block; the place is looked for only after that sum has come out wrong. A row of weight zero
// is looked at like any other: what is absent should not be in the data as NaN. Rows are numbered from 1.
Result<void> check_batch(const Batch& batch, const CheckNames& names);

// What to say when no row of all batches had a weight above zero.
std::unexpected<Error> no_positive_weight(const CheckNames& names, Index rows);

// Starts ascend from 0, indices ascend strictly and are in range: what every reader of `x` takes for granted.
Result<void> check_sparse(const SparseView& x, const std::string& source);

} // namespace recta
