#include "solver/least_squares.hpp"

#include "base/blas.hpp"
#include "base/listening.hpp"
#include "solver/choose.hpp"
#include "solver/closed_form/dual.hpp"
#include "solver/closed_form/gram_cholesky.hpp"
#include "solver/closed_form/orthogonal.hpp"
#include "solver/conjugate_gradients/conjugate_gradients.hpp"
#include "solver/gradient_descent/squares_descent.hpp"
#include "solver/lsmr/lsmr.hpp"

#include <recta/params.hpp>

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace recta {

namespace {

constexpr const char* kConjugateGradients = "conjugate-gradients";

Shape shape_of(const LeastSquaresProblem& problem, const RowSource& rows) {
  Shape shape{rows.rows(), rows.cols(), problem.sparse, problem.single_pass, problem.objective.penalised(), false};
  for (const double factor : problem.objective.factors) shape.free_columns |= factor == 0;
  return shape;
}

Result<void> check(const LeastSquaresProblem& problem, const RowSource& rows) {
  const auto& words = solver_words();
  if (std::ranges::find(words, problem.solver) == words.end()) {
    const std::string near = nearest(problem.solver, words);
    return fail(ErrorCode::usage, "solver", "there is no solver \"" + problem.solver + "\"",
                near.empty() ? fmt::format("choose among {}", fmt::join(words, ", "))
                             : "did you mean \"" + near + "\"?");
  }
  if (!problem.objective.factors.empty() && static_cast<Index>(problem.objective.factors.size()) != rows.cols())
    return fail(ErrorCode::usage, "penalty factors",
                std::to_string(problem.objective.factors.size()) + " factors for " + std::to_string(rows.cols()) +
                    " features",
                "give one factor per feature");
  const Shape shape = shape_of(problem, rows);
  if (problem.solver == "dual" && shape.penalised && shape.free_columns)
    return fail(ErrorCode::usage, "solver", "\"dual\" divides by the penalty of every column, and some have none",
                "choose the solver qr");
  if (problem.single_pass && problem.solver != "auto" && problem.solver != "gram")
    return fail(ErrorCode::usage, "solver", "\"" + problem.solver + "\" needs the rows more than once",
                "give the data as a file, or choose the solver gram");
  return {};
}

Result<LeastSquaresSolution> by_word(const LeastSquaresProblem& problem, const std::string& word, bool named,
                                     RowSource& rows, Pool& pool, const Watch& watch) {
  if (word == "gram") {
    auto out = solve_gram(problem, named || problem.single_pass, rows, pool, watch);
    if (!out) return std::unexpected(out.error());
    if (!out->fallback) {
      out->solution.solver = "gram";
      return std::move(out->solution);
    }
    auto solution = solve_qr(problem, std::move(out->solution), rows, pool, watch);
    if (solution) {
      solution->solver = "qr";
      solution->reason = "products in double precision cannot tell some columns apart; reflections of the rows can";
    }
    return solution;
  }
  const auto called = [&](Result<LeastSquaresSolution> solution) {
    if (solution) solution->solver = word;
    return solution;
  };
  if (word == "dual") return called(solve_dual(problem, rows, pool, watch));
  if (word == kConjugateGradients) return called(solve_conjugate_gradients(problem, rows, pool, watch));
  if (word == "lsmr") return called(solve_lsmr(problem, rows, pool, watch));
  if (std::ranges::find(descent_words(), word) != descent_words().end())
    return called(solve_descent(problem, rows, pool, watch));
  auto begun = gather_gram(problem, rows, pool, watch);
  if (!begun) return std::unexpected(begun.error());
  if (word == "svd") return called(solve_svd(problem, *std::move(begun), rows, pool, watch));
  return called(solve_qr(problem, *std::move(begun), rows, pool, watch));
}

// LSMR keeps a number for every row, which is not done for rows that stream past, and cannot be done if an engine holds
// them.
Choice choice_for(const Shape& shape, RowSource& rows) {
  Choice choice = choose_solver(shape);
  if (choice.solver != "lsmr" || shape.rows) return choice;
  if (shape.penalised && !shape.free_columns)
    return {kConjugateGradients, fmt::format("p = {}, and the rows are not held: one product of p x p with a vector "
                                             "per pass, and no such sums",
                                             shape.cols)};
  if (rows.rounds() && shape.cols <= kGramCols)
    return {"gram", fmt::format("p = {} is small enough for p x p sums, and an engine holds the rows", shape.cols)};
  return choice;
}

} // namespace

Result<LeastSquaresSolution> solve(const LeastSquaresProblem& problem, RowSource& rows, Pool& pool,
                                   const Watch& watch) {
  if (auto good = check(problem, rows); !good) return std::unexpected(good.error());
  const blas::SerialBlas serial;
  const Listening listening(watch, "solving");
  const bool named = problem.solver != "auto";
  const Choice choice = named ? Choice{problem.solver, "as asked"} : choice_for(shape_of(problem, rows), rows);
  auto solution = by_word(problem, choice.solver, named, rows, pool, watch);
  if (solution && solution->reason.empty()) solution->reason = choice.reason;
  return solution;
}

} // namespace recta
