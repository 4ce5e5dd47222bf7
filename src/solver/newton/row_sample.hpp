// Some of the rows, a fixed distance apart, copied side by side. Their weights are scaled to sum to that of all rows,
// so that facts about all rows can be used for the sample.
#pragma once

#include "design/row_source.hpp"

#include <recta/dataset.hpp>

#include <vector>

namespace recta {

class RowSample {
public:
  // Rows `distance` apart; `weight`: of all rows. Reads the source from its beginning to its end.
  static Result<RowSample> take(RowSource& rows, Index distance, double weight);

  RowSource& rows() { return *source_; }

private:
  void add(const Batch& batch, const std::vector<Index>& chosen);
  void add_sparse(const SparseView& x, const std::vector<Index>& chosen);
  void finish(Index cols, double weight);

  Values x_; // dense: row by row; sparse: what is stored
  std::vector<std::int64_t> start_{0}, index_;
  bool sparse_ = false;
  std::vector<double> y_, weight_, offset_; // offset empty: all zero
  std::unique_ptr<RowSource> source_;
};

} // namespace recta
