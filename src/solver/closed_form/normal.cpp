#include "solver/closed_form/normal.hpp"

#include <algorithm>
#include <cmath>

namespace recta {
namespace {

// A factor this small relative to the column's own size is the rounding of a zero.
constexpr double kNoShare = 1e-9;

} // namespace

template <class T>
NormalSolver<T>::NormalSolver(const Quadratic& quadratic, Pool& pool)
    : NormalSolver(quadratic,
                   Cholesky<T>(quadratic.hessian<T>(), quadratic.cols(), quadratic.dependence_tolerance(), &pool)) {}

template <class T>
NormalSolver<T>::NormalSolver(const Quadratic& quadratic, Cholesky<T> factor)
    : q_(quadratic), factor_(std::move(factor)), condition_(factor_.condition_estimate()),
      determined_(quadratic.cols(), 1) {
  for (Index j = 0; j < q_.cols(); ++j)
    if (!factor_.is_basic(j)) {
      determined_[j] = 0;
      if (!q_.constant(j)) dependent_.push_back(j);
    }
  if (!dependent_.empty()) find_null_vectors();
}

template <class T>
double NormalSolver<T>::unit() const {
  return std::is_same_v<T, double> ? 0x1p-53 : 0x1p-103;
}

template <class T>
void NormalSolver<T>::find_null_vectors() {
  const Index p = q_.cols(), count = static_cast<Index>(dependent_.size());
  for (const Index column : dependent_) {
    std::vector<T> v = factor_.combination(column);
    const double square = q_.product(column, column).hi;
    T mean_shift = -static_cast<T>(q_.mean(column));
    double sizes = std::abs(q_.mean(column).hi);
    for (Index j = 0; j < p; ++j) {
      const double share = static_cast<double>(v[j]) * static_cast<double>(v[j]) * q_.product(j, j).hi;
      if (share <= kNoShare * kNoShare * square)
        v[j] = T(0.0);
      else
        determined_[j] = 0;
      mean_shift = mean_shift + v[j] * static_cast<T>(q_.mean(j));
      sizes += std::abs(static_cast<double>(v[j]) * q_.mean(j).hi);
      v[j] = -v[j];
    }
    v[column] = T(1.0);
    if (std::abs(static_cast<double>(mean_shift)) > kNoShare * sizes) intercept_determined_ = false;
    null_.push_back(std::move(v));
  }
  std::vector<T> products(count * count, T(0.0));
  for (Index c = 0; c < count; ++c)
    for (Index r = 0; r <= c; ++r)
      for (Index j = 0; j < p; ++j) {
        const double m = q_.objective().standardise ? q_.deviation(j) : 1;
        products[r + c * count] = products[r + c * count] + (null_[r][j] * m) * (null_[c][j] * m);
      }
  null_products_ = Cholesky<T>(std::move(products), count, 0, nullptr);
}

template <class T>
std::vector<T> NormalSolver<T>::solve(const std::vector<T>& rhs) const {
  return least_norm(factor_.solve(rhs));
}

template <class T>
std::vector<T> NormalSolver<T>::least_norm(std::vector<T> w) const {
  if (null_.empty()) return w;
  const Index p = q_.cols(), count = static_cast<Index>(null_.size());
  std::vector<T> along(count, T(0.0));
  for (Index c = 0; c < count; ++c)
    for (Index j = 0; j < p; ++j) {
      const double m = q_.objective().standardise ? q_.deviation(j) : 1;
      along[c] = along[c] + (null_[c][j] * m) * (w[j] * m);
    }
  const std::vector<T> back = null_products_.solve(along);
  for (Index c = 0; c < count; ++c)
    for (Index j = 0; j < p; ++j) w[j] = w[j] - null_[c][j] * back[c];
  return w;
}

template <class T>
std::vector<AliasedColumn> NormalSolver<T>::aliased() const {
  std::vector<AliasedColumn> out;
  for (std::size_t c = 0; c < dependent_.size(); ++c) {
    AliasedColumn alias{dependent_[c], {}};
    for (Index j = 0; j < q_.cols(); ++j)
      if (j != alias.column && static_cast<double>(null_[c][j]) != 0)
        alias.equals.emplace_back(j, -static_cast<double>(null_[c][j]));
    out.push_back(std::move(alias));
  }
  return out;
}

template class NormalSolver<double>;
template class NormalSolver<DoubleDouble>;

} // namespace recta
