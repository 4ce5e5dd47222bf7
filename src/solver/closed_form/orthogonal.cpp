#include "solver/closed_form/orthogonal.hpp"

#include "base/listening.hpp"
#include "base/numbers.hpp"
#include "certificate/pass.hpp"
#include "solver/closed_form/answer.hpp"
#include "solver/closed_form/describe.hpp"
#include "solver/closed_form/triangle.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <lapacke.h>

namespace recta {
namespace {

// Rows of the features and of the targets, by column.
struct Tall {
  Index rows = 0;
  std::vector<double> x, y;
};

Result<Tall> gather(const Quadratic& q, RowSource& rows, Pool& pool, const Watch& watch,
                    LeastSquaresSolution& solution) {
  std::vector<double> centre(q.cols() + q.targets(), 0.0);
  for (Index j = 0; j < q.cols() && q.objective().centred(); ++j) centre[j] = q.mean(j).hi;
  for (Index t = 0; t < q.targets() && q.objective().intercept; ++t) centre[q.cols() + t] = q.mean(q.cols() + t).hi;
  const auto d = static_cast<double>(q.cols() + q.targets());
  announce(fmt::format("reflecting rows into a triangle of {0} x {0}, each block", q.cols() + q.targets()),
           8 * d * d * d);
  auto triangle = fresh_pass(rows, Triangle(q.cols(), q.targets(), std::move(centre)), pool, watch,
                             {"gathering the triangle", solution.passes});
  if (!triangle) return std::unexpected(triangle.error());
  ++solution.passes;
  triangle->compress();
  const std::vector<double> all = triangle->by_column();
  const Index m = triangle->rows;
  Tall tall{m, {all.begin(), all.begin() + m * q.cols()}, {all.begin() + m * q.cols(), all.end()}};
  for (Index j = 0; j < q.cols(); ++j)
    if (q.constant(j)) std::fill_n(&tall.x[j * m], m, 0.0);
  return tall;
}

// Ridge is least squares with a row sqrt(W lambda2 u_j) e_j more for each feature.
Tall with_penalty(const Quadratic& q, const Tall& tall) {
  const Index p = q.cols(), m = tall.rows + p;
  Tall out{m, std::vector<double>(m * p, 0.0), std::vector<double>(m * q.targets(), 0.0)};
  for (Index j = 0; j < p; ++j) {
    std::copy_n(&tall.x[j * tall.rows], tall.rows, &out.x[j * m]);
    out.x[tall.rows + j + j * m] = std::sqrt(q.penalty(j).hi);
  }
  for (Index t = 0; t < q.targets(); ++t) std::copy_n(tall.y.data() + t * tall.rows, tall.rows, &out.y[t * m]);
  return out;
}

double tolerance(const Quadratic& q) {
  return 10 * static_cast<double>(std::max(q.cols(), std::min<Index>(q.rows(), 4096))) * kUnit;
}

std::vector<double> narrow(const std::vector<DoubleDouble>& x) {
  std::vector<double> out;
  for (const DoubleDouble& v : x) out.push_back(v.hi);
  return out;
}

std::vector<DoubleDouble> widen(const std::vector<double>& x) {
  return {x.begin(), x.end()};
}

// Corrections through R'R converge while kappa^2 u is small; beyond that the orthogonal answer stands as it is.
Result<void> improve(const Quadratic& q, Weights& w, double condition, const Correction& correct, RowSource& rows,
                     Pool& pool, const Watch& watch, LeastSquaresSolution& solution) {
  const double rate = 4 * std::sqrt(static_cast<double>(q.cols())) * kUnit * condition;
  if (rate > 0.1) {
    solution.notes.push_back("columns are so alike that the answer could not be refined beyond its factorisation");
    return {};
  }
  Refinement plan = plan_refinement(rate, 1e-16);
  plan.steps = std::max(plan.steps, 1);
  const auto refined = refine(q, w, correct, plan, rows, pool, watch, solution);
  if (!refined) return std::unexpected(refined.error());
  solution.interrupted = !*refined;
  if (solution.interrupted) solution.stop = "interrupted";
  return {};
}

// A column that does not vary has the weight zero: nothing stands in its rows but its own penalty. Reflections leave
// the rounding of one there.
Weights without_constants(const Quadratic& q, Weights w) {
  for (Index j = 0; j < q.cols(); ++j)
    for (Index t = 0; t < q.targets() && q.constant(j); ++t) w[j + t * q.cols()] = 0.0;
  return w;
}

// The singular vectors of R in units in which every column is penalised alike.
struct Spectral {
  Index count = 0, p = 0;
  std::vector<double> values, u, vt, unit;
  double lambda = 0, smallest = 0;
  Index rows = 0;

  // V f(s) V' g or, with `along` U'y given, V f(s) along.
  std::vector<double> combine(const std::vector<double>& along) const {
    std::vector<double> w(p, 0.0);
    for (Index s = 0; s < count; ++s)
      for (Index j = 0; j < p; ++j) w[j] += vt[s + j * count] * along[s];
    for (Index j = 0; j < p; ++j) w[j] = unit[j] > 0 ? w[j] / unit[j] : 0;
    return w;
  }
  bool kept(Index s) const { return values[s] > smallest; }
};

// `unit`: what columns are divided by.
Spectral decompose(const Quadratic& q, const Tall& tall, bool augmented, std::vector<double> unit) {
  const Index p = q.cols(), m = tall.rows;
  Spectral out{std::min(m, p), p, {}, {}, {}, std::move(unit), 0, 0, m};
  out.lambda = augmented ? 0 : (q.weight() * q.objective().lambda2).hi;
  std::vector<double> x = tall.x;
  for (Index j = 0; j < p; ++j) {
    for (Index i = 0; i < m; ++i) x[i + j * m] = out.unit[j] > 0 ? x[i + j * m] / out.unit[j] : 0;
  }
  out.values.resize(out.count);
  out.u.resize(m * out.count);
  out.vt.resize(out.count * p);
  if (out.count == 0) return out;
  const auto n = static_cast<double>(out.count);
  announce(fmt::format("singular vectors of {} x {}", m, p), 4 * static_cast<double>(m + p) * n * n + 40 * n * n * n);
  LAPACKE_dgesdd(LAPACK_COL_MAJOR, 'S', static_cast<lapack_int>(m), static_cast<lapack_int>(p), x.data(),
                 static_cast<lapack_int>(m), out.values.data(), out.u.data(), static_cast<lapack_int>(m), out.vt.data(),
                 static_cast<lapack_int>(out.count));
  out.smallest = tolerance(q) * out.values[0];
  return out;
}

// The units of the penalty, or of the columns themselves, in which the answer of least norm is meant.
std::vector<double> own_units(const Quadratic& q, bool augmented) {
  std::vector<double> unit(q.cols(), 1.0);
  for (Index j = 0; j < q.cols(); ++j) {
    if (!augmented) unit[j] = std::sqrt(q.objective().penalised() ? q.objective().factor(j) : 1.0);
    if (q.objective().standardise) unit[j] *= q.deviation(j);
  }
  return unit;
}

// Powers of two near the largest number of each column; 0: all are zero.
std::vector<double> even_units(const Tall& tall, Index cols) {
  std::vector<double> unit;
  for (Index j = 0; j < cols; ++j) {
    double largest = 0;
    for (Index i = 0; i < tall.rows; ++i) largest = std::max(largest, std::abs(tall.x[i + j * tall.rows]));
    unit.push_back(largest > 0 ? std::ldexp(1.0, std::ilogb(largest)) : 0);
  }
  return unit;
}

struct Decomposed {
  Tall tall;
  Spectral spectral;

  bool loses(Index empty) const { // a direction that is not zero
    Index kept = 0;
    for (Index s = 0; s < spectral.count; ++s) kept += spectral.kept(s) ? 1 : 0;
    return kept < spectral.p - empty;
  }
};

// A direction may be small only because its columns are. Of full rank in units of their own, penalties counted as
// rows, the answer is one, and no norm chooses it.
Decomposed decomposed(const Quadratic& q, const Tall& gathered) {
  bool free_columns = false;
  for (Index j = 0; j < q.cols(); ++j) free_columns |= q.objective().penalised() && q.objective().factor(j) == 0;
  Decomposed own{free_columns ? with_penalty(q, gathered) : gathered, {}};
  own.spectral = decompose(q, own.tall, free_columns, own_units(q, free_columns));
  Tall all = q.objective().penalised() ? with_penalty(q, gathered) : gathered;
  std::vector<double> unit = even_units(all, q.cols());
  for (Index j = 0; j < q.cols(); ++j)
    if (q.constant(j)) unit[j] = 0; // what reflections leave of it is their rounding
  const auto empty = static_cast<Index>(std::ranges::count(unit, 0.0));
  if (all.rows < q.cols() || !own.loses(empty)) return own;
  Decomposed even{std::move(all), {}};
  even.spectral = decompose(q, even.tall, true, std::move(unit));
  return even.loses(empty) ? own : even;
}

std::vector<double> spectral_answer(const Spectral& f, const double* y) {
  std::vector<double> along(f.count, 0.0);
  for (Index s = 0; s < f.count; ++s) {
    if (!f.kept(s)) continue;
    for (Index i = 0; i < f.rows; ++i) along[s] += f.u[i + s * f.rows] * y[i];
    along[s] *= f.values[s] / (f.values[s] * f.values[s] + f.lambda);
  }
  return f.combine(along);
}

std::vector<double> spectral_step(const Spectral& f, const std::vector<double>& g) {
  std::vector<double> along(f.count, 0.0);
  for (Index s = 0; s < f.count; ++s) {
    if (!f.kept(s)) continue;
    for (Index j = 0; j < f.p; ++j)
      if (f.unit[j] > 0) along[s] += f.vt[s + j * f.count] * (g[j] / f.unit[j]);
    along[s] /= f.values[s] * f.values[s] + f.lambda;
  }
  return f.combine(along);
}

} // namespace

Result<LeastSquaresSolution> solve_qr(const LeastSquaresProblem& problem, LeastSquaresSolution solution,
                                      RowSource& rows, Pool& pool, const Watch& watch) {
  const Quadratic q(problem.objective, *solution.gram);
  auto gathered = gather(q, rows, pool, watch, solution);
  if (!gathered) return std::unexpected(gathered.error());
  const double share = tolerance(q) * tolerance(q);
  const Tall tall = problem.objective.penalised() ? with_penalty(q, *gathered) : *gathered;
  std::vector<double> beside = tall.y;
  const NormalSolver<double> normal(q, Cholesky<double>::of_rows(tall.x, tall.rows, q.cols(), share, beside));
  Weights w;
  for (Index t = 0; t < q.targets(); ++t) {
    const double* z = beside.data() + t * tall.rows;
    for (const double x : normal.least_norm(normal.factor().backward({z, z + normal.factor().rank()}))) w.push_back(x);
  }
  const Correction correct = [&](const std::vector<DoubleDouble>& g) { return widen(normal.solve(narrow(g))); };
  if (auto good = improve(q, w, normal.condition(), correct, rows, pool, watch, solution); !good)
    return std::unexpected(good.error());
  write_down(q, without_constants(q, std::move(w)), problem.tolerance, solution);
  const auto describe = [&] {
    describe_inverse(q, normal, pool, solution);
    if (!problem.objective.penalised()) {
      describe_features(q, normal.factor(), solution);
      return say_aliased(q, normal, solution);
    }
    std::vector<double> none;
    describe_features(q, Cholesky<double>::of_rows(gathered->x, gathered->rows, q.cols(), share, none), solution);
  };
  describe_or_stop(describe, normal.factor().rank(), std::sqrt(normal.condition()), solution);
  return solution;
}

Result<LeastSquaresSolution> solve_svd(const LeastSquaresProblem& problem, LeastSquaresSolution solution,
                                       RowSource& rows, Pool& pool, const Watch& watch) {
  const Quadratic q(problem.objective, *solution.gram);
  auto gathered = gather(q, rows, pool, watch, solution);
  if (!gathered) return std::unexpected(gathered.error());
  const auto [tall, spectral] = decomposed(q, *gathered);
  Weights w;
  for (Index t = 0; t < q.targets(); ++t)
    for (const double x : spectral_answer(spectral, tall.y.data() + t * tall.rows)) w.push_back(x);
  double low = 0;
  for (Index s = 0; s < spectral.count; ++s)
    if (spectral.kept(s)) low = spectral.values[s] * spectral.values[s] + spectral.lambda;
  const double high = spectral.count > 0 ? spectral.values[0] * spectral.values[0] + spectral.lambda : 1;
  const Correction correct = [&](const std::vector<DoubleDouble>& g) {
    return widen(spectral_step(spectral, narrow(g)));
  };
  if (auto good = improve(q, w, low > 0 ? high / low : 1, correct, rows, pool, watch, solution); !good)
    return std::unexpected(good.error());
  write_down(q, without_constants(q, std::move(w)), problem.tolerance, solution);
  // Rank, aliases and variances as the factor by columns sees them: singular vectors name no columns.
  const auto describe = [&] {
    std::vector<double> none;
    const Cholesky<double> factor =
        Cholesky<double>::of_rows(gathered->x, gathered->rows, q.cols(), tolerance(q) * tolerance(q), none);
    describe_features(q, factor, solution);
    const NormalSolver<double> normal(q, factor);
    if (!problem.objective.penalised()) say_aliased(q, normal, solution);
    describe_inverse(q, normal, pool, solution);
  };
  Index kept = 0;
  for (Index s = 0; s < spectral.count; ++s) kept += spectral.kept(s) ? 1 : 0;
  describe_or_stop(describe, kept, low > 0 ? std::sqrt(high / low) : 1, solution);
  return solution;
}

} // namespace recta
