#include "family/nearest_centroid/nearest_centroid.hpp"

#include "certificate/nearest_centroid/recentre.hpp"
#include "family/class_means.hpp"
#include "family/converted.hpp"
#include "family/figures.hpp"
#include "family/listed_values.hpp"
#include "family/nearest_centroid/body.hpp"
#include "family/nearest_centroid/medians.hpp"
#include "family/params.hpp"
#include "family/training_fit.hpp"
#include "feature/schema.hpp"
#include "stats/pass.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <numeric>

namespace recta::nearest_centroid {
namespace {

// What a fresh pass over the rows finds, beside their identity.
struct Proof {
  Certificate certificate;
  ClassFit fit;
  RowFingerprint rows;
};
Result<Proof> prove(const CentroidBody& body, const Classes& classes, const Rows& rows, Pool& pool, const Clock& clock,
                    double tolerance) {
  const Learned& l = body.learned();
  const CentroidClaim claim{classes, l.columns, l.manhattan, l.threshold, l.weight, l.centroid, l.used, l.spread};
  using Figures = Both<TrainingFit, RowFingerprint>;
  Both<Recentre, Figures> empty{
      Recentre(claim), Figures{TrainingFit(body, classes), RowFingerprint(rows.source.cols(), rows.source.targets())}};
  const auto again = fresh_pass(rows.source, std::move(empty), pool, clock.watch(), {.stage = "proving the centroids"});
  if (!again) return std::unexpected(again.error());
  Proof proof{certify(again->first, block_rows(l.columns), tolerance), again->second.first.figures(),
              again->second.second};
  proof.certificate.passes = l.manhattan ? 3 : 2;
  return proof;
}

// What the centroids were made by, against what the parameters ask for.
Result<void> compare_settings(const Model& model, const Learned& learned, Certificate& certificate) {
  const auto prior = priors(model.word, model.params, model.schema.classes, learned.weight);
  if (!prior) return std::unexpected(prior.error());
  compare_setting("the metric", learned.manhattan == (word(model.params, "metric") == "manhattan"), certificate);
  compare_setting("the threshold of shrinking", learned.threshold == number(model.params, "shrink-threshold"),
                  certificate);
  compare_setting("the probability of the classes", learned.prior == *prior, certificate);
  return {};
}

Result<Learned> learn(const Request& request, const Schema& schema, const Rows& rows, Pool& pool, const Clock& clock,
                      FirstPass& pass) {
  const auto means = class_means(schema, rows, pool, clock, pass);
  if (!means) return std::unexpected(means.error());
  Learned out;
  out.columns = rows.source.cols();
  out.classes = schema.classes.count();
  out.manhattan = word(request.params, "metric") == "manhattan";
  out.threshold = number(request.params, "shrink-threshold");
  out.weight = means->weight;
  auto prior = priors(request.info->word, request.params, schema.classes, out.weight);
  if (!prior) return std::unexpected(prior.error());
  if (const auto none = std::ranges::find(*prior, 0.0); none != prior->end())
    return refuse(request.info->word + ", parameter priors",
                  fmt::format("the prior of class {} is 0", schema.classes.labels[at(none - prior->begin())]),
                  "leave out the rows of a class that is never to be predicted");
  out.prior = *std::move(prior);
  out.centroid = means->mean;
  if (out.manhattan) {
    auto medians = class_medians(schema.classes, rows, pool);
    if (!medians) return std::unexpected(medians.error());
    out.centroid = *std::move(medians);
  }
  std::vector<double> scatter = means->variance;
  for (std::size_t i = 0; i < scatter.size(); ++i) scatter[i] *= out.weight[i / at(out.columns)];
  out.spread = spread_of(out.weight, means->mean, scatter, out.centroid);
  if (out.threshold > 0 && std::isnan(out.spread.deviation[0]))
    return fail(ErrorCode::bad_data, rows.name,
                "there are no more rows than classes, so that nothing says how far "
                "centroids may move",
                "leave out shrink-threshold, or take more rows");
  out.used = out.threshold > 0 ? shrunken(out.centroid, out.weight, out.spread, out.threshold) : out.centroid;
  return out;
}

} // namespace

Result<Model> fit_centroids(const Request& request, Schema schema, const Rows& rows, const Clock& clock) {
  Pool pool(request.options->threads);
  FirstPass pass;
  auto learned = learn(request, schema, rows, pool, clock, pass);
  if (!learned) return std::unexpected(learned.error());
  FitSummary summary;
  summary.solver = learned->manhattan ? "sorting" : "mean";
  summary.reason = "centroids have a closed form";
  summary.rows = pass.fingerprint.fingerprint().rows;
  summary.weight_sum = std::accumulate(learned->weight.begin(), learned->weight.end(), 0.0);
  summary.weights_are = request.options->weights_are;
  Model model = begin_model(request, pass.fingerprint.fingerprint());
  model.objective = learned->manhattan ? "F = 1/W sum_i s_i |x_i - c_(y_i)|_1" : request.info->objective;
  const auto body = std::make_shared<CentroidBody>(summary, *std::move(learned), feature::feature_names(schema));
  const auto proof = prove(*body, schema.classes, rows, pool, clock, request.options->tolerance);
  if (!proof) return std::unexpected(proof.error());
  body->add_figures(proof->fit);
  model.certificate = proof->certificate;
  short_of_proof(model.certificate);
  model.body = body;
  model.schema = std::move(schema);
  return model;
}

Result<Certificate> verify_centroids(const Model& model, const Rows& rows, const Clock& clock) {
  Pool pool;
  const auto* body = dynamic_cast<const CentroidBody*>(model.body.get());
  if (model.is_linear()) return converted_model(model.word);
  if (!body) return fail(ErrorCode::bad_model_file, model.word, "the model holds no centroids", "fit it again");
  if (rows.source.cols() != body->features() || rows.source.targets() != 1)
    return fail(ErrorCode::bad_data, rows.name, "the rows do not have the model's features and targets",
                "verify with the data the model was trained on");
  auto proof = prove(*body, model.schema.classes, rows, pool, clock, model.certificate.tolerance);
  if (!proof) return std::unexpected(proof.error());
  if (auto same = same_rows(model, proof->rows, rows); !same) return std::unexpected(same.error());
  FitSummary computed = body->summary();
  computed.rows = proof->rows.fingerprint().rows;
  computed.weight_sum = proof->rows.weight;
  computed.classes = proof->fit;
  compare_summary(model, computed, proof->certificate);
  if (auto same = compare_settings(model, body->learned(), proof->certificate); !same)
    return std::unexpected(same.error());
  return proof->certificate;
}

} // namespace recta::nearest_centroid
