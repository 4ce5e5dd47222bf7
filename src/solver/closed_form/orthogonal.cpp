#include "solver/closed_form/orthogonal.hpp"

#include "base/listening.hpp"
#include "base/numbers.hpp"
#include "solver/closed_form/answer.hpp"
#include "solver/closed_form/describe.hpp"
#include "solver/closed_form/spectral.hpp"
#include "solver/closed_form/triangle.hpp"
#include "stats/pass.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace recta {
namespace {

Result<Tall> gather(const Quadratic& q, const RowReader& reader, LeastSquaresSolution& solution) {
  std::vector<double> centre(q.cols() + q.targets(), 0.0);
  for (Index j = 0; j < q.cols() && q.objective().centred(); ++j) centre[j] = q.mean(j).hi;
  for (Index t = 0; t < q.targets() && q.objective().intercept; ++t) centre[q.cols() + t] = q.mean(q.cols() + t).hi;
  const auto d = static_cast<double>(q.cols() + q.targets());
  announce(fmt::format("reflecting rows into a triangle of {0} x {0}, each block", q.cols() + q.targets()),
           8 * d * d * d);
  auto triangle = fresh_pass(reader, Triangle(q.cols(), q.targets(), std::move(centre)),
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

// Ridge is least squares with one extra row sqrt(W lambda2 u_j) e_j per feature.
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

// Corrections through R'R converge while kappa^2 u is small. False: it is not small, and the orthogonal answer stands
// as it is.
Result<bool> improve(const Quadratic& q, Weights& w, double condition, const Correction& correct,
                     const RowReader& reader, LeastSquaresSolution& solution) {
  const double rate = 4 * std::sqrt(static_cast<double>(q.cols())) * kUnit * condition;
  if (rate > 0.1) return false;
  Refinement plan = plan_refinement(rate, 1e-16);
  plan.steps = std::max(plan.steps, 1);
  const auto refined = refine(q, w, correct, plan, reader, solution);
  if (!refined) return std::unexpected(refined.error());
  solution.interrupted = !*refined;
  if (solution.interrupted) solution.stop = "interrupted";
  return true;
}

void note_unrefined(LeastSquaresSolution& solution) {
  solution.notes.push_back("columns are so alike that the answer could not be refined beyond its factorisation");
}

// A constant column has weight zero: its rows hold nothing except its own penalty. Reflections leave the rounding of
// one there.
Weights without_constants(const Quadratic& q, Weights w) {
  for (Index j = 0; j < q.cols(); ++j)
    for (Index t = 0; t < q.targets() && q.constant(j); ++t) w[j + t * q.cols()] = 0.0;
  return w;
}

// The units in which the answer has least norm: those of the penalty, or of the columns themselves.
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
};

// The first decomposition is in the units of the penalty, in which the answer of least norm is meant. A direction may
// be lost there only because its columns are small: it is seen if every column has a unit of its own, with penalties
// counted as rows. If the rank is full in these units, the answer is unique. Without a penalty no norm chooses it, and
// it stands alone; with a penalty so small that the rows hardly see it, it loses digits that the first has, and the
// objective decides between the two.
std::vector<Decomposed> decomposed(const Quadratic& q, const Tall& gathered) {
  const bool penalised = q.objective().penalised();
  bool free_columns = false;
  for (Index j = 0; j < q.cols(); ++j) free_columns |= penalised && q.objective().factor(j) == 0;
  Tall tall = free_columns ? with_penalty(q, gathered) : gathered;
  const double lambda = free_columns ? 0 : (q.weight() * q.objective().lambda2).hi;
  Spectral spectral(tall, own_units(q, free_columns), lambda, tolerance(q));
  std::vector<Decomposed> out{{std::move(tall), std::move(spectral)}};
  Tall all = penalised ? with_penalty(q, gathered) : gathered;
  std::vector<double> unit = even_units(all, q.cols());
  for (Index j = 0; j < q.cols(); ++j)
    if (q.constant(j)) unit[j] = 0; // what reflections leave of it is only rounding
  const Index full = q.cols() - static_cast<Index>(std::ranges::count(unit, 0.0));
  if (all.rows < q.cols() || out[0].spectral.rank() >= full) return out;
  Spectral even(all, std::move(unit), 0, tolerance(q));
  if (even.rank() < full) return out;
  if (!penalised) out.clear();
  out.push_back({std::move(all), std::move(even)});
  return out;
}

struct SpectralAnswer {
  Weights w;
  bool refined = false;
};

Result<SpectralAnswer> answer_by(const Quadratic& q, const Decomposed& by, const RowReader& reader,
                                 LeastSquaresSolution& solution) {
  SpectralAnswer out;
  for (Index t = 0; t < q.targets(); ++t)
    for (const double x : by.spectral.answer(by.tall.y.data() + t * by.tall.rows)) out.w.push_back(x);
  const Correction correct = [&](const std::vector<DoubleDouble>& g) { return widen(by.spectral.step(narrow(g))); };
  const auto refined = improve(q, out.w, by.spectral.condition(), correct, reader, solution);
  if (!refined) return std::unexpected(refined.error());
  out.refined = *refined;
  return out;
}

// Whether the second answer has the lower objective. If the watch asks to stop, the first one stands.
Result<bool> second_is_lower(const Quadratic& q, const Weights& first, const Weights& second, const RowReader& reader,
                             LeastSquaresSolution& solution) {
  std::vector<double> objective;
  for (const Weights* w : {&first, &second}) {
    const auto measured = objective_at(q, *w, &reader, solution);
    if (!measured && measured.error().code == ErrorCode::interrupted) return false;
    if (!measured) return std::unexpected(measured.error());
    objective.push_back(*measured);
  }
  return objective[1] < objective[0];
}

} // namespace

Result<LeastSquaresSolution> solve_qr(const LeastSquaresProblem& problem, LeastSquaresSolution solution,
                                      RowSource& rows, Pool& pool, const Watch& watch) {
  const Quadratic q(problem.objective, *solution.gram);
  const RowReader reader{rows, pool, watch};
  auto gathered = gather(q, reader, solution);
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
  const auto refined = improve(q, w, normal.condition(), correct, reader, solution);
  if (!refined) return std::unexpected(refined.error());
  if (!*refined) note_unrefined(solution);
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
  const RowReader reader{rows, pool, watch};
  auto gathered = gather(q, reader, solution);
  if (!gathered) return std::unexpected(gathered.error());
  const std::vector<Decomposed> ways = decomposed(q, *gathered);
  auto best = answer_by(q, ways[0], reader, solution);
  if (!best) return std::unexpected(best.error());
  const Spectral* spectral = &ways[0].spectral;
  if (ways.size() > 1 && !solution.interrupted) {
    auto other = answer_by(q, ways[1], reader, solution);
    if (!other) return std::unexpected(other.error());
    const auto lower = second_is_lower(q, best->w, other->w, reader, solution);
    if (!lower) return std::unexpected(lower.error());
    if (*lower) best = std::move(other), spectral = &ways[1].spectral;
  }
  if (!best->refined) note_unrefined(solution);
  write_down(q, without_constants(q, std::move(best->w)), problem.tolerance, solution);
  // Rank, aliases and variances come from the factor by columns: singular vectors name no columns.
  const auto describe = [&] {
    std::vector<double> none;
    const Cholesky<double> factor =
        Cholesky<double>::of_rows(gathered->x, gathered->rows, q.cols(), tolerance(q) * tolerance(q), none);
    describe_features(q, factor, solution);
    const NormalSolver<double> normal(q, factor);
    if (!problem.objective.penalised()) say_aliased(q, normal, solution);
    describe_inverse(q, normal, pool, solution);
  };
  describe_or_stop(describe, spectral->rank(), std::sqrt(spectral->condition()), solution);
  return solution;
}

} // namespace recta
