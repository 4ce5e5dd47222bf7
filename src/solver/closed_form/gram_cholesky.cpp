#include "solver/closed_form/gram_cholesky.hpp"

#include "base/listening.hpp"
#include "solver/closed_form/answer.hpp"
#include "solver/closed_form/describe.hpp"
#include "solver/closed_form/near_doubles.hpp"
#include "solver/closed_form/normal.hpp"
#include "stats/pass.hpp"

#include <cmath>
#include <fmt/format.h>

namespace recta {
namespace {

constexpr double kAlike = 1e12; // condition of the products above which double precision is not enough

template <class T>
std::vector<T> convert(const std::vector<DoubleDouble>& x) {
  std::vector<T> out(x.size());
  for (std::size_t i = 0; i < x.size(); ++i) out[i] = static_cast<T>(x[i]);
  return out;
}

template <class T>
std::vector<DoubleDouble> widen(const std::vector<T>& x) {
  return {x.begin(), x.end()};
}

template <class T>
Weights first_answer(const Quadratic& q, const NormalSolver<T>& normal) {
  Weights w;
  for (Index t = 0; t < q.targets(); ++t) {
    std::vector<T> rhs(q.cols());
    for (Index j = 0; j < q.cols(); ++j) rhs[j] = static_cast<T>(q.cross(j, t));
    for (const T& x : normal.solve(rhs)) w.push_back(x);
  }
  return w;
}

// The digits lost by the products and the factor, in units of the answer. The 1-norm exceeds the 2-norm by up to a
// factor of p, which is margin enough for the omitted constants.
template <class T>
double relative_error(const NormalSolver<T>& normal) {
  return 2 * normal.unit() * normal.condition();
}

template <class T>
void describe(const Quadratic& q, const NormalSolver<T>& normal, Pool& pool, LeastSquaresSolution& solution) {
  describe_inverse(q, normal, pool, solution);
  if (!q.objective().penalised()) {
    describe_features(q, normal.factor(), solution);
    return say_aliased(q, normal, solution);
  }
  if (q.cols() > kExactSpectrum) // a second factor, without the penalty, would cost as much as the fit
    return describe_features(q, normal.factor(), solution);
  LeastSquaresObjective plain = q.objective();
  plain.lambda2 = 0;
  const Quadratic features(plain, *solution.gram);
  describe_features(q, Cholesky<T>(features.hessian<T>(), q.cols(), features.dependence_tolerance(), &pool), solution);
}

// Says that the answer is not the one of least norm.
void say_another(LeastSquaresSolution& solution) {
  std::erase_if(solution.notes, [](const std::string& note) { return note.contains(kLeastNorm); });
  solution.notes.push_back(fmt::format("columns nearly determine one another (rank {} of {}): of the answers tried in "
                                       "doubles, the one of least objective; columns about their middle and of size "
                                       "one (--basis \"(x - 20)/10\"), or --components, lose fewer digits",
                                       solution.rank, solution.cols));
  solution.ended_by_rule = true;
  solution.stop = "doubles were found to hold no better answer";
}

template <class T>
Result<void> finish(const LeastSquaresProblem& problem, const Quadratic& q, const NormalSolver<T>& normal,
                    const RowReader& reader, LeastSquaresSolution& solution) {
  Weights w = first_answer(q, normal);
  const double rate = relative_error(normal);
  const Refinement plan = plan_refinement(rate, std::is_same_v<T, double> ? 5e-13 : 1e-18);
  if (problem.single_pass && rate > 1e-10)
    solution.notes.push_back("the rows could be read only once, so the answer could not be refined on them");
  if (!problem.single_pass && rate < 1) {
    const Correction correct = [&](const std::vector<DoubleDouble>& g) { return widen(normal.solve(convert<T>(g))); };
    const auto refined = refine(q, w, correct, plan, reader, solution);
    if (!refined) return std::unexpected(refined.error());
    solution.interrupted = !*refined;
    if (solution.interrupted) solution.stop = "interrupted";
  }
  Result<bool> another = false;
  if constexpr (std::is_same_v<T, DoubleDouble>)
    if (!solution.interrupted) another = take_near_doubles(problem, q, normal, reader, w, solution);
  if (!another) return std::unexpected(another.error());
  write_down(q, w, problem.tolerance, solution);
  const Listening listening(reader.watch, "describing the answer", solution.passes);
  describe_or_stop([&] { describe(q, normal, reader.pool, solution); }, normal.factor().rank(),
                   std::sqrt(normal.condition()), solution);
  if (*another) say_another(solution);
  return {};
}

Result<Gram> gather(const RowReader& reader, Precision precision, bool again, LeastSquaresSolution& solution) {
  auto& [rows, pool, watch] = reader;
  const Gram empty(rows.cols(), rows.targets(), precision);
  const ReduceOptions options{"gathering statistics", solution.passes};
  ++solution.passes;
  if (again) return fresh_pass(reader, empty, options);
  auto partial = reduce(rows, empty, pool, watch, options);
  if (!partial) return std::unexpected(partial.error());
  return partial->total(&pool);
}

// Tells the watch how long a large factorisation may take.
std::string factor_stage(Index cols) {
  if (cols <= 1000) return "solving";
  constexpr double kRate = 2e10; // operations per second, on the low side
  const double seconds = static_cast<double>(cols) * static_cast<double>(cols) * static_cast<double>(cols) / 3 / kRate;
  return fmt::format("factoring {0} x {0}, about {1:.1f} s", cols, seconds);
}

} // namespace

bool extended_is_affordable(Index rows, Index cols, Index targets) {
  const double d = static_cast<double>(cols + targets);
  return cols <= 300 && static_cast<double>(rows) * d * d <= 2e9;
}

Result<LeastSquaresSolution> gather_gram(const LeastSquaresProblem& problem, RowSource& rows, Pool& pool,
                                         const Watch& watch) {
  LeastSquaresSolution begun;
  if (problem.gram) {
    begun.gram = problem.gram;
    return begun;
  }
  const Precision precision = gram_precision(rows.rows(), rows.cols(), rows.targets());
  auto gram = gather({rows, pool, watch}, precision, false, begun);
  if (!gram) return std::unexpected(gram.error());
  begun.gram = std::make_shared<const Gram>(*std::move(gram));
  return begun;
}

Result<GramOutcome> solve_gram(const LeastSquaresProblem& problem, bool insist, RowSource& rows, Pool& pool,
                               const Watch& watch) {
  auto begun = gather_gram(problem, rows, pool, watch);
  if (!begun) return std::unexpected(begun.error());
  GramOutcome out{*std::move(begun), false};
  LeastSquaresSolution& solution = out.solution;
  if (solution.gram->precision == Precision::standard) {
    const Quadratic q(problem.objective, *solution.gram);
    const bool small = gram_precision(q.rows(), q.cols(), q.targets()) == Precision::extended;
    Listening listening(watch, factor_stage(q.cols()), solution.passes);
    keep_going();
    const NormalSolver<double> normal(q, pool);
    listening.stage("solving");
    const bool alike = normal.condition() > kAlike || !normal.dependent().empty();
    const bool again =
        !problem.single_pass && (small || (alike && extended_is_affordable(q.rows(), q.cols(), q.targets())));
    if (!again && alike && !insist) {
      out.fallback = true;
      return out;
    }
    if (!again) {
      if (alike)
        solution.notes.push_back(
            "columns are alike to the last digits that products in double precision can tell apart");
      if (auto done = finish(problem, q, normal, {rows, pool, watch}, solution); !done)
        return std::unexpected(done.error());
      return out;
    }
    auto gram = gather({rows, pool, watch}, Precision::extended, true, solution);
    if (!gram) return std::unexpected(gram.error());
    solution.gram = std::make_shared<const Gram>(*std::move(gram));
  }
  const Quadratic q(problem.objective, *solution.gram);
  const NormalSolver<DoubleDouble> normal(q, pool);
  if (auto done = finish(problem, q, normal, {rows, pool, watch}, solution); !done)
    return std::unexpected(done.error());
  return out;
}

} // namespace recta
