#include "dispatch/linear.hpp"

#include "certificate/least_squares/certify.hpp"
#include "certificate/pass.hpp"
#include "dispatch/params.hpp"
#include "evaluate/inference/inference.hpp"
#include "feature/schema.hpp"
#include "solver/choose.hpp"
#include "solver/least_squares.hpp"
#include "stats/fingerprint/fingerprint.hpp"

#include <cmath>
#include <fmt/format.h>

namespace recta {
namespace {

// What the first pass learns about the rows: who they are and, where the solver will want it, their Gram.
struct FirstPass {
  RowFingerprint fingerprint;
  std::optional<Gram> gram;
  double weight = 0;
};

ReduceOptions stage(std::string_view name, Index pass) {
  return {.stage = name, .pass = pass};
}

Result<FirstPass> first_pass(const Rows& rows, bool gather_gram, Pool& pool, const Watch& watch) {
  RowSource& source = rows.source;
  const RowFingerprint identity(source.cols(), source.targets());
  FirstPass seen;
  if (gather_gram) {
    const Gram gram(source.cols(), source.targets(), gram_precision(source.rows(), source.cols(), source.targets()));
    auto both = reduce(source, Both<Gram, RowFingerprint>{gram, identity}, pool, watch, stage("reading rows", 0));
    if (!both) return std::unexpected(both.error());
    auto total = both->total(&pool);
    seen = {std::move(total.second), std::move(total.first), 0};
  } else {
    auto only = reduce(source, identity, pool, watch, stage("reading rows", 0));
    if (!only) return std::unexpected(only.error());
    seen.fingerprint = only->total(&pool);
  }
  seen.weight = seen.fingerprint.weight;
  return seen;
}

Result<void> check_rows(const FirstPass& seen, const Rows& rows) {
  if (seen.fingerprint.rows == 0)
    return fail(ErrorCode::bad_data, rows.name, "there are no data rows", "a fit needs at least one");
  if (!(seen.weight > 0))
    return fail(ErrorCode::bad_data, rows.name, "no row has a positive weight: all are zero or were dropped",
                "look at the weights and at what is missing (recta check)");
  return {};
}

// --lambda and --lambda2 are beside the mean loss, --tau beside the sum; ridge without any has tau = 1.
Result<double> penalty(const ModelInfo& info, const Params& params, double weight) {
  if (info.word != "ridge") return 0.0;
  int given = 0;
  double lambda2 = 1 / weight;
  for (const auto& [name, scale] : {std::pair{"lambda", 1.0}, {"lambda2", 1.0}, {"tau", 1 / weight}})
    if (const double value = number(params, name); !std::isnan(value)) {
      lambda2 = value * scale;
      ++given;
    }
  if (given <= 1) return lambda2;
  return fail(ErrorCode::usage, info.word, "the strength of the penalty was given more than once",
              "give one of lambda, lambda2 and tau");
}

Claimed claimed_by(const LeastSquaresProblem& problem, const LeastSquaresSolution& solution) {
  return {.objective = problem.objective,
          .w = solution.w,
          .b = solution.b,
          .tolerance = problem.tolerance,
          .stop = solution.stop,
          .stopped_early = solution.interrupted,
          .passes = solution.passes,
          .conditions = solution.notes};
}

bool uses_gram(const Rows& rows, const std::string& solver, bool penalised) {
  const Shape shape{rows.source.rows(), rows.source.cols(), rows.sparse, rows.single_pass, penalised, false};
  return (solver == "auto" ? choose_solver(shape).solver : solver) == "gram";
}

// A fit that is stopped while it is being checked still has its statistics to be checked against.
Result<Checked> certified(const Claimed& claimed, const std::optional<Gram>& gram, const Rows& rows, Pool& pool,
                          const Clock& clock) {
  const Gram* kept = gram ? &*gram : nullptr;
  if (!rows.single_pass && !claimed.stopped_early) {
    auto checked = certify(claimed, kept, &rows.source, pool, clock.watch());
    if (checked || checked.error().code != ErrorCode::interrupted || !kept) return checked;
  }
  Claimed short_of_proof = claimed;
  if (!rows.single_pass) {
    short_of_proof.stop = clock.stop_reason();
    short_of_proof.stopped_early = true;
  }
  return certify(short_of_proof, kept, kept ? nullptr : &rows.source, pool);
}

} // namespace

Result<Model> fit_linear(const ModelInfo& info, const Params& params, const FitOptions& options, Schema schema,
                         const Rows& rows, const Clock& clock) {
  Pool pool(options.threads);
  const Watch watch = clock.watch();
  LeastSquaresProblem problem;
  problem.solver = word(params, "solver");
  problem.objective.intercept = options.intercept;
  problem.objective.standardise = options.standardise;
  problem.tolerance = options.tolerance;
  problem.single_pass = rows.single_pass;
  problem.sparse = rows.sparse;

  auto seen = first_pass(rows, uses_gram(rows, problem.solver, info.word == "ridge"), pool, watch);
  if (!seen) return std::unexpected(seen.error());
  if (auto good = check_rows(*seen, rows); !good) return std::unexpected(good.error());
  const auto lambda2 = penalty(info, params, seen->weight);
  if (!lambda2) return std::unexpected(lambda2.error());
  problem.objective.lambda2 = *lambda2;
  problem.gram = std::move(seen->gram);

  if (!rows.single_pass)
    if (auto again = rows.source.rewind(); !again) return std::unexpected(again.error());
  auto solution = solve(problem, rows.source, pool, watch);
  if (!solution) return std::unexpected(solution.error());
  solution->passes += 1;
  if (solution->interrupted) solution->stop = clock.stop_reason();
  auto checked = certified(claimed_by(problem, *solution), solution->gram, rows, pool, clock);
  if (!checked) return std::unexpected(checked.error());

  Model model;
  model.word = info.word;
  model.params = params;
  model.objective = info.objective;
  model.schema = std::move(schema);
  model.fingerprint = seen->fingerprint.fingerprint();
  model.certificate = std::move(checked->certificate);
  model.linear = summarise(problem.objective, *solution, checked->residual,
                           {.features = feature::feature_names(model.schema),
                            .targets = model.schema.targets,
                            .weights_are = options.weights_are,
                            .weighted = !model.schema.weights.empty(),
                            .confidence = options.confidence});
  return model;
}

Result<Certificate> verify_linear(const Model& model, const Rows& rows, const Clock& clock) {
  Pool pool;
  const Watch watch = clock.watch();
  const LinearSummary& linear = model.linear;
  const bool exact = std::holds_alternative<ExactOptimum>(model.certificate.claim);
  if (rows.source.cols() != static_cast<Index>(linear.targets.at(0).coefficients.size()) ||
      rows.source.targets() != static_cast<Index>(linear.targets.size()))
    return fail(ErrorCode::bad_data, rows.name, "the rows do not have the model's features and targets",
                "verify with the data the model was trained on");
  auto seen = first_pass(rows, exact, pool, watch);
  if (!seen) return std::unexpected(seen.error());
  if (seen->fingerprint.fingerprint() != model.fingerprint)
    return fail(ErrorCode::bad_data, rows.name,
                fmt::format("these are not the training data ({} rows here, {} then)", seen->fingerprint.rows,
                            model.fingerprint.rows),
                "a proof holds for the rows it was made with; recta eval measures a model on other rows");

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
  auto checked = certified(claimed, seen->gram, rows, pool, clock);
  if (!checked) return std::unexpected(checked.error());
  return std::move(checked->certificate);
}

} // namespace recta
