#include "solver/closed_form/row_space.hpp"

#include "base/listening.hpp"
#include "base/numbers.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <lapacke.h>
#include <new>

namespace recta {
namespace {

void need(lapack_int info) {
  if (info != 0) throw std::bad_alloc(); // LAPACK's own workspace: sizes and numbers were checked before
}

} // namespace

RowSpace::RowSpace(const std::vector<double>& a, Index n, Index p)
    : n_(n), p_(p), inner_(std::min(n, p)), q_(a), tau_(inner_), values_(inner_), u_(n * inner_), vt_(inner_ * inner_) {
  if (inner_ == 0) return;
  const auto rows = static_cast<double>(n), inner = static_cast<double>(inner_);
  announce(fmt::format("reflecting {} x {}", p, n), 2 * static_cast<double>(p) * rows * inner);
  need(LAPACKE_dgeqrf(LAPACK_COL_MAJOR, narrow(p), narrow(n), q_.data(), narrow(p), tau_.data()));
  std::vector<double> lower(n * inner_, 0.0); // R', n x inner
  for (Index i = 0; i < n; ++i)
    for (Index j = 0; j <= std::min(i, inner_ - 1); ++j) lower[i + j * n] = q_[j + i * p];
  announce(fmt::format("singular vectors of {0} x {0}", inner_), 60 * inner * inner * inner);
  need(LAPACKE_dgesdd(LAPACK_COL_MAJOR, 'S', narrow(n), narrow(inner_), lower.data(), narrow(n), values_.data(),
                      u_.data(), narrow(n), vt_.data(), narrow(inner_)));
  const double smallest = 10 * static_cast<double>(std::max(n, p)) * 0x1p-53 * values_[0];
  while (rank_ < inner_ && values_[rank_] > smallest) ++rank_;
}

std::vector<double> RowSpace::solve(const std::vector<double>& y) const {
  std::vector<double> w(p_, 0.0);
  for (Index s = 0; s < rank_; ++s) {
    double along = 0;
    for (Index i = 0; i < n_; ++i) along += u_[i + s * n_] * y[i];
    along /= values_[s];
    for (Index j = 0; j < inner_; ++j) w[j] += vt_[s + j * inner_] * along;
  }
  if (inner_ > 0)
    need(LAPACKE_dormqr(LAPACK_COL_MAJOR, 'L', 'N', narrow(p_), 1, narrow(inner_), q_.data(), narrow(p_), tau_.data(),
                        w.data(), narrow(p_)));
  return w;
}

void spectrum_of_products(std::vector<double> products, Index n, double tau, LeastSquaresSolution& solution) {
  std::vector<double> squares(n);
  const auto size = static_cast<double>(n);
  announce(fmt::format("eigenvalues of {0} x {0}", n), 8 * size * size * size);
  need(LAPACKE_dsyevd(LAPACK_COL_MAJOR, 'N', 'U', narrow(n), products.data(), narrow(n), squares.data()));
  const double largest = n > 0 ? squares.back() : 0;
  for (Index s = n - 1; s >= 0 && squares[s] > 10 * static_cast<double>(n) * 0x1p-53 * largest; --s) {
    solution.singular_values.push_back(std::sqrt(squares[s]));
    solution.shrinkage.push_back(squares[s] / (squares[s] + tau));
  }
  solution.rank = static_cast<Index>(solution.singular_values.size());
  solution.condition = solution.rank > 0 ? solution.singular_values.front() / solution.singular_values.back() : 1;
}

} // namespace recta
