// A basis tells nearly dependent columns apart: see solver/newton/in_basis.hpp.
#include "solver/interior_point/interior_point.hpp"

#include "solver/interior_point/method.hpp"
#include "solver/interior_point/piece_sums.hpp"
#include "solver/newton/in_basis.hpp"
#include "stats/basis/basis.hpp"
#include "stats/both.hpp"
#include "stats/pass.hpp"

namespace recta {
namespace {

// The loss at (w, b), and the products of all rows.
Result<BasisMeasure> measured(const InteriorProblem& problem, const RowReader& reader, const std::vector<double>& w,
                              double b, Index passes) {
  auto job = std::make_shared<PieceJob>();
  job->kind = PieceJob::Kind::value;
  job->memory = std::make_shared<PieceMemory>();
  job->memory->pieces = loss::pieces(problem.objective.loss, problem.objective.parameter);
  job->w = w;
  job->b = b;
  auto both = fresh_pass(reader, Both<PieceSums, Gram>{PieceSums(job), Gram(reader.rows.cols(), 0)},
                         {"interior point", passes});
  if (!both) return std::unexpected(both.error());
  return BasisMeasure{std::move(both->second), both->first.loss};
}

// If there are no fewer columns than rows, every row may be met, at no cost, and then no column need be
// told from the others. Nothing if the rows are not met.
Result<std::optional<InteriorSolution>> meet_all_rows(const InteriorProblem& problem, RowSource& rows, Pool& pool,
                                                      const Watch& watch) {
  if (problem.facts->sums.rows > rows.cols()) return std::nullopt;
  const Basis as_it_is;
  auto found = run_interior_point(problem, &as_it_is, rows, pool, watch);
  if (!found) return std::unexpected(found.error());
  InteriorSolution& solution = found->solution;
  if (solution.interrupted) return std::move(solution);
  const auto here = measured(problem, {rows, pool, watch}, solution.w, solution.b, solution.passes);
  if (!here) return std::unexpected(here.error());
  ++solution.passes;
  const double mean = here->loss / problem.facts->weight();
  if (!(mean <= 0.1 * problem.tolerance * problem.facts->null_objective)) return std::nullopt;
  return std::move(solution);
}

// Solves in a basis that tells the columns apart.
Result<InteriorSolution> solve_alike(const InteriorProblem& problem, const Gram& first, RowSource& rows, Pool& pool,
                                     const Watch& watch) {
  InteriorSolution out;
  BasisMethod method;
  method.solve = [&](const NewtonProblem& again, RowSource& based) -> Result<NewtonSolution> {
    auto found = run_interior_point(problem, again.basis, based, pool, watch);
    if (!found) return std::unexpected(found.error());
    out = std::move(found->solution);
    return NewtonSolution{.w = out.w,
                          .b = out.b,
                          .steps = out.steps,
                          .passes = out.passes,
                          .stop = out.stop,
                          .interrupted = out.interrupted,
                          .gave_up = out.gave_up,
                          .runaway = {}};
  };
  method.measure = [&](RowSource& based, const std::vector<double>& w, double b, const NewtonSolution& solution) {
    return measured(problem, {based, pool, watch}, w, b, solution.passes);
  };
  const NewtonProblem newton{.objective = problem.objective, .facts = problem.facts, .tolerance = problem.tolerance};
  auto found = solve_in_basis(newton, first, rows, method, pool, watch);
  if (!found) return std::unexpected(found.error());
  out.w = std::move(found->w);
  out.b = found->b;
  out.passes = found->passes;
  out.stop = found->stop;
  out.interrupted = found->interrupted;
  out.gave_up = found->gave_up;
  return out;
}

} // namespace

Result<InteriorSolution> solve_by_interior_point(const InteriorProblem& problem, RowSource& rows, Pool& pool,
                                                 const Watch& watch) {
  auto plain = run_interior_point(problem, nullptr, rows, pool, watch);
  if (!plain) return std::unexpected(plain.error());
  if (!plain->alike) return std::move(plain->solution);
  auto meets = meet_all_rows(problem, rows, pool, watch);
  if (!meets) return std::unexpected(meets.error());
  if (*meets) return **std::move(meets);
  return solve_alike(problem, *plain->alike, rows, pool, watch);
}

} // namespace recta
