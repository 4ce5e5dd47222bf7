#include "dispatch/linear.hpp"

#include "certificate/least_squares/certify.hpp"
#include "certificate/pass.hpp"
#include "dispatch/objective.hpp"
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

// Names are made only for a message.
Places places_of(const Schema& schema, const std::string& source) {
  return {source, [&schema](Index j) { return feature::feature_names(schema).at(static_cast<std::size_t>(j)); },
          [&schema](Index t) {
            const auto at = static_cast<std::size_t>(t);
            return at < schema.targets.size() ? schema.targets[at] : std::to_string(t + 1);
          }};
}

constexpr Index kOncePowers = 64; // columns up to which double-double products are gathered without being asked

// Gram's precision where one is gathered at all.
using GramWanted = std::optional<Precision>;

Result<FirstPass> first_pass(const Rows& rows, const Schema& schema, GramWanted wanted, Pool& pool,
                             const Watch& watch) {
  const ReduceOptions options{.stage = "reading rows", .places = places_of(schema, rows.name)};
  RowSource& source = rows.source;
  const RowFingerprint identity(source.cols(), source.targets());
  FirstPass seen;
  if (wanted) {
    const Gram gram(source.cols(), source.targets(), *wanted);
    auto both = reduce(source, Both<Gram, RowFingerprint>{gram, identity}, pool, watch, options);
    if (!both) return std::unexpected(both.error());
    auto total = both->total(&pool);
    seen = {std::move(total.second), std::make_shared<const Gram>(std::move(total.first))};
  } else {
    auto only = reduce(source, identity, pool, watch, options);
    if (!only) return std::unexpected(only.error());
    seen.fingerprint = only->total(&pool);
  }
  return seen;
}

// Sums of squares must be doubles with digits: too large they are infinite, too small they have lost digits to the
// spacing of the smallest numbers, 5e-324, and would be taken for exact.
Result<void> check_sizes(const Gram& gram, const Schema& schema, const std::string& source) {
  const double least = 1e-305 * static_cast<double>(gram.rows);
  if (gram.rows > 0 && gram.weight < least)
    return fail(ErrorCode::bad_data, source, fmt::format("the weights are so small that their sum is {}", gram.weight),
                "multiply the weights by a power of ten");
  for (Index j = 0; j < gram.size() && !gram.scatter.empty(); ++j) {
    const double scatter = gram.scatter[static_cast<std::size_t>(j * gram.size() + j)];
    const bool small = j < gram.cols && scatter > 0 && scatter < least;
    if (std::isfinite(scatter) && !small) continue;
    const Places places = places_of(schema, source);
    const std::string column = j < gram.cols ? "column " + places.feature(j) : "target " + places.target(j - gram.cols);
    return fail(ErrorCode::bad_data, source + ", " + column,
                fmt::format("the numbers are so {} that their squares are not doubles", small ? "small" : "large"),
                fmt::format("{} the column by a power of ten", small ? "multiply" : "divide"));
  }
  return {};
}

Result<void> check_rows(const FirstPass& seen, const Schema& schema, const Rows& rows) {
  if (seen.fingerprint.rows == 0)
    return fail(ErrorCode::bad_data, rows.name, "there are no data rows", "a fit needs at least one");
  if (!(seen.fingerprint.weight > 0))
    return fail(ErrorCode::bad_data, rows.name, "no row has a positive weight: all are zero or were dropped",
                "look at the weights and at what is missing (recta check)");
  if (seen.gram) return check_sizes(*seen.gram, schema, rows.name);
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

// What a finished model says of itself.
Claimed claimed_by(const Model& model) {
  const LinearSummary& linear = model.linear;
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

GramWanted usual_gram(const RowSource& source) {
  return gram_precision(source.rows(), source.cols(), source.targets());
}

GramWanted gram_for(const Rows& rows, const std::string& solver, bool penalised) {
  const Shape shape{rows.source.rows(), rows.source.cols(), rows.sparse, rows.single_pass, penalised, false};
  const bool used = (solver == "auto" ? choose_solver(shape).solver : solver) == "gram";
  // Powers are nearly alike, and rows that are read once leave no second chance to tell them apart.
  if (used && rows.single_pass && rows.low && rows.source.cols() <= kOncePowers) return Precision::extended;
  return used ? usual_gram(rows.source) : GramWanted{};
}

// A fit that is stopped while it is being checked still has its statistics to be checked against; where it has none
// the check goes on, since an answer without a claim would be none.
Result<Checked> certified(const Claimed& claimed, const std::shared_ptr<const Gram>& gram, const Rows& rows, Pool& pool,
                          const Clock& clock) {
  const Gram* kept = gram.get();
  if (!rows.single_pass && !claimed.stopped_early) {
    auto checked = certify(claimed, kept, &rows.source, pool, clock.watch());
    if (checked || checked.error().code != ErrorCode::interrupted) return checked;
  }
  Claimed short_of_proof = claimed;
  if (!rows.single_pass) {
    short_of_proof.stop = clock.stop_reason();
    short_of_proof.stopped_early = true;
  }
  return certify(short_of_proof, kept, kept ? nullptr : &rows.source, pool);
}

} // namespace

Result<Order> checked_order(const std::string& word, const FitOptions& options) {
  const auto info = find_model(word);
  if (!info) return std::unexpected(info.error());
  auto params = checked_params(**info, options.params);
  if (!params) return std::unexpected(params.error());
  if (!(options.confidence > 0 && options.confidence < 1))
    return fail(ErrorCode::usage, word, "the confidence must lie between 0 and 1", "0.95 is usual");
  if (!(options.tolerance >= 0) || !std::isfinite(options.tolerance))
    return fail(ErrorCode::usage, word, "the tolerance must be a number from zero up", "1e-10 is usual");
  return Order{*info, *std::move(params), &options};
}

namespace {

std::string difference(const RowFingerprint& here, const Model& model) {
  if (here.rows == model.fingerprint.rows) return fmt::format("{} rows as then, but with other values", here.rows);
  return fmt::format("{} rows here, {} then", here.rows, model.fingerprint.rows);
}

} // namespace

Result<Model> fit_linear(const Order& order, Schema schema, const Rows& rows, const Clock& clock) {
  Pool pool(order.options->threads);
  const GramWanted gram = gram_for(rows, word(order.params, "solver"), order.info->word == "ridge");
  auto seen = first_pass(rows, schema, gram, pool, clock.watch());
  if (!seen) return std::unexpected(seen.error());
  if (!rows.single_pass)
    if (auto again = rows.source.rewind(); !again) return std::unexpected(again.error());
  return fit_linear(order, std::move(schema), rows, *std::move(seen), clock);
}

Result<Model> fit_linear(const Order& order, Schema schema, const Rows& rows, FirstPass seen, const Clock& clock) {
  if (auto good = check_rows(seen, schema, rows); !good) return std::unexpected(good.error());
  const FitOptions& options = *order.options;
  Pool pool(options.threads);
  LeastSquaresProblem problem;
  problem.solver = word(order.params, "solver");
  problem.objective.intercept = options.intercept;
  problem.objective.standardise = options.standardise;
  problem.tolerance = options.tolerance;
  problem.single_pass = rows.single_pass;
  problem.sparse = rows.sparse;
  const auto lambda2 = penalty(*order.info, order.params, seen.fingerprint.weight);
  if (!lambda2) return std::unexpected(lambda2.error());
  problem.objective.lambda2 = *lambda2;
  problem.gram = std::move(seen.gram);

  auto solution = solve(problem, rows.source, pool, clock.watch());
  if (!solution) return std::unexpected(solution.error());
  solution->passes += 1;
  if (solution->interrupted) solution->stop = clock.stop_reason();
  Claimed claimed = claimed_by(problem, *solution);
  claimed.feature = places_of(schema, rows.name).feature;
  auto checked = certified(claimed, solution->gram, rows, pool, clock);
  if (!checked) return std::unexpected(checked.error());

  Model model;
  model.word = order.info->word;
  model.params = order.params;
  model.schema = std::move(schema);
  model.objective = objective_text({.intercept = options.intercept,
                                    .offset = !model.schema.offset.empty(),
                                    .penalty = order.info->word == "ridge",
                                    .standardise = options.standardise});
  model.fingerprint = seen.fingerprint.fingerprint();
  model.certificate = std::move(checked->certificate);
  model.linear = summarise(problem.objective, *solution, checked->residual,
                           {.features = feature::feature_names(model.schema),
                            .targets = model.schema.targets,
                            .weights_are = options.weights_are,
                            .weighted = !model.schema.weights.empty(),
                            .confidence = options.confidence});
  return model;
}

Result<FirstPass> recognise(const Model& model, const Rows& rows, std::optional<Precision> gram, Pool& pool,
                            const Clock& clock) {
  RowSource& source = rows.source;
  if (source.cols() != static_cast<Index>(model.linear.targets.at(0).coefficients.size()) ||
      source.targets() != static_cast<Index>(model.linear.targets.size()))
    return fail(ErrorCode::bad_data, rows.name, "the rows do not have the model's features and targets",
                "verify with the data the model was trained on");
  auto seen = first_pass(rows, model.schema, gram, pool, clock.watch());
  if (!seen) return std::unexpected(seen.error());
  if (seen->fingerprint.fingerprint() != model.fingerprint)
    return fail(ErrorCode::bad_data, rows.name,
                "these are not the training data: " + difference(seen->fingerprint, model),
                "a proof holds for the rows it was made with; recta eval measures a model on other rows");
  return seen;
}

Result<Certificate> verify_linear(const Model& model, const Rows& rows, const Clock& clock) {
  Pool pool;
  RowSource& source = rows.source;
  const bool exact = std::holds_alternative<ExactOptimum>(model.certificate.claim) && source.cols() <= kGramCols;
  auto seen = recognise(model, rows, exact ? usual_gram(source) : GramWanted{}, pool, clock);
  if (!seen) return std::unexpected(seen.error());

  Claimed claimed = claimed_by(model);
  claimed.feature = places_of(model.schema, rows.name).feature;
  auto checked = certified(claimed, seen->gram, rows, pool, clock);
  if (!checked) return std::unexpected(checked.error());
  // Products in double may fail to tell columns apart that the fit told apart in double-double.
  const bool falls_short = checked->certificate.verdict > model.certificate.verdict;
  if (falls_short && seen->gram && seen->gram->precision == Precision::standard && !rows.single_pass &&
      extended_is_affordable(seen->gram->rows, source.cols(), source.targets())) {
    if (auto again = source.rewind(); !again) return std::unexpected(again.error());
    seen = first_pass(rows, model.schema, Precision::extended, pool, clock.watch());
    if (!seen) return std::unexpected(seen.error());
    claimed.passes += 2;
    checked = certified(claimed, seen->gram, rows, pool, clock);
    if (!checked) return std::unexpected(checked.error());
  }
  return std::move(checked->certificate);
}

} // namespace recta
