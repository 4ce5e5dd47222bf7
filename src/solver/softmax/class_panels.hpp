// Products of sparse rows with the weights of all classes, for rows that are kept in memory.
//
// Classes are stored in panels of up to eight: panel q holds the numbers of its classes side by side for the first
// column (or row), then for the second. A number that a row stores then meets a whole panel at once, and a task reads
// and writes one panel of its own: nothing is summed across tasks, so the bits do not depend on the threads. Places
// past the last class hold zeros.
//
// Memory: twice what the rows store, by row and by column.
#pragma once

#include "base/pool.hpp"
#include "design/row_source.hpp"

#include <cstdint>
#include <vector>

namespace recta {

class ClassPanels {
public:
  // Reads the source from its beginning to its end. Rows of weight zero are left out.
  static Result<ClassPanels> read(RowSource& source, Index classes, Pool& pool);

  Index rows() const { return std::ssize(label_); }
  Index cols() const { return cols_; }
  Index classes() const { return classes_; }
  Index width() const { return width_; }   // classes per panel
  Index panels() const { return panels_; } // number of panels
  Index weights() const { return panels_ * cols_ * width_; }
  Index scores() const { return panels_ * rows() * width_; }
  Index weight_place(Index k, Index j) const { return (k / width_ * cols_ + j) * width_ + k % width_; }
  Index score_place(Index k, Index i) const { return (k / width_ * rows() + i) * width_ + k % width_; }
  Index class_of(Index weight) const { return weight / (cols_ * width_) * width_ + weight % width_; }

  const std::vector<Index>& label() const { return label_; }    // the class of every row
  const std::vector<double>& weight() const { return weight_; } // of every row

  // z_ik = <x_i, v_k> + shift_k.
  void multiply(const double* v, const std::vector<double>& shift, double* z) const;
  // g_kj = sum_i d_ik x_ij.
  void transposed(const double* d, double* g) const { by_columns(by_column_, d, g); }
  void transposed_squares(const double* d, double* g) const; // with x_ij^2

private:
  struct Stored {
    std::vector<std::int64_t> start{0};
    std::vector<std::int32_t> index;
    std::vector<double> value;
  };
  ClassPanels(Index cols, Index classes, Pool& pool);
  void take(const Batch& batch);
  void lay_by_column();
  void by_columns(const Stored& x, const double* d, double* g) const;

  Index cols_, classes_, panels_, width_;
  Pool* pool_;
  Stored by_row_, by_column_;
  std::vector<Index> label_;
  std::vector<double> weight_;
};

} // namespace recta
