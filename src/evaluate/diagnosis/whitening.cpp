#include "evaluate/diagnosis/whitening.hpp"

#include "base/blas.hpp"
#include "solver/closed_form/normal.hpp"
#include "stats/rows.hpp"

#include <algorithm>
#include <cmath>

namespace recta::diagnosis {

Whitening::Whitening(const LeastSquaresObjective& objective, const Gram& gram, Pool& pool)
    : cols_(gram.cols), intercept_(objective.intercept), centred_(objective.centred()),
      extended_(gram.precision == Precision::extended), weight_(gram.weight) {
  const blas::SerialBlas serial;
  if (extended_)
    prepare<DoubleDouble>(objective, gram, pool, extended_root_);
  else
    prepare<double>(objective, gram, pool, root_);
  for (const DoubleDouble& x : extended_root_) root_.push_back(x.hi);
}

template <class T>
void Whitening::prepare(const LeastSquaresObjective& objective, const Gram& gram, Pool& pool, std::vector<T>& root) {
  const Quadratic quadratic(objective, gram);
  const NormalSolver<T> normal(quadratic, pool);
  const Cholesky<T>& factor = normal.factor();
  rank_ = factor.rank();
  condition_ = normal.condition();
  last_ = factor.basic();
  root.resize(static_cast<std::size_t>(rank_ * cols_));
  const auto column_of_inverse = [&](Index s, int) {
    std::vector<T> unit(static_cast<std::size_t>(rank_), T(0.0));
    unit[static_cast<std::size_t>(s)] = T(1.0);
    const std::vector<T> column = factor.backward(unit); // of R^-1
    std::copy(column.begin(), column.end(), root.begin() + static_cast<std::ptrdiff_t>(s * cols_));
  };
  if (rank_ > 64)
    pool.run(rank_, column_of_inverse);
  else // waking threads would take longer
    for (Index s = 0; s < rank_; ++s) column_of_inverse(s, 0);
  for (Index j = 0; j < cols_; ++j) {
    mean_.push_back(centred_ ? quadratic.mean(j) : DoubleDouble(0.0));
    determined_.push_back(normal.determined(j));
  }
  intercept_determined_ = normal.intercept_determined();
}

void gather_rows(const Batch& batch, std::span<const Index> present, std::vector<double>& x) {
  const Index p = batch.cols();
  x.assign(present.size() * static_cast<std::size_t>(p), 0.0);
  if (const auto* dense = std::get_if<MatrixView>(&batch.x)) return gather(*dense, present, x.data(), p);
  double* row = x.data();
  for (const Index i : present) {
    const SparseRow sparse = sparse_row(std::get<SparseView>(batch.x), i);
    for (Index s = 0; s < sparse.count; ++s) row[sparse.column(s)] = sparse.value[s];
    row += p;
  }
}

void Whitening::transform(const Batch& batch, std::span<const Index> present, Room& room) const {
  gather_rows(batch, present, room.x);
  const auto n = static_cast<Index>(present.size()), q = size(), lead = q - rank_;
  room.z.assign(static_cast<std::size_t>(n * q), 0.0);
  if (intercept_)
    for (Index i = 0; i < n; ++i) room.z[static_cast<std::size_t>(i * q)] = 1 / std::sqrt(weight_);
  if (rank_ == 0 || n == 0) return;
  if (extended_) return transform_extended(batch, present, room);
  std::vector<double> centred = room.x;
  for (Index i = 0; i < n && centred_; ++i)
    for (Index j = 0; j < cols_; ++j)
      centred[static_cast<std::size_t>(i * cols_ + j)] -= mean_[static_cast<std::size_t>(j)].hi;
  // By column these are the transposes: z' = R^-T x'.
  blas::gemm(1, blas::transposed({root_.data(), cols_, rank_}), {centred.data(), cols_, n}, 0,
             {room.z.data() + lead, rank_, n, q});
}

void Whitening::transform_extended(const Batch& batch, std::span<const Index> present, Room& room) const {
  const Index p = cols_, q = size(), lead = q - rank_;
  const auto* dense = std::get_if<MatrixView>(&batch.x);
  std::vector<double> low;
  if (dense != nullptr && dense->low != nullptr) {
    low.resize(room.x.size());
    gather_low(*dense, present, low.data(), p);
  }
  std::vector<DoubleDouble> x(static_cast<std::size_t>(p));
  for (std::size_t i = 0; i < present.size(); ++i) {
    for (std::size_t j = 0; j < x.size(); ++j) {
      const std::size_t at = i * x.size() + j;
      x[j] = DoubleDouble(room.x[at], low.empty() ? 0 : low[at]) - mean_[j];
    }
    for (Index s = 0; s < rank_; ++s) {
      DoubleDouble sum = 0.0;
      const DoubleDouble* root = &extended_root_[static_cast<std::size_t>(s * p)];
      for (Index j = 0; j <= last_[static_cast<std::size_t>(s)]; ++j) sum += root[j] * x[static_cast<std::size_t>(j)];
      room.z[i * static_cast<std::size_t>(q) + static_cast<std::size_t>(lead + s)] = sum.hi;
    }
  }
}

std::vector<double> Whitening::of_coefficient(Index j) const {
  const Index lead = size() - rank_;
  std::vector<double> out(static_cast<std::size_t>(size()), 0.0);
  if (j == cols_ && intercept_) out[0] = 1 / std::sqrt(weight_);
  for (Index s = 0; s < rank_; ++s) {
    double& share = out[static_cast<std::size_t>(lead + s)];
    const double* root = &root_[static_cast<std::size_t>(s * cols_)];
    if (j < cols_) {
      share = root[j];
      continue;
    }
    DoubleDouble sum = 0.0; // b = mean(y) - <w, mean>
    for (Index c = 0; c < cols_; ++c) {
      const auto at = static_cast<std::size_t>(s * cols_ + c);
      sum -= (extended_ ? extended_root_[at] : DoubleDouble(root_[at])) * mean_[static_cast<std::size_t>(c)];
    }
    share = sum.hi;
  }
  return out;
}

std::vector<double> Whitening::coordinates_of(const Quadratic& quadratic, Index target) const {
  std::vector<double> out;
  for (Index s = 0; s < rank_; ++s) {
    DoubleDouble sum = 0.0;
    for (Index j = 0; j <= last_[static_cast<std::size_t>(s)]; ++j) {
      const auto at = static_cast<std::size_t>(s * cols_ + j);
      sum += (extended_ ? extended_root_[at] : DoubleDouble(root_[at])) * quadratic.cross(j, target);
    }
    out.push_back(sum.hi);
  }
  return out;
}

} // namespace recta::diagnosis
