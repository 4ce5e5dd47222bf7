#include "family/least_squares/least_squares.hpp"

#include "certificate/least_squares/certify.hpp"
#include "certificate/least_squares/left_out.hpp"
#include "evaluate/inference/inference.hpp"
#include "family/column_cures.hpp"
#include "family/constant_target.hpp"
#include "family/descent.hpp"
#include "family/errors.hpp"
#include "family/figures.hpp"
#include "family/objective.hpp"
#include "family/params.hpp"
#include "feature/schema.hpp"
#include "solver/choose.hpp"
#include "solver/gradient_descent/squares_descent.hpp"
#include "solver/least_squares.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <limits>

namespace recta {
namespace {

constexpr Index kOncePowers = 64; // columns up to which double-double products are gathered without being asked

Claimed claimed_by(const LeastSquaresProblem& problem, const LeastSquaresSolution& solution) {
  return {.objective = problem.objective,
          .w = solution.w,
          .b = solution.b,
          .tolerance = problem.tolerance,
          .stop = solution.stop,
          .stopped_early = solution.interrupted || solution.ended_by_rule,
          .passes = solution.passes,
          .conditions = solution.notes};
}

// The claim of a finished model about itself.
Claimed claimed_by(const Model& model) {
  const LinearSummary& linear = model.linear();
  Claimed claimed;
  claimed.objective = {
      .lambda2 = linear.lambda2, .factors = {}, .intercept = linear.intercept, .standardise = linear.standardised};
  for (const TargetFit& target : linear.targets) {
    for (const Coefficient& coefficient : target.coefficients) claimed.w.push_back(coefficient.value);
    claimed.b.push_back(target.intercept.value);
  }
  claimed.tolerance = model.certificate.tolerance;
  claimed.stop = model.certificate.stop;
  claimed.stopped_early = model.certificate.verdict == Verdict::stopped_early;
  claimed.passes = 1;
  return claimed;
}

constexpr Index kDescentGram = 1000; // columns up to which a descent's answer is worth their products: an exact proof

bool penalised(const Request& request) {
  return request.params.contains("lambda");
}

GramWanted gram_for(const Rows& rows, const Request& request) {
  const std::string solver = word(request.params, "solver");
  if (request.options->condition_high > 0 && rows.source.cols() <= kGramCols) return usual_gram(rows.source);
  if (descends(request.params)) return rows.source.cols() <= kDescentGram ? usual_gram(rows.source) : GramWanted{};
  const Shape shape{rows.source.rows(), rows.source.cols(), rows.sparse, rows.single_pass, penalised(request), false};
  const bool used = (solver == "auto" ? choose_solver(shape).solver : solver) == "gram";
  // Powers are nearly alike, and rows that are read once leave no second chance to tell them apart.
  if (used && rows.single_pass && rows.low && rows.source.cols() <= kOncePowers) return Precision::extended;
  return used ? usual_gram(rows.source) : GramWanted{};
}

constexpr Index kAnotherCols = 2000; // columns up to which another solver is a matter of seconds

// Columns of very different sizes can be too much for one way of solving and not for another: if the check refutes the
// chosen one, the next is tried, and the best that the check has seen is kept.
Result<Model> by_another(const std::string& first, const Solved& refuted, const FirstPass& pass, Model best, Pool& pool,
                         const Clock& clock) {
  std::string tried = first;
  for (const char* word : {"qr", "gram"}) {
    if (word == first) continue;
    Solved next = refuted;
    next.posed.problem.solver = word;
    next.posed.notes.push_back(fmt::format("the answer by {} was refuted; this one is by {}", tried, word));
    if (auto again = refuted.rows.source.rewind(); !again) return std::unexpected(again.error());
    auto solution = solve(next.posed.problem, refuted.rows.source, pool, clock.watch());
    if (!solution) return std::unexpected(solution.error());
    solution->reason = fmt::format("the check refuted the answer by {}", tried);
    auto model = conclude(std::move(next), pass, *std::move(solution), pool, clock);
    if (!model) return model;
    if (model->certificate.objective < best.certificate.objective) best = *std::move(model);
    if (best.certificate.verdict != Verdict::refuted) break;
    tried += fmt::format(" and {}", word);
  }
  return best;
}

} // namespace

Result<Model> fit_linear(const Request& request, Schema schema, const Rows& rows, const Clock& clock) {
  Pool pool(request.options->threads);
  if (auto good = check_passes(*request.options, schema, rows); !good) return std::unexpected(good.error());
  if (rows.single_pass && descends(request.params)) return fit_arriving(request, std::move(schema), rows, clock);
  auto pass = first_pass(rows, schema, gram_for(rows, request), pool, clock.watch());
  if (!pass) return std::unexpected(pass.error());
  if (!rows.single_pass)
    if (auto again = rows.source.rewind(); !again) return std::unexpected(again.error());
  return fit_linear(request, std::move(schema), rows, *std::move(pass), clock);
}

Result<Posed> pose(const Request& request, const Rows& rows, double weight, std::shared_ptr<const Gram> gram,
                   bool tracing) {
  const FitOptions& options = *request.options;
  LeastSquaresProblem problem;
  problem.solver = word(request.params, "solver");
  problem.objective.intercept = options.intercept;
  problem.objective.standardise = options.standardise;
  problem.tolerance = options.tolerance;
  problem.single_pass = rows.single_pass;
  problem.sparse = rows.sparse;
  if (penalised(request)) { // without any strength tau = 1
    const auto lambda2 = squares_strength(request.info->word, request.params, weight, 1 / weight);
    if (!lambda2) return std::unexpected(lambda2.error());
    problem.objective.lambda2 = *lambda2;
  }
  Posed posed{std::move(problem), {}};
  if (options.condition_high > 0) {
    const auto chosen = lambda_for_condition(posed.problem.objective, gram.get(), options, posed.notes);
    if (!chosen) return std::unexpected(chosen.error());
    posed.problem.objective.lambda2 = *chosen;
  }
  posed.problem.gram = std::move(gram);
  if (!descends(request.params)) return posed;
  auto descent = descent_settings(request, rows.source.rows().has_value(), tracing);
  if (!descent) return std::unexpected(descent.error());
  posed.problem.descent = *std::move(descent);
  return posed;
}

Result<Model> fit_linear(const Request& request, Schema schema, const Rows& rows, FirstPass pass, const Clock& clock) {
  if (auto good = check_rows(pass, schema, rows); !good) return std::unexpected(good.error());
  Pool pool(request.options->threads);
  auto posed = pose(request, rows, pass.fingerprint.weight, std::move(pass.gram));
  if (!posed) return std::unexpected(posed.error());
  auto solution = solve(posed->problem, rows.source, pool, clock.watch());
  if (!solution) return std::unexpected(solution.error());
  const std::string first = solution->solver;
  auto model = conclude({request, schema, rows, *posed}, pass, *std::move(solution), pool, clock);
  const bool free_choice = posed->problem.solver == "auto" && !rows.single_pass && rows.source.cols() <= kAnotherCols;
  if (!model || model->certificate.verdict != Verdict::refuted || !free_choice) return model;
  return by_another(first, {request, std::move(schema), rows, *std::move(posed)}, pass, *std::move(model), pool, clock);
}

namespace {

// The reason an answer is refuted, if the columns' own sizes explain it.
void say_sizes(const LeastSquaresSolution& solution, Certificate& certificate) {
  if (certificate.verdict != Verdict::refuted) return;
  double smallest = std::numeric_limits<double>::infinity(), largest = 0;
  for (const double deviation : solution.deviation)
    if (deviation > 0) smallest = std::min(smallest, deviation), largest = std::max(largest, deviation);
  if (!(largest > 1e15 * smallest)) return;
  certificate.conditions.push_back(
      fmt::format("columns differ in size by {:.0f} orders of magnitude, more than this solver holds together; "
                  "another solver or standardised columns may be proved",
                  std::log10(largest / smallest)));
}

// Sums of squares, errors and tests, of the solution's coefficients.
Result<void> add_figures(const Request& request, const LeastSquaresObjective& objective,
                         const LeastSquaresSolution& solution, const Residual& residual, const Rows& rows, Pool& pool,
                         const Clock& clock, Model& model) {
  const FitOptions& options = *request.options;
  model.linear() = summarise(objective, solution, residual,
                             {.features = feature::feature_names(model.schema),
                              .targets = model.schema.targets,
                              .weights_are = options.weights_are,
                              .weighted = !model.schema.weights.empty(),
                              .confidence = options.confidence});
  if (auto done = add_errors(request, rows, solution, pool, clock, model); !done) return done;
  say_constant_targets(model);
  if (model.certificate.verdict == Verdict::stopped_early) // tests are about the optimum
    for (TargetFit& target : model.linear().targets) target.f = target.f_p_value = std::nan("");
  return {};
}

} // namespace

Result<Model> conclude(Solved solved, const FirstPass& pass, LeastSquaresSolution solution, Pool& pool,
                       const Clock& clock) {
  const auto& [request, schema, rows, posed] = solved;
  const FitOptions& options = *request.options;
  solution.passes += 1;
  solution.notes.insert(solution.notes.end(), posed.notes.begin(), posed.notes.end());
  if (solution.interrupted) solution.stop = clock.stop_reason();
  Claimed claimed = claimed_by(posed.problem, solution);
  claimed.feature = places_of(schema, rows.name).feature;
  auto checked = certified(claimed, solution.gram.get(), rows, pool, clock, solution.interrupted);
  if (!checked) return std::unexpected(checked.error());

  Model model = begin_model(request, pass.fingerprint.fingerprint());
  if (options.condition_high > 0) model.params["lambda"] = posed.problem.objective.lambda2; // as it was chosen
  model.schema = schema;
  model.objective = objective_text({.intercept = options.intercept,
                                    .offset = !model.schema.offset.empty(),
                                    .penalty = penalised(request) ? Penalty::squares : Penalty::none,
                                    .standardise = options.standardise});
  model.certificate = std::move(checked->certificate);
  if (!options.standardise) say_sizes(solution, model.certificate);
  if (auto done = add_figures(request, posed.problem.objective, solution, checked->residual, rows, pool, clock, model);
      !done)
    return std::unexpected(done.error());
  return model;
}

namespace {

// The solution that describes the columns, from the rows, by the solver that the fit took; for a descent from their
// sums alone.
Result<LeastSquaresSolution> described(const Model& model, const Claimed& claimed, const Rows& rows,
                                       std::shared_ptr<const Gram> gram, Pool& pool, const Watch& watch) {
  LeastSquaresProblem problem;
  problem.objective = claimed.objective;
  const auto& known = solver_words(); // older files may name one that is called otherwise now
  problem.solver = std::ranges::find(known, model.linear().solver) == known.end() ? "auto" : model.linear().solver;
  problem.tolerance = claimed.tolerance;
  problem.sparse = rows.sparse;
  problem.gram = std::move(gram);
  if (auto again = rows.source.rewind(); !again) return std::unexpected(again.error());
  auto solution = descends(model.params) ? describe_descent(problem, rows.source, pool, watch)
                                         : solve(problem, rows.source, pool, watch);
  if (!solution) return solution;
  solution->w = claimed.w;
  solution->b = claimed.b;
  return solution;
}

// The figures of the model once more, from its rows and its own coefficients.
Result<void> verify_figures(const Model& model, const Claimed& claimed, const LeastSquaresSolution& solution,
                            const Residual& residual, const Rows& rows, Pool& pool, const Clock& clock,
                            Certificate& certificate) {
  const auto info = find_model(model.word);
  if (!info) return std::unexpected(info.error());
  const FitOptions options = options_of(model);
  const Request request{*info, copied(model.params), &options};
  Model again;
  again.word = model.word;
  again.schema = model.schema;
  again.certificate.verdict = model.certificate.verdict;
  if (auto done = add_figures(request, claimed.objective, solution, residual, rows, pool, clock, again); !done)
    return done;
  compare_figures(model, again.linear(), certificate);
  return {};
}

} // namespace

Result<Certificate> verify_linear(const Model& model, const Rows& rows, const Clock& clock) {
  Pool pool;
  RowSource& source = rows.source;
  const Stop::Reason stop = model.certificate.stop.reason();
  const bool exact = (std::holds_alternative<ExactOptimum>(model.certificate.claim) ||
                      stop == Stop::combinations_left_out || stop == Stop::constants_left_out) &&
                     source.cols() <= kGramCols;
  auto pass = recognise(model, rows, exact ? usual_gram(source) : GramWanted{}, pool, clock);
  if (!pass) return std::unexpected(pass.error());

  Claimed claimed = claimed_by(model);
  claimed.feature = places_of(model.schema, rows.name).feature;
  auto checked = certified(claimed, pass->gram.get(), rows, pool, clock);
  if (!checked) return std::unexpected(checked.error());
  // Products in double may fail to tell columns apart that the fit told apart in double-double.
  const bool falls_short = checked->certificate.verdict > model.certificate.verdict;
  if (falls_short && pass->gram && pass->gram->precision == Precision::standard && !rows.single_pass &&
      extended_is_affordable(pass->gram->rows, source.cols(), source.targets())) {
    if (auto again = source.rewind(); !again) return std::unexpected(again.error());
    pass = first_pass(rows, model.schema, Precision::extended, pool, clock.watch());
    if (!pass) return std::unexpected(pass.error());
    claimed.passes += 2;
    checked = certified(claimed, pass->gram.get(), rows, pool, clock);
    if (!checked) return std::unexpected(checked.error());
  }
  if (model.params.contains("lambda")) {
    const double weight = pass->fingerprint.weight;
    const auto lambda2 = squares_strength(model.word, model.params, weight, 1 / weight);
    if (!lambda2) return std::unexpected(lambda2.error());
    compare_strengths(model.linear(), 0, *lambda2, checked->certificate);
  }
  if (rows.single_pass) {
    checked->certificate.conditions.emplace_back(
        "the figures of the file were not compared: the rows can be read only once");
    return std::move(checked->certificate);
  }
  const auto solution = described(model, claimed, rows, pass->gram, pool, clock.watch());
  if (!solution) return std::unexpected(solution.error());
  if (auto done = verify_figures(model, claimed, *solution, checked->residual, rows, pool, clock, checked->certificate);
      !done)
    return std::unexpected(done.error());
  return std::move(checked->certificate);
}

} // namespace recta
