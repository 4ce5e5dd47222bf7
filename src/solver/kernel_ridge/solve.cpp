#include "solver/kernel_ridge/solve.hpp"

#include "base/blas.hpp"
#include "base/factor/blocked.hpp"
#include "base/listening.hpp"
#include "base/numbers.hpp"
#include "base/sums.hpp"
#include "solver/kernel_ridge/decomposition.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace recta::kernel_ridge {

Index Problem::targets() const {
  return rows() == 0 ? 0 : std::ssize(target) / rows();
}

namespace {

// D K D + lambda I as its Cholesky factor: R, upper, by column. Empty: there is none.
std::vector<double> factor(const Problem& problem, const std::vector<double>& root, Pool& pool) {
  const Index n = problem.rows();
  std::vector<double> a(at(n * n));
  problem.points.upper_triangle(problem.kernel, a.data(), &pool);
  pool.run(n, [&](Index j, int) {
    double* const column = a.data() + j * n;
    for (Index i = 0; i <= j; ++i) column[i] *= root[at(i)] * root[at(j)];
    column[j] += problem.lambda;
  });
  announce(fmt::format("factoring {0} x {0}", n), std::pow(static_cast<double>(n), 3) / 3);
  if (!blocked_cholesky(a.data(), n, &pool)) a.clear();
  return a;
}

double sum_of(const double* x, Index n) {
  return compensated_sum({x, n});
}

} // namespace

Solution solve(const Problem& problem, bool leave_one_out, Pool& pool) {
  const blas::SerialBlas serial;
  const Index n = problem.rows(), targets = problem.targets();
  std::vector<double> root;
  for (const double share : problem.share) root.push_back(std::sqrt(share));
  const std::vector<double> r = factor(problem, root, pool);
  if (r.empty()) {
    auto point = Decomposition(problem, pool).point(problem.lambda, leave_one_out);
    return {std::move(point.alpha), std::move(point.b), std::move(point.left_out), false};
  }
  // A^-1 of every target, and of ones if there is an intercept: D (R'R)^-1 D.
  const Index columns = targets + (problem.intercept ? 1 : 0);
  std::vector<double> x(at(n * columns));
  std::vector<double> first(at(targets)); // a target that does not vary has no residual at all
  for (Index t = 0; t < columns; ++t) {
    if (t < targets && problem.intercept) first[at(t)] = problem.target[at(t * n)];
    for (Index i = 0; i < n; ++i)
      x[at(t * n + i)] = root[at(i)] * (t < targets ? problem.target[at(t * n + i)] - first[at(t)] : 1);
  }
  blas::trsm(blas::Side::left, blas::Triangle::upper, blas::transposed({r.data(), n}), {x.data(), n, columns});
  blas::trsm(blas::Side::left, blas::Triangle::upper, {r.data(), n}, {x.data(), n, columns});
  for (Index t = 0; t < columns; ++t)
    for (Index i = 0; i < n; ++i) x[at(t * n + i)] *= root[at(i)];
  Solution out;
  out.b.assign(at(targets), 0);
  const double* const ones = x.data() + targets * n;
  const double border = problem.intercept ? sum_of(ones, n) : 0;
  for (Index t = 0; t < targets && problem.intercept; ++t) {
    double* const alpha = x.data() + t * n;
    const double b = sum_of(alpha, n) / border;
    for (Index i = 0; i < n; ++i) alpha[i] -= b * ones[i];
    out.b[at(t)] = b + first[at(t)];
  }
  if (leave_one_out) {
    std::vector<double> inverse = inverse_row_squares(r.data(), n, &pool);
    for (Index i = 0; i < n; ++i) {
      inverse[at(i)] *= problem.share[at(i)];
      if (problem.intercept) inverse[at(i)] -= ones[i] * ones[i] / border;
    }
    for (Index t = 0; t < targets; ++t)
      for (Index i = 0; i < n; ++i) out.left_out.push_back(x[at(t * n + i)] / inverse[at(i)]);
  }
  x.resize(at(n * targets));
  out.alpha = std::move(x);
  return out;
}

} // namespace recta::kernel_ridge
