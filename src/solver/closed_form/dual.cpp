#include "solver/closed_form/dual.hpp"

#include "base/double_double.hpp"
#include "base/factor/cholesky.hpp"
#include "base/listening.hpp"
#include "base/numbers.hpp"
#include "base/simd/kernels.hpp"
#include "solver/closed_form/alias.hpp"
#include "solver/closed_form/collected.hpp"
#include "solver/closed_form/row_space.hpp"
#include "solver/sums_answer.hpp"
#include "stats/column_sums/column_sums.hpp"
#include "stats/pass.hpp"

#include <algorithm>
#include <cblas.h>
#include <cmath>
#include <fmt/format.h>

namespace recta {
namespace {

constexpr Index kProductTile = 256;

// A A' by fixed tiles; `a` is n x p by rows. Only the upper triangle by column is filled.
std::vector<double> row_products(const std::vector<double>& a, Index n, Index p, Pool& pool) {
  std::vector<double> k(n * n, 0.0);
  const Index side = (n + kProductTile - 1) / kProductTile;
  run_listening(&pool, side * (side + 1) / 2, [&](Index tile, int) {
    Index c = 0;
    while ((c + 1) * (c + 2) / 2 <= tile) ++c;
    const Index r = tile - c * (c + 1) / 2;
    const Index i = r * kProductTile, j = c * kProductTile, rows = std::min(kProductTile, n - i),
                cols = std::min(kProductTile, n - j);
    cblas_dgemm(CblasColMajor, CblasTrans, CblasNoTrans, narrow(rows), narrow(cols), narrow(p), 1.0, &a[i * p],
                narrow(p), &a[j * p], narrow(p), 0.0, &k[i + j * n], narrow(n));
  });
  return k;
}

std::vector<double> times(const std::vector<double>& a, Index n, Index p, const std::vector<double>& w) {
  std::vector<double> out(n);
  cblas_dgemv(CblasRowMajor, CblasNoTrans, narrow(n), narrow(p), 1.0, a.data(), narrow(p), w.data(), 1, 0.0, out.data(),
              1);
  return out;
}

std::vector<double> target_of(const CollectedRows::Block& all, Index k, Index t) {
  std::vector<double> y(all.rows);
  for (Index i = 0; i < all.rows; ++i) y[i] = all.y[i * k + t];
  return y;
}

// Numbers as high and low parts.
struct Wide {
  std::vector<double> high, low;

  explicit Wide(Index n) : high(n), low(n) {}
  simd::Pairs parts() { return {high.data(), low.data()}; }
  simd::ConstPairs parts() const { return {high.data(), low.data()}; }
};

// w = A'a may be a small sum of large terms: if `a` were rounded to double, an error of u |A|'|a| would remain.
Wide weights_of(const MatrixView& rows, const Wide& a) {
  Wide w(rows.cols);
  simd::kernels().column_dots2(rows, a.parts(), w.parts());
  return w;
}

// y - A w - tau a
std::vector<double> rest_of(const MatrixView& rows, const std::vector<double>& y, double tau, const Wide& a,
                            const Wide& w) {
  Wide product(rows.rows);
  simd::kernels().row_dots2(rows, w.parts(), product.parts());
  std::vector<double> rest(rows.rows);
  for (Index i = 0; i < rows.rows; ++i)
    rest[i] = (y[i] - DoubleDouble(product.high[i], product.low[i]) - DoubleDouble(a.high[i], a.low[i]) * tau).hi;
  return rest;
}

std::vector<std::vector<double>> ridge(const CollectedRows::Block& all, Index p, Index k, double tau, Pool& pool,
                                       LeastSquaresSolution& solution) {
  const Index n = all.rows;
  const MatrixView rows = MatrixView::row_major(all.x.data(), n, p);
  std::vector<double> products = row_products(all.x, n, p, pool);
  solution.rank = Cholesky<double>(products, n, 10 * static_cast<double>(n) * kUnit, &pool).rank();
  if (n <= 500) spectrum_of_products(products, n, tau, solution);
  for (Index i = 0; i < n; ++i) products[i + i * n] += tau;
  const Cholesky<double> factor(std::move(products), n, 0, &pool);
  std::vector<std::vector<double>> w;
  for (Index t = 0; t < k; ++t) {
    const std::vector<double> y = target_of(all, k, t);
    Wide a(n);
    a.high = factor.solve(y);
    Wide weights = weights_of(rows, a);
    for (int step = 0; step < 2; ++step) {
      const std::vector<double> change = factor.solve(rest_of(rows, y, tau, a, weights));
      simd::kernels().dd_add(n, a.parts(), {change.data(), nullptr});
      weights = weights_of(rows, a);
    }
    w.push_back(std::move(weights.high));
  }
  return w;
}

std::vector<std::vector<double>> least_norm(const CollectedRows::Block& all, Index p, Index k,
                                            LeastSquaresSolution& solution) {
  const RowSpace space(all.x, all.rows, p);
  solution.rank = space.rank();
  solution.singular_values = space.singular_values();
  solution.shrinkage.assign(solution.singular_values.size(), 1.0);
  solution.condition = space.condition();
  std::vector<std::vector<double>> w;
  for (Index t = 0; t < k; ++t) {
    const std::vector<double> y = target_of(all, k, t);
    std::vector<double> weights = space.solve(y);
    for (int step = 0; step < 2; ++step) {
      std::vector<double> rest = times(all.x, all.rows, p, weights);
      for (Index i = 0; i < all.rows; ++i) rest[i] = y[i] - rest[i];
      const std::vector<double> change = space.solve(rest);
      for (Index j = 0; j < p; ++j) weights[j] += change[j];
    }
    w.push_back(std::move(weights));
  }
  return w;
}

// Least squares with more columns than rows determines no single coefficient.
void say_what_is_open(const LeastSquaresProblem& problem, const CollectedRows::Block& all, const RowUnits& units,
                      LeastSquaresSolution& solution) {
  if (problem.objective.penalised()) return;
  solution.inverse_diagonal.assign(solution.cols, std::numeric_limits<double>::quiet_NaN());
  const Index dependent = solution.cols - static_cast<Index>(solution.constant.size()) - solution.rank;
  if (dependent <= 0) return;
  try {
    solution.aliased = name_aliased(all.x, all.rows, solution.rank, units.length);
  } catch (const Interrupted&) { // the answer is there
    solution.interrupted = true;
    solution.stop = "interrupted";
  }
  const auto named = static_cast<Index>(solution.aliased.size());
  std::string note = fmt::format("rank {} of {} columns: the answer of least norm among many{}", solution.rank,
                                 solution.cols, problem.objective.standardise ? ", in standardised units" : "");
  if (named < dependent)
    note += fmt::format("; {} of the {} columns that are combinations of others are named", named, dependent);
  solution.notes.push_back(std::move(note));
}

} // namespace

Result<LeastSquaresSolution> solve_dual(const LeastSquaresProblem& problem, RowSource& rows, Pool& pool,
                                        const Watch& watch) {
  LeastSquaresSolution solution;
  const auto sums = first_look(rows, problem, pool, watch, solution);
  if (!sums) return std::unexpected(sums.error());
  const RowUnits units = penalty_units(problem.objective, *sums);
  auto collected = fresh_pass(rows, CollectedRows(sums->cols, sums->targets, units), pool, watch,
                              {"gathering rows", solution.passes});
  if (!collected) return std::unexpected(collected.error());
  ++solution.passes;
  const CollectedRows::Block all = collected->together();
  collected->blocks.clear();
  const double tau = (sums->weight * problem.objective.lambda2).hi;
  std::vector<std::vector<double>> weights = problem.objective.penalised()
                                                 ? ridge(all, sums->cols, sums->targets, tau, pool, solution)
                                                 : least_norm(all, sums->cols, sums->targets, solution);
  for (std::vector<double>& w : weights)
    for (Index j = 0; j < sums->cols; ++j) w[j] = units.length[j] > 0 ? w[j] / units.length[j] : 0;
  solution.condition_is_estimate = true; // in the units of the penalty, not of columns scaled to unit length
  write_down(problem, *sums, weights, solution);
  say_what_is_open(problem, all, units, solution);
  return solution;
}

} // namespace recta
