#include "summary/selected.hpp"

#include "evaluate/inference/inference.hpp"
#include "feature/schema.hpp"
#include "params/params.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace recta {
namespace {

// p^2 sums are worth their cost while they take less than the passes over the columns that they save.
constexpr Index kNetGramCols = 2000, kNetGramSparseCols = 500;

} // namespace

Result<Choice> choose_route(const Rows& rows, const std::string& solver) {
  const std::optional<Index> n = rows.source.rows();
  const Index p = rows.source.cols();
  const bool streamed = rows.single_pass || !n;
  if (solver == "columns" && streamed)
    return fail(ErrorCode::usage, rows.name, "the solver columns needs all rows in memory, and these stream past",
                "leave out --stream, or choose the solver gram");
  if (solver == "gram" || streamed) {
    if (p > kGramCols)
      return fail(ErrorCode::usage, rows.name,
                  fmt::format("{} columns are too many for the p x p sums that {}", p,
                              streamed ? "rows that stream past are kept in" : "the solver gram works on"),
                  streamed ? "leave out --stream" : "choose the solver columns");
    return Choice{"gram", solver == "gram" ? "as asked" : fmt::format("rows stream past: p x p sums of {} columns", p)};
  }
  if (solver == "columns") return Choice{"columns", "as asked"};
  if (*n < p) return Choice{"columns", fmt::format("n = {} is below p = {}: few columns are ever in use", *n, p)};
  if (p > (rows.sparse ? kNetGramSparseCols : kNetGramCols))
    return Choice{"columns", fmt::format("p = {}: products of all columns cost more than they save", p)};
  return Choice{"gram", fmt::format("n = {} is at least p = {}: one pass of products, then p x p", *n, p)};
}

Result<FirstPass> first_pass_of_selection(Work& work) {
  const RowSource& source = work.rows.source;
  if (work.verifies()) {
    const bool gathered = work.rows.single_pass || work.stated->linear()->solver == "gram";
    return first_pass(work, gathered && source.cols() <= kGramCols ? usual_gram(source) : GramWanted{});
  }
  const auto route = choose_route(work.rows, word(work.request.params, "solver"));
  if (!route) return std::unexpected(route.error());
  return route->solver == "gram" ? first_pass(work, usual_gram(source)) : first_pass_with_sums(work);
}

SelectedSolution SelectedSolution::of(const Model& model) {
  SelectedSolution solution;
  for (const TargetFit& target : model.linear()->targets) {
    for (const Coefficient& coefficient : target.coefficients) solution.w.push_back(coefficient.value);
    solution.b.push_back(target.intercept.value);
    solution.lambda1_max.push_back(target.lambda1_max);
  }
  solution.stop = model.certificate.stop;
  solution.gave_up = model.certificate.verdict == Verdict::stopped_early; // and all rows are looked at
  return solution;
}

double SelectedSolution::most_strength() const {
  return lambda1_max.empty() ? kNaN : std::ranges::max(lambda1_max);
}

Result<void> solve_as_ridge(LeastSquaresProblem problem, Work& work, SelectedSolution& out) {
  const Rows& rows = work.rows;
  problem.single_pass = rows.single_pass;
  problem.sparse = rows.sparse;
  problem.gram = work.seen.gram;
  if (!rows.single_pass)
    if (auto again = rows.source.rewind(); !again) return again;
  auto solution = solve(problem, rows.source, work.pool, work.watch());
  if (!solution) return std::unexpected(solution.error());
  out.w = std::move(solution->w);
  out.b = std::move(solution->b);
  out.solver = solution->solver;
  out.reason = "lambda1 = 0 leaves a closed form; " + solution->reason;
  out.stop = solution->stop;
  out.passes += solution->passes;
  out.interrupted = solution->interrupted;
  return {};
}

LinearSummary summary_of(Selected selected, const Schema& schema, const FitOptions& options) {
  const SelectedSolution& solution = *selected.solution;
  LeastSquaresSolution s;
  s.targets = static_cast<Index>(schema.targets.size());
  s.cols = static_cast<Index>(solution.w.size()) / s.targets;
  s.w = solution.w;
  s.b = solution.b;
  s.solver = solution.solver;
  s.reason = solution.reason;
  s.rows = selected.residual->rows;
  s.weight = selected.weight;
  s.mean = std::move(selected.mean);
  s.deviation = std::move(selected.deviation);
  for (const DoubleDouble& square : selected.target_square) {
    s.target_square.push_back(square.hi);
    s.target_square_low.push_back(square.lo);
  }
  for (Index j = 0; j < s.cols; ++j) {
    bool used = false;
    for (Index t = 0; t < s.targets; ++t) used = used || s.w[j + t * s.cols] != 0;
    s.rank += used ? 1 : 0;
  }
  s.condition = s.inverse_intercept = std::numeric_limits<double>::quiet_NaN();
  s.aliased = selected.aliased;
  LinearSummary out = summarise(selected.squares, s, *selected.residual,
                                {.features = feature::feature_names(schema),
                                 .targets = schema.targets,
                                 .weights_are = options.weights_are,
                                 .weighted = !schema.weights.empty(),
                                 .confidence = options.confidence,
                                 .lambda1 = selected.lambda1,
                                 .selected = true,
                                 .grouped = selected.grouped});
  for (std::size_t t = 0; t < out.targets.size(); ++t) {
    out.targets[t].lambda1 = selected.lambda1;
    out.targets[t].lambda1_max = solution.lambda1_max[t];
  }
  return out;
}

} // namespace recta
