#include "family/discriminant/discriminant.hpp"

#include "certificate/discriminant/rescatter.hpp"
#include "family/class_means.hpp"
#include "family/converted.hpp"
#include "family/discriminant/body.hpp"
#include "family/discriminant/scores.hpp"
#include "family/figures.hpp"
#include "family/listed_values.hpp"
#include "family/params.hpp"
#include "family/training_fit.hpp"
#include "feature/schema.hpp"
#include "solver/discriminant/scatter.hpp"
#include "stats/pass.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <numeric>

namespace recta::discriminant {
namespace {

Result<Shape> asked_shape(const std::string& model, const Params& params) {
  const std::string shrinkage = word(params, "shrinkage");
  Shape out;
  out.quadratic = params.contains("regularisation");
  if (out.quadratic) {
    out.regularisation = number(params, "regularisation");
    out.towards_pooled = number(params, "towards-pooled");
  } else {
    out.by_priors = word(params, "pooling") == "priors";
  }
  out.tolerance = number(params, "rank-tolerance");
  const auto share = read_double(shrinkage);
  if (shrinkage == "auto") {
    out.shrinkage = Shrinkage::ledoit_wolf;
  } else if (shrinkage == "oas") {
    out.shrinkage = Shrinkage::oas;
  } else if (share && *share >= 0 && *share <= 1) {
    out.shrinkage = *share > 0 ? Shrinkage::fixed : Shrinkage::none;
    out.share = *share;
  } else if (shrinkage != "none") {
    return refuse(model + ", parameter shrinkage", fmt::format("\"{}\" is not known", shrinkage),
                  "none, auto, oas, or a number from 0 to 1");
  }
  return out;
}

Result<void> check_size(const Request& request, const Shape& shape, Index columns, Index classes) {
  constexpr double kMostNumbers = 1e9; // 8 GB
  const double numbers = static_cast<double>(columns) * static_cast<double>(columns) *
                         (shape.by_class() ? static_cast<double>(classes) : 1.0);
  if (numbers <= kMostNumbers) return {};
  return refuse(request.info->word,
                fmt::format("the covariances of {} columns and {} classes have {:.2g} numbers, more than {:.0g}",
                            columns, classes, numbers, kMostNumbers),
                "take fewer columns, or a model without covariances: nearest-centroid, naive-bayes, logistic");
}

// One pass is enough if every class has its own products and no fourth powers are wanted; few classes of few columns
// are worth it even if one covariance is made of them in the end.
bool in_one_pass(const Shape& shape, Index columns, Index classes) {
  constexpr Index kFewClasses = 16, kFewColumns = 500;
  return !shape.learned_share() && (shape.quadratic || (classes <= kFewClasses && columns <= kFewColumns));
}

// Weights, means and covariances of the classes from the first pass over the rows.
Result<Sums> sums_at_once(const Learned& learned, const Schema& schema, const Rows& rows, Pool& pool,
                          const Clock& clock, FirstPass& pass) {
  const std::vector<double> unknown;
  const Centres centres{.classes = schema.classes,
                        .columns = learned.columns,
                        .mean = unknown,
                        .scale = {},
                        .factor = {},
                        .by_class = true};
  RowSource& source = rows.source;
  Both<ClassScatter, RowFingerprint> empty{ClassScatter(centres), RowFingerprint(source.cols(), source.targets())};
  auto both = reduce_whole(source, std::move(empty), pool, clock.watch(), reading_rows(rows, schema));
  if (!both) return std::unexpected(both.error());
  pass.fingerprint = both->second;
  if (auto good = check_rows(pass, schema, rows); !good) return std::unexpected(good.error());
  const ClassScatter& scatter = both->first;
  Sums out{learned.classes, learned.columns, scatter.weight(), {}, scatter.mean(), scatter.covariance(), {}};
  out.count = learned.weights_count ? out.weight : scatter.rows();
  return out;
}

// The products of the columns about the means of the classes, and the sums that shrinkage needs.
Result<Sums> sums_about_means(const ClassMeans& means, const Learned& learned, const Schema& schema, const Rows& rows,
                              Pool& pool, const Clock& clock) {
  const Shape& shape = learned.shape;
  Centres centres{.classes = schema.classes, .columns = learned.columns, .mean = means.mean};
  centres.by_class = shape.by_class();
  for (const double deviation : learned.deviation) centres.scale.push_back(1 / deviation);
  if (shape.by_priors && !centres.by_class)
    for (std::size_t k = 0; k < means.weight.size(); ++k)
      centres.factor.push_back(learned.prior[k] / means.weight[k] *
                               std::accumulate(means.weight.begin(), means.weight.end(), 0.0));
  const auto scatter =
      fresh_pass(rows.source, ClassScatter(centres), pool, clock.watch(), {.stage = "multiplying columns"});
  if (!scatter) return std::unexpected(scatter.error());
  Sums out{learned.classes,
           learned.columns,
           means.weight,
           learned.weights_count ? means.weight : scatter->rows(),
           means.mean,
           scatter->covariance(),
           {}};
  if (!centres.scale.empty())
    for (std::size_t k = 0; k < means.weight.size(); ++k)
      out.quartic.push_back(scatter->quartic()[k] / means.weight[k]);
  return out;
}

// Standard deviations of the columns in each class; 1 for a column that is constant there.
std::vector<double> deviations(const ClassMeans& means, Index columns) {
  std::vector<double> out;
  const std::vector<double> least = least_variances(means.mean, columns);
  for (std::size_t i = 0; i < means.variance.size(); ++i)
    out.push_back(means.variance[i] > least[i % least.size()] ? std::sqrt(means.variance[i]) : 1);
  return out;
}

// By the weights of the rows that were read.
Result<void> take_priors(const Request& request, const Schema& schema, const std::vector<double>& weight,
                         Learned& learned) {
  auto prior = priors(request.info->word, request.params, schema.classes, weight);
  if (!prior) return std::unexpected(prior.error());
  if (const auto none = std::ranges::find(*prior, 0.0); none != prior->end())
    return refuse(request.info->word + ", parameter priors",
                  fmt::format("the prior of class {} is 0", schema.classes.labels[at(none - prior->begin())]),
                  "leave out the rows of a class that is never to be predicted");
  learned.prior = *std::move(prior);
  return {};
}

// The same in two passes, the first for the means.
Result<Sums> sums_in_two_passes(const Request& request, Learned& learned, const Schema& schema, const Rows& rows,
                                Pool& pool, const Clock& clock, FirstPass& pass) {
  const auto means = class_means(schema, rows, pool, clock, pass);
  if (!means) return std::unexpected(means.error());
  if (auto good = take_priors(request, schema, means->weight, learned); !good) return std::unexpected(good.error());
  if (learned.shape.learned_share()) learned.deviation = deviations(*means, learned.columns);
  return sums_about_means(*means, learned, schema, rows, pool, clock);
}

GaussianClaim claim_of(const Learned& l, const Classes& classes) {
  return {.shape = l.shape,
          .classes = classes,
          .columns = l.columns,
          .weights_count = l.weights_count,
          .prior = l.prior,
          .weight = l.weight,
          .mean = l.mean,
          .deviation = l.deviation,
          .share = l.share,
          .covariance = l.covariance,
          .added = l.added,
          .rank = l.rank,
          .w = l.w,
          .b = l.b,
          .direction = l.direction,
          .ratio = l.ratio,
          .t = l.t,
          .log_determinant = l.log_determinant};
}

// What a fresh pass over the rows finds.
struct Proof {
  Certificate certificate;
  ClassFit fit;
};
using Again = Both<Rescatter, TrainingFit>;

Proof proof_of(const Learned& learned, const Again& again, double tolerance) {
  Proof proof{certify(again.first, block_rows(learned.columns), tolerance), again.second.figures()};
  proof.certificate.passes = in_one_pass(learned.shape, learned.columns, learned.classes) ? 2 : 3;
  return proof;
}

Result<Proof> prove(const DiscriminantBody& body, const Classes& classes, const Rows& rows, Pool& pool,
                    const Clock& clock, double tolerance) {
  const GaussianClaim claim = claim_of(body.learned(), classes);
  Again empty{Rescatter(claim), TrainingFit(body, classes)};
  const auto again = fresh_pass(rows.source, std::move(empty), pool, clock.watch(), {.stage = "proving the moments"});
  if (!again) return std::unexpected(again.error());
  return proof_of(body.learned(), *again, tolerance);
}

// The same with the identity of the rows, in the same pass: a fit has it from its first one.
struct IdentifiedProof {
  Proof proof;
  RowFingerprint rows;
};
Result<IdentifiedProof> prove_identified(const DiscriminantBody& body, const Model& model, const Rows& rows, Pool& pool,
                                         const Clock& clock) {
  const GaussianClaim claim = claim_of(body.learned(), model.schema.classes);
  Both<Again, RowFingerprint> empty{Again{Rescatter(claim), TrainingFit(body, model.schema.classes)},
                                    RowFingerprint(rows.source.cols(), rows.source.targets())};
  const auto again = fresh_pass(rows.source, std::move(empty), pool, clock.watch(), {.stage = "proving the moments"});
  if (!again) return std::unexpected(again.error());
  if (auto same = same_rows(model, again->second, rows); !same) return std::unexpected(same.error());
  return IdentifiedProof{proof_of(body.learned(), again->first, model.certificate.tolerance), again->second};
}

// What the covariances were made by, against what the parameters ask for.
Result<void> compare_settings(const Model& model, const Learned& learned, Certificate& certificate) {
  const auto shape = asked_shape(model.word, model.params);
  if (!shape) return std::unexpected(shape.error());
  const auto prior = priors(model.word, model.params, model.schema.classes, learned.weight);
  if (!prior) return std::unexpected(prior.error());
  compare_setting("the shape of the covariances", learned.shape == *shape, certificate);
  compare_setting("the probability of the classes", learned.prior == *prior, certificate);
  compare_setting("the meaning of the weights",
                  learned.weights_count == (model.body->summary().weights_are == WeightMeaning::frequency),
                  certificate);
  return {};
}

Result<Learned> learn(const Request& request, const Schema& schema, const Rows& rows, Pool& pool, const Clock& clock,
                      FirstPass& pass) {
  const auto shape = asked_shape(request.info->word, request.params);
  if (!shape) return std::unexpected(shape.error());
  Learned out;
  out.shape = *shape;
  out.weights_count = request.options->weights_are == WeightMeaning::frequency;
  out.columns = rows.source.cols();
  out.classes = schema.classes.count();
  if (auto good = check_size(request, *shape, out.columns, out.classes); !good) return std::unexpected(good.error());
  const bool once = in_one_pass(*shape, out.columns, out.classes);
  auto sums = once ? sums_at_once(out, schema, rows, pool, clock, pass)
                   : sums_in_two_passes(request, out, schema, rows, pool, clock, pass);
  if (!sums) return std::unexpected(sums.error());
  if (once)
    if (auto good = take_priors(request, schema, sums->weight, out); !good) return std::unexpected(good.error());
  const Index present = pass.fingerprint.fingerprint().rows;
  if (present <= out.classes)
    return fail(ErrorCode::bad_data, rows.name,
                fmt::format("there are {} rows and {} classes: the number of samples must be more than the number of "
                            "classes",
                            present, out.classes),
                "a covariance needs rows that differ inside a class: take more, or nearest-centroid");
  out.weight = sums->weight;
  out.mean = sums->mean;
  Covariances covariance = covariances(*shape, *sums, out.prior, once);
  out.covariance = std::move(covariance.matrices);
  out.share = std::move(covariance.shares);
  if (auto good = derive_scores(out, *sums, rows.name); !good) return std::unexpected(good.error());
  return out;
}

} // namespace

Result<Model> fit_gaussian(const Request& request, Schema schema, const Rows& rows, const Clock& clock) {
  Pool pool(request.options->threads);
  FirstPass pass;
  auto learned = learn(request, schema, rows, pool, clock, pass);
  if (!learned) return std::unexpected(learned.error());
  FitSummary summary;
  summary.solver = learned->shape.quadratic ? "cholesky" : learned->rank < learned->columns ? "eigen" : "cholesky";
  summary.reason = learned->rank < learned->columns ? fmt::format("rank {} of {}", learned->rank, learned->columns)
                                                    : "moments of the classes have a closed form";
  summary.rows = pass.fingerprint.fingerprint().rows;
  summary.weight_sum = std::accumulate(learned->weight.begin(), learned->weight.end(), 0.0);
  summary.weights_are = request.options->weights_are;
  Model model = begin_model(request, pass.fingerprint.fingerprint());
  const auto body = std::make_shared<DiscriminantBody>(summary, *std::move(learned), feature::feature_names(schema));
  const auto proof = prove(*body, schema.classes, rows, pool, clock, request.options->tolerance);
  if (!proof) return std::unexpected(proof.error());
  body->add_figures(proof->fit);
  model.certificate = proof->certificate;
  short_of_proof(model.certificate);
  model.body = body;
  model.schema = std::move(schema);
  return model;
}

Result<Certificate> verify_gaussian(const Model& model, const Rows& rows, const Clock& clock) {
  Pool pool;
  const auto* body = dynamic_cast<const DiscriminantBody*>(model.body.get());
  if (model.is_linear()) return converted_model(model.word);
  if (!body) return fail(ErrorCode::bad_model_file, model.word, "the model holds no discriminants", "fit it again");
  if (rows.source.cols() != body->features() || rows.source.targets() != 1)
    return fail(ErrorCode::bad_data, rows.name, "the rows do not have the model's features and targets",
                "verify with the data the model was trained on");
  auto identified = prove_identified(*body, model, rows, pool, clock);
  if (!identified) return std::unexpected(identified.error());
  auto& [proof, identity] = *identified;
  FitSummary computed = body->summary();
  computed.rows = identity.fingerprint().rows;
  computed.weight_sum = identity.weight;
  computed.classes = proof.fit;
  compare_summary(model, computed, proof.certificate);
  if (auto same = compare_settings(model, body->learned(), proof.certificate); !same)
    return std::unexpected(same.error());
  return proof.certificate;
}

} // namespace recta::discriminant
