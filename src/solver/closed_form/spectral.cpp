#include "solver/closed_form/spectral.hpp"

#include "base/listening.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <lapacke.h>

namespace recta {

Spectral::Spectral(const Tall& tall, std::vector<double> unit, double lambda, double tolerance)
    : rows_(tall.rows), cols_(static_cast<Index>(unit.size())), count_(std::min(rows_, cols_)), lambda_(lambda),
      unit_(std::move(unit)), values_(count_), u_(rows_ * count_), vt_(count_ * cols_) {
  if (count_ == 0) return;
  std::vector<double> x = tall.x;
  for (Index j = 0; j < cols_; ++j)
    for (Index i = 0; i < rows_; ++i) x[i + j * rows_] = unit_[j] > 0 ? x[i + j * rows_] / unit_[j] : 0;
  const auto n = static_cast<double>(count_);
  announce(fmt::format("singular vectors of {} x {}", rows_, cols_),
           4 * static_cast<double>(rows_ + cols_) * n * n + 40 * n * n * n);
  LAPACKE_dgesdd(LAPACK_COL_MAJOR, 'S', static_cast<lapack_int>(rows_), static_cast<lapack_int>(cols_), x.data(),
                 static_cast<lapack_int>(rows_), values_.data(), u_.data(), static_cast<lapack_int>(rows_), vt_.data(),
                 static_cast<lapack_int>(count_));
  while (rank_ < count_ && values_[rank_] > tolerance * values_[0]) ++rank_; // they fall
}

double Spectral::condition() const {
  return rank_ > 0 ? square(0) / square(rank_ - 1) : 1;
}

std::vector<double> Spectral::combine(const std::vector<double>& along) const {
  std::vector<double> w(cols_, 0.0);
  for (Index s = 0; s < count_; ++s)
    for (Index j = 0; j < cols_; ++j) w[j] += vt_[s + j * count_] * along[s];
  for (Index j = 0; j < cols_; ++j) w[j] = unit_[j] > 0 ? w[j] / unit_[j] : 0;
  return w;
}

std::vector<double> Spectral::answer(const double* y) const {
  std::vector<double> along(count_, 0.0);
  for (Index s = 0; s < rank_; ++s) {
    for (Index i = 0; i < rows_; ++i) along[s] += u_[i + s * rows_] * y[i];
    along[s] *= values_[s] / square(s);
  }
  return combine(along);
}

std::vector<double> Spectral::step(const std::vector<double>& gradient) const {
  std::vector<double> along(count_, 0.0);
  for (Index s = 0; s < rank_; ++s) {
    for (Index j = 0; j < cols_; ++j)
      if (unit_[j] > 0) along[s] += vt_[s + j * count_] * (gradient[j] / unit_[j]);
    along[s] /= square(s);
  }
  return combine(along);
}

} // namespace recta
