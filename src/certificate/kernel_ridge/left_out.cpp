#include "certificate/kernel_ridge/left_out.hpp"

#include "base/blas.hpp"
#include "base/factor/blocked.hpp"
#include "base/numbers.hpp"
#include "base/sums.hpp"

#include <algorithm>
#include <cmath>

namespace recta::kernel_ridge {
namespace {

// D K D, its upper triangle by column.
std::vector<double> scaled_matrix(const LeftOut& problem, const std::vector<double>& root, Pool& pool) {
  const Index n = std::ssize(root);
  std::vector<double> out(at(n * n));
  problem.points.upper_triangle(problem.kernel, out.data(), &pool);
  pool.run(n, [&](Index j, int) {
    for (Index i = 0; i <= j; ++i) out[at(j * n + i)] *= root[at(i)] * root[at(j)];
  });
  return out;
}

std::vector<double> by_factor(const LeftOut& problem, const std::vector<double>& root, std::span<const double> r,
                              Pool& pool) {
  const Index n = std::ssize(root);
  std::vector<double> out = inverse_row_squares(r.data(), n, &pool), ones(root);
  for (std::size_t i = 0; i < root.size(); ++i) out[i] *= problem.share[i];
  if (!problem.intercept) return out;
  blas::trsv(blas::Triangle::upper, blas::transposed({r.data(), n}), ones.data());
  blas::trsv(blas::Triangle::upper, {r.data(), n}, ones.data());
  for (std::size_t i = 0; i < root.size(); ++i) ones[i] *= root[i];
  const double sum = compensated_sum(ones);
  for (std::size_t i = 0; i < root.size(); ++i) out[i] -= ones[i] * ones[i] / sum;
  return out;
}

// Q M Q with Q = I - q q', of a symmetric M of which both triangles are written.
void project(std::vector<double>& m, const std::vector<double>& q) {
  const Index n = std::ssize(q);
  std::vector<double> border(q.size());
  blas::symv(1, {m.data(), n}, q.data(), 0, border.data());
  const double middle = blas::dot(n, q.data(), border.data());
  for (std::size_t j = 0; j < q.size(); ++j)
    for (std::size_t i = 0; i < q.size(); ++i)
      m[j * q.size() + i] += q[i] * (middle * q[j] - border[j]) - border[i] * q[j];
}

std::vector<double> by_eigenvectors(const LeftOut& problem, const std::vector<double>& root, Pool& pool) {
  const std::size_t n = root.size();
  std::vector<double> v = scaled_matrix(problem, root, pool), values(n), out(n);
  for (std::size_t j = 0; j < n; ++j)
    for (std::size_t i = 0; i < j; ++i) v[i * n + j] = v[j * n + i];
  if (problem.intercept) project(v, root);
  const auto size = static_cast<Index>(n);
  if (blas::syevd(true, {v.data(), size}, values.data()) != 0) return std::vector<double>(n, kNaN);
  const double lost = static_cast<double>(n) * kUnit * std::max(std::abs(values.front()), values.back());
  for (std::size_t k = 0; k < n; ++k) {
    const double sum = values[k] + problem.lambda;
    for (std::size_t i = 0; i < n && std::abs(sum) > lost; ++i) out[i] += v[k * n + i] * v[k * n + i] / sum;
  }
  for (std::size_t i = 0; i < n; ++i)
    out[i] = problem.share[i] * (out[i] - (problem.intercept ? problem.share[i] / problem.lambda : 0));
  return out;
}

} // namespace

std::vector<double> left_out_divisors(const LeftOut& problem, Pool& pool) {
  const blas::SerialBlas serial;
  std::vector<double> root;
  for (const double share : problem.share) root.push_back(std::sqrt(share));
  std::vector<double> r = scaled_matrix(problem, root, pool);
  for (std::size_t j = 0; j < root.size(); ++j) r[j * root.size() + j] += problem.lambda;
  if (blocked_cholesky(r.data(), std::ssize(root), &pool)) return by_factor(problem, root, r, pool);
  return by_eigenvectors(problem, root, pool);
}

} // namespace recta::kernel_ridge
