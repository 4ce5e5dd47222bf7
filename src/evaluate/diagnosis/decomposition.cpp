#include "evaluate/diagnosis/decomposition.hpp"

#include "base/blas.hpp"
#include "base/numbers.hpp"
#include "solver/closed_form/normal.hpp"

#include <algorithm>
#include <cmath>

namespace recta::diagnosis {
namespace {

constexpr double kShare = 1e-9; // of a null vector: less is rounding

// Sums of products about zero of the constant column (if there is one) and the features, scaled to unit length.
std::vector<DoubleDouble> scaled_products(const LeastSquaresObjective& objective, const Gram& gram) {
  LeastSquaresObjective about_zero;
  about_zero.intercept = false;
  const Quadratic q(about_zero, gram);
  const Index lead = objective.intercept ? 1 : 0, size = gram.cols + lead;
  const auto product = [&](Index i, Index j) -> DoubleDouble { // i <= j
    if (i >= lead) return q.product(i - lead, j - lead);
    return j >= lead ? q.weight() * q.mean(j - lead) : q.weight();
  };
  std::vector<DoubleDouble> length(static_cast<std::size_t>(size)), out(static_cast<std::size_t>(size * size), 0.0);
  for (Index j = 0; j < size; ++j) length[static_cast<std::size_t>(j)] = sqrt(product(j, j));
  for (Index j = 0; j < size; ++j)
    for (Index i = 0; i <= j; ++i) {
      const DoubleDouble lengths = length[static_cast<std::size_t>(i)] * length[static_cast<std::size_t>(j)];
      if (lengths.hi > 0) out[static_cast<std::size_t>(i + j * size)] = product(i, j) / lengths;
    }
  return out;
}

// Shares of one column: v_jk / mu_k squared over their sum. A null direction that reaches it takes all.
void set_shares(std::vector<ConditionIndex>& all, std::size_t j, const std::vector<double>& v, std::size_t size) {
  double null = 0, sum = 0;
  for (std::size_t k = 0; k < all.size(); ++k) {
    const double x = v[k + j * size];
    if (all[k].singular_value == 0 && std::abs(x) > kShare) null += x * x;
    if (all[k].singular_value > 0) sum += x * x / (all[k].singular_value * all[k].singular_value);
  }
  for (std::size_t k = 0; k < all.size(); ++k) {
    const double x = v[k + j * size], mu = all[k].singular_value;
    if (mu == 0)
      all[k].shares[j] = null > 0 && std::abs(x) > kShare ? x * x / null : 0;
    else
      all[k].shares[j] = null > 0 ? 0 : x * x / (mu * mu) / sum;
  }
}

} // namespace

std::vector<ConditionIndex> decompose(const LeastSquaresObjective& objective, const Gram& gram) {
  const blas::SerialBlas serial;
  const Index size = gram.cols + (objective.intercept ? 1 : 0);
  if (size == 0 || gram.cols > kDecomposed) return {};
  const Quadratic q(objective, gram);
  const Cholesky<DoubleDouble> factor(scaled_products(objective, gram), size, q.dependence_tolerance());
  std::vector<double> r = factor.rows_in_double();
  const Index rank = factor.rank();
  std::vector<double> values(static_cast<std::size_t>(rank)), u(static_cast<std::size_t>(rank * rank)),
      vt(static_cast<std::size_t>(size * size));
  if (rank == 0 || blas::gesdd('A', {r.data(), rank, size}, values.data(), {u.data(), rank}, {vt.data(), size}) != 0)
    return {};
  values.resize(static_cast<std::size_t>(size), 0.0);
  std::vector<ConditionIndex> out;
  for (const double mu : values)
    out.push_back({mu, mu > 0 ? values[0] / mu : kInfinity, std::vector<double>(static_cast<std::size_t>(size), 0.0)});
  for (std::size_t j = 0; j < static_cast<std::size_t>(size); ++j)
    set_shares(out, j, vt, static_cast<std::size_t>(size));
  return out;
}

namespace {

template <class T>
std::vector<double> inflation(const Quadratic& q, Pool& pool) {
  const NormalSolver<T> normal(q, pool);
  const std::vector<T> diagonal = normal.factor().inverse_diagonal(&pool);
  std::vector<double> out;
  for (Index j = 0; j < q.cols(); ++j) {
    const double both = static_cast<double>(diagonal[static_cast<std::size_t>(j)] * static_cast<T>(q.product(j, j)));
    out.push_back(q.constant(j) ? kNaN : normal.determined(j) ? std::max(1.0, both) : kInfinity);
  }
  return out;
}

} // namespace

std::vector<double> variance_inflation(const LeastSquaresObjective& objective, const Gram& gram, Pool& pool) {
  const blas::SerialBlas serial;
  LeastSquaresObjective plain = objective;
  plain.lambda2 = 0;
  const Quadratic q(plain, gram);
  return q.extended() ? inflation<DoubleDouble>(q, pool) : inflation<double>(q, pool);
}

} // namespace recta::diagnosis
