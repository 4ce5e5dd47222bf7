#include "solver/least_squares.hpp"

#include "certificate/least_squares/left_out.hpp"
#include "certificate/stated/figures.hpp"
#include "evaluate/inference/inference.hpp"
#include "family/column_cures.hpp"
#include "family/least_squares/steps.hpp"
#include "feature/schema.hpp"
#include "model/linear/body.hpp"
#include "params/params.hpp"
#include "solver/choose.hpp"
#include "solver/gradient_descent/squares_descent.hpp"
#include "summary/constant_target.hpp"
#include "summary/descent.hpp"
#include "summary/errors.hpp"
#include "summary/objective.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <limits>

namespace recta {
namespace {

constexpr Index kOncePowers = 64; // columns up to which double-double products are gathered without being asked

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

} // namespace

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

// The solution that describes the columns, from the rows, by the solver that the fit took; for a descent from their
// sums alone.
Result<LeastSquaresSolution> described_columns(Work& work, const Posed& posed, const LeastSquaresSolution& stated) {
  LeastSquaresProblem problem;
  problem.objective = posed.problem.objective;
  const auto& known = solver_words(); // older files may name one that is called otherwise now
  problem.solver = std::ranges::find(known, stated.solver) == known.end() ? "auto" : stated.solver;
  problem.tolerance = posed.problem.tolerance;
  problem.sparse = work.rows.sparse;
  problem.gram = work.seen.gram;
  RowSource& source = work.rows.source;
  if (auto again = source.rewind(); !again) return std::unexpected(again.error());
  auto solution = descends(work.request.params) ? describe_descent(problem, source, work.pool, work.watch())
                                                : solve(problem, source, work.pool, work.watch());
  if (!solution) return solution;
  solution->w = stated.w;
  solution->b = stated.b;
  return solution;
}

// Sums of squares, errors and tests, of the solution's coefficients.
Result<void> add_figures(Work& work, const LeastSquaresObjective& objective, const LeastSquaresSolution& solution,
                         const Residual& residual) {
  Model& model = work.model;
  const FitOptions& options = work.options();
  own_linear(model) = summarise(objective, solution, residual,
                                {.features = feature::feature_names(model.schema),
                                 .targets = model.schema.targets,
                                 .weights_are = options.weights_are,
                                 .weighted = !model.schema.weights.empty(),
                                 .confidence = options.confidence});
  if (auto done = add_errors(work.request, work.rows, solution, work.pool, work.clock, model); !done) return done;
  say_constant_targets(model);
  if (model.certificate.verdict == Verdict::stopped_early) // tests are about the optimum
    for (TargetFit& target : own_linear(model).targets) target.f = target.f_p_value = kNaN;
  return {};
}

GramWanted gram_to_verify(const Model& model, const RowSource& source) {
  const Stop::Reason stop = model.certificate.stop.reason();
  const bool exact = std::holds_alternative<ExactOptimum>(model.certificate.claim) ||
                     stop == Stop::combinations_left_out || stop == Stop::constants_left_out;
  return exact && source.cols() <= kGramCols ? usual_gram(source) : GramWanted{};
}

// Products in double may fail to tell columns apart that the fit told apart in double-double.
bool wants_more_digits(const Work& work, const Certificate& certificate) {
  const Gram* gram = work.seen.gram.get();
  const RowSource& source = work.rows.source;
  return work.verifies() && certificate.verdict > work.stated->certificate.verdict && gram &&
         gram->precision == Precision::standard && !work.rows.single_pass &&
         extended_is_affordable(gram->rows, source.cols(), source.targets());
}

} // namespace

Result<void> LinearSteps::admit(Work& work) const {
  return work.verifies() ? Result<void>() : check_passes(work.options(), work.schema(), work.rows);
}

Result<FirstPass> LinearSteps::read(Work& work) const {
  return first_pass(work, work.verifies() ? gram_to_verify(*work.stated, work.rows.source)
                                          : gram_for(work.rows, work.request));
}

Result<Posed> LinearSteps::pose(Work& work) const {
  if (!work.verifies()) {
    auto posed = recta::pose(work.request, work.rows, work.seen.fingerprint.weight, work.seen.gram);
    if (posed && work.options().condition_high > 0) // as it was chosen
      work.request.params["lambda"] = posed->problem.objective.lambda2;
    return posed;
  }
  Posed posed;
  posed.problem.tolerance = work.options().tolerance;
  posed.problem.objective = {.lambda2 = work.stated->linear()->lambda2,
                             .factors = {},
                             .intercept = work.options().intercept,
                             .standardise = work.options().standardise};
  return posed;
}

Result<LinearClaim> LinearSteps::solve(Work& work, const Posed& posed) const {
  auto solution = recta::solve(posed.problem, work.rows.source, work.pool, work.watch());
  if (!solution) return std::unexpected(solution.error());
  return concluded(work, posed, *std::move(solution));
}

LinearClaim LinearSteps::concluded(const Work& work, const Posed& posed, LeastSquaresSolution solution) {
  solution.passes += 1;
  solution.notes.insert(solution.notes.end(), posed.notes.begin(), posed.notes.end());
  if (solution.interrupted) solution.stop = work.clock.stop_reason();
  std::string solver = solution.solver;
  return {std::move(solution), std::move(solver)};
}

Result<LinearClaim> LinearSteps::stated(Work& work, const Posed&) const {
  LeastSquaresSolution solution;
  const LinearSummary& linear = *work.stated->linear();
  for (const TargetFit& target : linear.targets) {
    for (const Coefficient& coefficient : target.coefficients) solution.w.push_back(coefficient.value);
    solution.b.push_back(target.intercept.value);
  }
  solution.solver = linear.solver;
  solution.stop = work.stated->certificate.stop;
  solution.ended_by_rule = work.stated->certificate.verdict == Verdict::stopped_early;
  solution.passes = 1;
  return LinearClaim{std::move(solution), linear.solver};
}

Result<Checked> LinearSteps::prove(Work& work, const Posed& posed, const LinearClaim& claim) const {
  const LeastSquaresSolution& solution = claim.solution;
  Claimed claimed{.objective = posed.problem.objective,
                  .w = solution.w,
                  .b = solution.b,
                  .tolerance = posed.problem.tolerance,
                  .stop = solution.stop,
                  .stopped_early = solution.interrupted || solution.ended_by_rule,
                  .passes = solution.passes,
                  .conditions = solution.notes,
                  .feature = places_of(work.schema(), work.rows.name).feature};
  const Gram* gram = work.verifies() ? work.seen.gram.get() : solution.gram.get();
  auto checked = certified(claimed, gram, work.rows, work.pool, work.clock, solution.interrupted);
  if (!checked || !wants_more_digits(work, checked->certificate)) return checked;
  if (auto again = work.rows.source.rewind(); !again) return std::unexpected(again.error());
  auto seen = first_pass(work, Precision::extended);
  if (!seen) return std::unexpected(seen.error());
  work.seen = *std::move(seen);
  claimed.passes += 2;
  return certified(claimed, work.seen.gram.get(), work.rows, work.pool, work.clock);
}

// Columns of very different sizes can be too much for one way of solving and not for another: if the check refutes the
// chosen one, the next is tried.
Result<std::optional<LinearClaim>> LinearSteps::another(Work& work, const Posed& posed, const LinearClaim& best,
                                                        const Checked& checked, int tried) const {
  const bool free_choice =
      posed.problem.solver == "auto" && !work.rows.single_pass && work.rows.source.cols() <= kAnotherCols;
  std::vector<std::string> words{best.first};
  for (const char* word : {"qr", "gram"})
    if (word != best.first) words.emplace_back(word);
  const auto place = static_cast<std::size_t>(tried) + 1;
  if (checked.certificate.verdict != Verdict::refuted || !free_choice || place >= words.size())
    return std::optional<LinearClaim>();
  const std::string before = fmt::format("{}", fmt::join(words.begin(), words.begin() + tried + 1, " and "));
  Posed next = posed;
  next.problem.solver = words[place];
  next.notes.push_back(fmt::format("the answer by {} was refuted; this one is by {}", before, words[place]));
  if (auto again = work.rows.source.rewind(); !again) return std::unexpected(again.error());
  auto claim = solve(work, next);
  if (!claim) return std::unexpected(claim.error());
  claim->solution.reason = fmt::format("the check refuted the answer by {}", before);
  claim->first = best.first;
  return std::optional(*std::move(claim));
}

Result<void> LinearSteps::describe(Work& work, const Posed& posed, const LinearClaim& claim, Checked& checked) const {
  const FitOptions& options = work.options();
  Certificate& certificate = work.model.certificate;
  work.model.objective = objective_text({.intercept = options.intercept,
                                         .offset = !work.schema().offset.empty(),
                                         .penalty = penalised(work.request) ? Penalty::squares : Penalty::none,
                                         .standardise = options.standardise});
  const LeastSquaresObjective& objective = posed.problem.objective;
  if (!work.verifies()) {
    if (!options.standardise) say_sizes(claim.solution, certificate);
    return add_figures(work, objective, claim.solution, checked.residual);
  }
  if (work.rows.single_pass) {
    certificate.conditions.emplace_back("the figures of the file were not compared: the rows can be read only once");
    return {};
  }
  const auto solution = described_columns(work, posed, claim.solution);
  return solution ? add_figures(work, objective, *solution, checked.residual) : std::unexpected(solution.error());
}

Result<void> LinearSteps::compare(Work& work, const Posed&, const LinearClaim&, Checked& checked) const {
  if (!penalised(work.request)) return {};
  const double weight = work.seen.fingerprint.weight;
  const auto lambda2 = squares_strength(work.model.word, work.request.params, weight, 1 / weight);
  if (!lambda2) return std::unexpected(lambda2.error());
  compare_strengths(*work.stated->linear(), 0, *lambda2, checked.certificate);
  return {};
}

} // namespace recta
