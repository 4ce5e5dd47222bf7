#include "solver/coordinate_descent/gram_features.hpp"

#include "base/blas.hpp"
#include "solver/coordinate_descent/gram_set.hpp"

namespace recta::descent {

GramFeatures::GramFeatures(const Gram& gram, Index target, const Centring& centring)
    : gram_(gram), y_(gram.cols + target), centring_(centring), extended_(gram.precision == Precision::extended) {
  resize(gram.cols);
  target_mean = centring.target ? gram.mean[y_] : 0;
  const auto square = static_cast<double>(product(y_, y_) / weight());
  target_unit = power_of_two_near(std::sqrt(square));
  target_square = residual_square = square / target_unit / target_unit;
  for (Index j = 0; j < gram.cols; ++j) {
    mean[j] = centring.features ? gram.mean[j] : 0;
    set_column(j, std::sqrt(std::max(0.0, static_cast<double>(product(j, j) / weight()))),
               static_cast<double>(product(j, y_) / weight()) / target_unit);
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
  // One centred side is enough: the products of a centred column with a constant vanish.
  const bool centred = i == y_ && j == y_ ? centring_.target : centring_.features;
  return centred ? scatter : scatter + weight() * mean_of(i) * mean_of(j);
}

void GramFeatures::set_residual(std::span<const Index> support, std::span<const double> t) {
  support_.assign(support.begin(), support.end());
  t_.assign(t.begin(), t.end());
  gradient_ = correlation;
  for (std::size_t i = 0; i < t_.size(); ++i)
    blas::axpy(cols(), -t_[i], matrix_.data() + support_[i] * cols(), gradient_.data());
  DoubleDouble square(target_square); // <r, r> = <y, y> - sum t_j (c_j + g_j)
  for (std::size_t i = 0; i < t_.size(); ++i)
    square = square - (gradient_of(support_[i]) + correlation[support_[i]]) * t_[i];
  residual_square = std::max(0.0, static_cast<double>(square));
}

DoubleDouble GramFeatures::gradient_of(Index j) const {
  if (!extended_) return gradient_[j];
  DoubleDouble sum = product(j, y_) * (1 / target_unit);
  for (std::size_t i = 0; i < support_.size(); ++i) sum = sum - product(j, support_[i]) * (t_[i] / unit[support_[i]]);
  return sum / weight() * (1 / unit[j]);
}

void GramFeatures::gradient(std::span<const Index> which, std::span<double> g) {
  for (const Index j : which) g[j] = static_cast<double>(gradient_of(j));
}

void GramFeatures::products(std::span<const Index> ids, Index from, double* out, Index stride) const {
  for (Index j = from; j < static_cast<Index>(ids.size()); ++j)
    for (Index i = 0; i <= j; ++i) out[j * stride + i] = out[i * stride + j] = matrix_[ids[j] * cols() + ids[i]];
}

std::unique_ptr<WorkingSet> GramFeatures::working_set() {
  return std::make_unique<GramSet>(
      [this](std::span<const Index> ids, Index from, double* out, Index stride) { products(ids, from, out, stride); });
}

} // namespace recta::descent
