// The rows of a batch that have weight: the features as a view, in place if all rows are present, and the other numbers
// of the rows as doubles. Rows of weight zero may hold anything and are left out.
#pragma once

#include "design/batch.hpp"

#include <vector>

namespace recta {

class PresentBlock {
public:
  // Takes rows with the target numbered `target`; the batch must outlive the block until the next one is taken.
  void take(const Batch& batch, Index target);

  Index rows() const { return static_cast<Index>(y.size()); }
  Index cols() const;
  const std::variant<MatrixView, SparseView>& x() const { return x_; }
  // A batch of the same features with other weights, one per row here, and one target column or none. No offsets.
  Batch with(const std::vector<double>& weight, const std::vector<double>* column) const;

  std::vector<double> y, y_low, v, offset; // y_low empty: zero
  std::vector<Index> number;               // of each row within the batch
  Index first_row = 0;

  void row_dots(const double* w, double* z) const; // z_i = <x_i, w>
  // Products with several vectors at once, one after the other in w: z_ik = <x_i, w_k>, by row; g_kj += sum_i r_ik
  // x_ij.
  void row_products(const double* w, Index count, double* z) const;
  void column_products(const double* r, Index count, double* g) const;
  void row_dots2(const double* w, double* high, double* low) const { row_dots2(w, nullptr, high, low); } // compensated
  void row_dots2(const double* w, const double* w_low, double* high, double* low) const; // w_low null: zeros
  // An upper bound on the error of high + low in any row: gamma^2 sum_j |x_ij w_j| (Ogita, Rump, Oishi 2005), gamma = k
  // u for the k terms of a lane and the tree that joins the lanes. The sum is that of the block, which is at least that
  // of any row.
  double row_dots2_error(const double* w) const;
  void column_dots(const double* r, double* g) const; // g_j += sum_i r_i x_ij
  void column_dots2(const double* r, const double* r_low, double* high, double* low) const;
  void column_abs_dots(const double* r, double* g) const; // g_j += sum_i |r_i| |x_ij|

private:
  void copy_dense(const MatrixView& x, const std::vector<Index>& present);
  void copy_sparse(const SparseView& x, const std::vector<Index>& present);

  std::variant<MatrixView, SparseView> x_;
  std::vector<double> numbers_, low_;
  std::vector<std::int64_t> start_, index_;
};

} // namespace recta
