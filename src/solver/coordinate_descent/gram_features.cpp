#include "solver/coordinate_descent/gram_features.hpp"

#include "base/blas.hpp"

namespace recta::descent {

GramFeatures::GramFeatures(const Gram& gram, Index target, Index targets, const Centring& centring)
    : gram_(gram), y_(gram.cols + target), centring_(centring), extended_(gram.precision == Precision::extended) {
  double square = 0;
  for (Index y = y_; y < y_ + targets; ++y) {
    target_mean.push_back(centring.target ? gram.mean[y] : 0);
    square += static_cast<double>(product(y, y) / weight());
  }
  resize(gram.cols);
  target_unit = power_of_two_near(std::sqrt(square));
  target_square = residual_square = square / target_unit / target_unit;
  std::vector<double> with_y(target_mean.size());
  for (Index j = 0; j < gram.cols; ++j) {
    mean[j] = centring.features ? gram.mean[j] : 0;
    for (Index t = 0; t < targets; ++t) with_y[t] = static_cast<double>(product(j, y_ + t) / weight()) / target_unit;
    set_column(j, std::sqrt(std::max(0.0, static_cast<double>(product(j, j) / weight()))), with_y);
  }
  matrix_.resize(unit.size() * unit.size());
  for (Index j = 0; j < cols(); ++j)
    for (Index i = 0; i <= j; ++i)
      matrix_[j * cols() + i] = matrix_[i * cols() + j] =
          static_cast<double>(product(i, j)) / gram_.weight / unit[i] / unit[j];
  gradient_ = correlation;
}

DoubleDouble GramFeatures::mean_of(Index j) const {
  return {gram_.mean[j], gram_.mean_low.empty() ? 0 : gram_.mean_low[j]};
}

DoubleDouble GramFeatures::product(Index i, Index j) const {
  const Index at = std::min(i, j) * gram_.size() + std::max(i, j);
  const DoubleDouble scatter(gram_.scatter[at], gram_.scatter_low.empty() ? 0 : gram_.scatter_low[at]);
  // It is enough to centre one side: the products of a centred column with a constant vanish.
  const bool centred = i >= y_ && j >= y_ ? centring_.target : centring_.features;
  return centred ? scatter : scatter + weight() * mean_of(i) * mean_of(j);
}

void GramFeatures::set_residual(std::span<const Index> support, std::span<const double> t) {
  support_.assign(support.begin(), support.end());
  t_.assign(t.begin(), t.end());
  gradient_ = correlation;
  DoubleDouble square(target_square); // <r, r> = <y, y> - sum t_j (c_j + g_j)
  const std::size_t s = support_.size();
  for (Index k = 0; k < targets(); ++k) {
    const double* const target_t = t_.data() + static_cast<std::size_t>(k) * s;
    for (std::size_t i = 0; i < s; ++i)
      blas::axpy(cols(), -target_t[i], matrix_.data() + support_[i] * cols(), gradient_.data() + k * cols());
    for (std::size_t i = 0; i < s; ++i)
      square = square - (gradient_of(support_[i], k) + correlation[support_[i] + k * cols()]) * target_t[i];
  }
  residual_square = std::max(0.0, static_cast<double>(square));
}

DoubleDouble GramFeatures::gradient_of(Index j, Index t) const {
  if (!extended_) return gradient_[j + t * cols()];
  DoubleDouble sum = product(j, y_ + t) * (1 / target_unit);
  const double* const target_t = t_.data() + static_cast<std::size_t>(t) * support_.size();
  for (std::size_t i = 0; i < support_.size(); ++i)
    sum = sum - product(j, support_[i]) * (target_t[i] / unit[support_[i]]);
  return sum / weight() * (1 / unit[j]);
}

void GramFeatures::gradient(std::span<const Index> which, std::span<double> g) {
  for (Index t = 0; t < targets(); ++t)
    for (const Index j : which) g[j + t * cols()] = static_cast<double>(gradient_of(j, t));
}

void GramFeatures::products(std::span<const Index> ids, Index from, double* out, Index stride) {
  for (Index j = from; j < static_cast<Index>(ids.size()); ++j)
    for (Index i = 0; i <= j; ++i) out[j * stride + i] = out[i * stride + j] = matrix_[ids[j] * cols() + ids[i]];
}

} // namespace recta::descent
