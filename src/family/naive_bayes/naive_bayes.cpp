#include "family/naive_bayes/naive_bayes.hpp"

#include "certificate/naive_bayes/recount.hpp"
#include "family/converted.hpp"
#include "family/figures.hpp"
#include "family/listed_values.hpp"
#include "family/naive_bayes/body.hpp"
#include "family/naive_bayes/likelihoods.hpp"
#include "family/params.hpp"
#include "family/training_fit.hpp"
#include "feature/schema.hpp"
#include "solver/naive_bayes/count.hpp"
#include "stats/pass.hpp"

#include <cmath>
#include <fmt/format.h>

namespace recta::naive_bayes {
namespace {

std::unexpected<Error> refuse_number(const BadNumber& bad, const Schema& schema, const Rows& rows) {
  const std::string where =
      fmt::format("{}, row {}, column {}", rows.name, bad.row + 1, feature::feature_names(schema).at(at(bad.column)));
  if (std::isnan(bad.value))
    return fail(ErrorCode::bad_data, where, "the value is missing",
                "pass missing = skip, which leaves its factor out, or drop, mean, indicator or neighbours");
  if (std::isinf(bad.value))
    return fail(ErrorCode::bad_data, where, "the value is infinite", "remove the row or correct the value");
  return fail(ErrorCode::bad_data, where, fmt::format("{} is below zero, and counts are not", bad.value),
              "ask for gaussian, or correct the value");
}

// Counts and the identity of the rows, in one pass.
Result<Counts> first_counts(const Layout& layout, const Schema& schema, const Rows& rows, Pool& pool,
                            const Clock& clock, FirstPass& seen) {
  RowSource& source = rows.source;
  Both<Counting, RowFingerprint> empty{Counting(layout, schema.classes, rows.sparse),
                                       RowFingerprint(source.cols(), source.targets())};
  auto both = reduce_whole(source, std::move(empty), pool, clock.watch(), reading_rows(rows, schema));
  if (!both) return std::unexpected(both.error());
  if (both->first.bad().row >= 0) return refuse_number(both->first.bad(), schema, rows);
  seen.fingerprint = both->second;
  if (auto good = check_rows(seen, schema, rows); !good) return std::unexpected(good.error());
  return std::move(both->first).take_counts();
}

Result<void> check_variances(const Learned& learned, const Schema& schema, const Rows& rows) {
  const Flat flat = first_without_variance(learned.layout, learned.counts, learned.smoothing);
  if (flat.column < 0) return {};
  return fail(ErrorCode::bad_data,
              fmt::format("{}, column {}", rows.name, feature::feature_names(schema).at(at(flat.column))),
              fmt::format("it is constant in class {}, where the likelihood has no maximum without smoothing",
                          schema.classes.labels.at(at(flat.k))),
              "give smoothing above 0, or ignore the column");
}

std::string objective_text(const Learned& learned) {
  if (learned.layout.has(Likelihood::complement))
    return "argmax_k sum_j x_j w_kj, w_kj = -log of the share of j in the other classes";
  return "F = -1/W sum_i s_i [log P(y_i) + sum_j log P(x_ij | y_i)]";
}

// What a fresh pass over the rows finds.
struct Proof {
  Certificate certificate;
  ClassFit fit;
};
using Again = Both<Recount, TrainingFit>;

Proof proof_of(const NaiveBayesBody& body, const Again& again, double tolerance) {
  const Learned& learned = body.learned();
  Proof proof{certify(again.first, block_rows(learned.layout.columns), tolerance), again.second.figures()};
  Certificate& out = proof.certificate;
  double weight = 0;
  for (const double one : learned.counts.weight) weight += one;
  out.objective = -log_likelihood(learned.layout, learned.counts, body.scorer().estimates()) / weight;
  Layout one = learned.layout;
  one.classes = 1;
  const Counts all = pooled(learned.layout, learned.counts);
  out.null_objective =
      -(log_likelihood(one, all, estimate(one, all, learned.smoothing, {1.0})) + proof.fit.null_log_likelihood) /
      weight;
  out.passes = 2;
  return proof;
}

Result<Proof> prove(const NaiveBayesBody& body, const Classes& classes, const Rows& rows, Pool& pool,
                    const Clock& clock, double tolerance) {
  const CountsClaim claim{body.learned().layout, classes, body.learned().counts};
  Again empty{Recount(claim, rows.sparse), TrainingFit(body, classes)};
  const auto again = fresh_pass(rows.source, std::move(empty), pool, clock.watch(), {.stage = "counting again"});
  if (!again) return std::unexpected(again.error());
  return proof_of(body, *again, tolerance);
}

// The same with the identity of the rows, in the same pass: a fit has it from its first one.
Result<Proof> prove_identified(const NaiveBayesBody& body, const Model& model, const Rows& rows, Pool& pool,
                               const Clock& clock) {
  const Classes& classes = model.schema.classes;
  const CountsClaim claim{body.learned().layout, classes, body.learned().counts};
  Both<Again, RowFingerprint> empty{Again{Recount(claim, rows.sparse), TrainingFit(body, classes)},
                                    RowFingerprint(rows.source.cols(), rows.source.targets())};
  const auto again = fresh_pass(rows.source, std::move(empty), pool, clock.watch(), {.stage = "counting again"});
  if (!again) return std::unexpected(again.error());
  if (auto same = same_rows(model, again->second, rows); !same) return std::unexpected(same.error());
  return proof_of(body, again->first, model.certificate.tolerance);
}

// What the body was smoothed by and weighs its classes with, against what the parameters ask for.
Result<void> compare_settings(const Model& model, const Learned& learned, const Rows& rows, Pool& pool,
                              const Clock& clock, Certificate& certificate) {
  const auto info = find_model(model.word);
  if (!info) return std::unexpected(info.error());
  const FitOptions options;
  const auto layout =
      choose_likelihoods({*info, copied(model.params), &options}, model.schema, rows, pool, clock.watch());
  if (!layout) return std::unexpected(layout.error());
  compare_setting("the likelihood of the columns", learned.layout == *layout, certificate);
  const auto smoothing = asked_smoothing(model.params, model.schema);
  if (!smoothing) return std::unexpected(smoothing.error());
  const auto prior = priors(kWord, model.params, model.schema.classes, learned.counts.weight);
  if (!prior) return std::unexpected(prior.error());
  compare_setting("the smoothing", learned.smoothing == *smoothing, certificate);
  compare_setting("the probability of the classes", learned.prior == *prior, certificate);
  compare_setting("the rule for unseen values", learned.refuses_strangers == (model.schema.unseen == Unseen::refuse),
                  certificate);
  return {};
}

} // namespace

Result<Model> fit_naive_bayes(const Request& request, Schema schema, const Rows& rows, const Clock& clock) {
  Pool pool(request.options->threads);
  if (request.options->missing == Missing::skip) schema.missing = Missing::skip; // arrays have no schema of their own
  schema.unseen = request.options->unseen;
  Learned learned;
  auto layout = choose_likelihoods(request, schema, rows, pool, clock.watch());
  if (!layout) return std::unexpected(layout.error());
  learned.layout = *std::move(layout);
  FirstPass seen;
  auto counts = first_counts(learned.layout, schema, rows, pool, clock, seen);
  if (!counts) return std::unexpected(counts.error());
  learned.counts = *std::move(counts);
  auto smoothing = asked_smoothing(request.params, schema);
  if (!smoothing) return std::unexpected(smoothing.error());
  learned.smoothing = *std::move(smoothing);
  auto prior = priors(kWord, request.params, schema.classes, learned.counts.weight);
  if (!prior) return std::unexpected(prior.error());
  learned.prior = *std::move(prior);
  learned.refuses_strangers = schema.unseen == Unseen::refuse;
  if (auto good = check_variances(learned, schema, rows); !good) return std::unexpected(good.error());

  FitSummary summary;
  summary.solver = "counting";
  summary.reason = "counts and moments have a closed form";
  summary.rows = learned.counts.rows;
  for (const double weight : learned.counts.weight) summary.weight_sum += weight;
  summary.weights_are = request.options->weights_are;
  Model model = begin_model(request, seen.fingerprint.fingerprint());
  model.objective = objective_text(learned);
  const auto names = names_for_messages(schema);
  const auto first = std::make_shared<NaiveBayesBody>(summary, std::move(learned), names);
  const auto proof = prove(*first, schema.classes, rows, pool, clock, request.options->tolerance);
  if (!proof) return std::unexpected(proof.error());
  first->add_figures(proof->fit);
  model.certificate = proof->certificate;
  model.body = first;
  model.schema = std::move(schema);
  return model;
}

Result<Certificate> verify_naive_bayes(const Model& model, const Rows& rows, const Clock& clock) {
  Pool pool;
  const auto* body = dynamic_cast<const NaiveBayesBody*>(model.body.get());
  if (model.is_linear()) return converted_model(model.word);
  if (!body)
    return fail(ErrorCode::bad_model_file, model.word, "the model holds no counts of naive Bayes", "fit it again");
  RowSource& source = rows.source;
  if (source.cols() != body->features() || source.targets() != 1)
    return fail(ErrorCode::bad_data, rows.name, "the rows do not have the model's features and targets",
                "verify with the data the model was trained on");
  auto proof = prove_identified(*body, model, rows, pool, clock);
  if (!proof) return std::unexpected(proof.error());
  FitSummary found = body->summary();
  found.rows = body->learned().counts.rows;
  found.weight_sum = 0;
  for (const double weight : body->learned().counts.weight) found.weight_sum += weight;
  found.classes = proof->fit;
  compare_summary(model, found, proof->certificate);
  if (auto done = compare_settings(model, body->learned(), rows, pool, clock, proof->certificate); !done)
    return std::unexpected(done.error());
  return proof->certificate;
}

} // namespace recta::naive_bayes
