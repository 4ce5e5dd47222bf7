#include "solver/kernel_ridge/decomposition.hpp"

#include "base/blas.hpp"
#include "base/listening.hpp"
#include "base/numbers.hpp"
#include "base/sums.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace recta::kernel_ridge {

Decomposition::Decomposition(const Problem& problem, Pool& pool) : problem_(problem) {
  const blas::SerialBlas serial;
  const Index n = problem.rows(), targets = problem.targets();
  for (const double share : problem.share) root_.push_back(std::sqrt(share));
  vectors_.resize(at(n * n)), values_.resize(at(n));
  problem.points.upper_triangle(problem.kernel, vectors_.data(), &pool);
  for (Index j = 0; j < n; ++j)
    for (Index i = 0; i <= j; ++i) {
      const double value = vectors_[at(j * n + i)] * (root_[at(i)] * root_[at(j)]);
      vectors_[at(j * n + i)] = vectors_[at(i * n + j)] = value;
    }
  if (problem.intercept) { // Q M Q with Q = I - q q': M - q (Mq)' - (Mq) q' + (q'Mq) q q'
    border_.resize(at(n));
    blas::symv(1, {vectors_.data(), n}, root_.data(), 0, border_.data());
    const double middle = blas::dot(n, root_.data(), border_.data());
    for (Index j = 0; j < n; ++j)
      for (Index i = 0; i < n; ++i)
        vectors_[at(j * n + i)] +=
            root_[at(i)] * (middle * root_[at(j)] - border_[at(j)]) - border_[at(i)] * root_[at(j)];
  }
  for (Index t = 0; t < targets; ++t) {
    const double* const y = problem.target.data() + t * n;
    CompensatedSum sum; // about the first, so that a target that does not vary is centred to zeros
    for (Index i = 0; i < n; ++i) sum.add_product(problem.share[at(i)], y[i] - y[0]);
    mean_.push_back(problem.intercept ? y[0] + sum.value() : 0);
    for (Index i = 0; i < n; ++i) centred_.push_back(root_[at(i)] * (y[i] - mean_.back()));
  }
  announce(fmt::format("eigenvectors of {0} x {0}", n), 9 * std::pow(static_cast<double>(n), 3));
  if (blas::syevd(true, {vectors_.data(), n}, values_.data()) != 0) values_.assign(at(n), kNaN);
}

double Decomposition::spread() const {
  CompensatedSum sum;
  for (Index i = 0; i < problem_.rows(); ++i) sum.add_product(centred_[at(i)], centred_[at(i)]);
  return sum.value();
}

double Decomposition::shrunk(std::size_t k, double lambda) const {
  const double sum = values_[k] + lambda;
  const double lost = static_cast<double>(values_.size()) * kUnit * std::max(std::abs(values_.front()), values_.back());
  return std::abs(sum) > lost ? 1 / sum : 0;
}

Decomposition::Point Decomposition::point(double lambda, bool leave_one_out) const {
  const blas::SerialBlas serial;
  keep_going();
  const Index n = problem_.rows(), targets = problem_.targets();
  Point out;
  out.alpha.resize(at(n * targets)), out.residual.resize(out.alpha.size());
  std::vector<double> along(at(n)), beta(at(n)), inverse(leave_one_out ? at(n) : 0);
  for (std::size_t k = 0; k < values_.size(); ++k) {
    out.degrees_of_freedom += values_[k] * shrunk(k, lambda);
    const double* const v = vectors_.data() + k * values_.size();
    for (std::size_t i = 0; i < inverse.size(); ++i) inverse[i] += shrunk(k, lambda) * v[i] * v[i];
  }
  for (Index t = 0; t < targets; ++t) {
    blas::gemv(1, blas::transposed({vectors_.data(), n}), centred_.data() + t * n, 0, along.data());
    for (std::size_t k = 0; k < along.size(); ++k) along[k] *= shrunk(k, lambda);
    blas::gemv(1, {vectors_.data(), n}, along.data(), 0, beta.data());
    if (problem_.intercept) // nothing but rounding stands along the root of s, and an intercept would multiply it
      blas::axpy(n, -blas::dot(n, root_.data(), beta.data()), root_.data(), beta.data());
    for (Index i = 0; i < n; ++i) {
      const std::size_t place = at(t * n + i), row = at(i);
      out.alpha[place] = root_[row] * beta[row];
      out.residual[place] = lambda * beta[row] / root_[row];
    }
    out.b.push_back(mean_[at(t)]); // of y - K alpha
    if (problem_.intercept) out.b.back() -= blas::dot(n, beta.data(), border_.data());
    for (Index i = 0; i < n && leave_one_out; ++i) {
      const std::size_t row = at(i);
      const double kept = lambda * inverse[row] - (problem_.intercept ? problem_.share[row] : 0);
      out.left_out.push_back(out.residual[at(t * n + i)] / kept);
    }
  }
  return out;
}

} // namespace recta::kernel_ridge
