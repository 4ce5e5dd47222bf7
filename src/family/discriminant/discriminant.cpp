#include "family/discriminant/discriminant.hpp"

#include "certificate/discriminant/rescatter.hpp"
#include "certificate/stated/figures.hpp"
#include "classes/class_means.hpp"
#include "family/closed_form.hpp"
#include "family/discriminant/body.hpp"
#include "family/discriminant/scores.hpp"
#include "feature/schema.hpp"
#include "params/listed_values.hpp"
#include "params/params.hpp"
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

Result<void> check_size(const std::string& model, const Shape& shape, Index columns, Index classes) {
  constexpr double kMostNumbers = 1e9; // 8 GB
  const double numbers = static_cast<double>(columns) * static_cast<double>(columns) *
                         (shape.by_class() ? static_cast<double>(classes) : 1.0);
  if (numbers <= kMostNumbers) return {};
  return refuse(model,
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
Result<Sums> sums_at_once(Work& work, const Learned& learned) {
  const std::vector<double> unknown;
  const Centres centres{.classes = work.schema().classes,
                        .columns = learned.columns,
                        .mean = unknown,
                        .scale = {},
                        .factor = {},
                        .by_class = true};
  const auto scatter = first_sums(work, ClassScatter(centres));
  if (!scatter) return std::unexpected(scatter.error());
  if (auto good = check_rows(work.seen, work.schema(), work.rows); !good) return std::unexpected(good.error());
  Sums out{learned.classes, learned.columns, scatter->weight(), {}, scatter->mean(), scatter->covariance(), {}};
  out.count = learned.weights_count ? out.weight : scatter->rows();
  const std::size_t p = at(out.columns);
  for (std::size_t k = 0; k < out.weight.size(); ++k)
    for (std::size_t j = 0; j < p; ++j) {
      const double squares = out.weight[k] * out.covariance[(k * p + j) * p + j];
      if (auto good = check_squares(work, k, out.weight[k], out.mean[k * p + j], squares, static_cast<Index>(j)); !good)
        return std::unexpected(good.error());
    }
  return out;
}

// The products of the columns about the means of the classes, and the sums that shrinkage needs.
Result<Sums> sums_about_means(Work& work, const ClassMeans& means, const Learned& learned) {
  const Shape& shape = learned.shape;
  Centres centres{.classes = work.schema().classes, .columns = learned.columns, .mean = means.mean};
  centres.by_class = shape.by_class();
  for (const double deviation : learned.deviation) centres.scale.push_back(1 / deviation);
  if (shape.by_priors && !centres.by_class)
    for (std::size_t k = 0; k < means.weight.size(); ++k)
      centres.factor.push_back(learned.prior[k] / means.weight[k] *
                               std::accumulate(means.weight.begin(), means.weight.end(), 0.0));
  const auto scatter =
      fresh_pass(work.rows.source, ClassScatter(centres), work.pool, work.watch(), {.stage = "multiplying columns"});
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
Result<void> take_priors(const Work& work, const std::vector<double>& weight, Learned& learned) {
  auto prior = positive_priors(work, weight);
  if (!prior) return std::unexpected(prior.error());
  learned.prior = *std::move(prior);
  return {};
}

// The same in two passes, the first for the means.
Result<Sums> sums_in_two_passes(Work& work, Learned& learned) {
  const auto means = class_means(work);
  if (!means) return std::unexpected(means.error());
  if (auto good = take_priors(work, means->weight, learned); !good) return std::unexpected(good.error());
  if (learned.shape.learned_share()) learned.deviation = deviations(*means, learned.columns);
  return sums_about_means(work, *means, learned);
}

GaussianClaim claim_of(const DiscriminantBody& body, const Classes& classes) {
  const Learned& l = body.learned();
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
          .log_determinant = l.log_determinant,
          .names = body.names()};
}

std::string solver_of(const Learned& learned) {
  return !learned.shape.quadratic && learned.rank < learned.columns ? "eigen" : "cholesky";
}

std::string reason_of(const Learned& learned) {
  return learned.rank < learned.columns ? fmt::format("rank {} of {}", learned.rank, learned.columns)
                                        : "moments of the classes have a closed form";
}

class DiscriminantSteps final : public ClosedForm<Shape, DiscriminantBody> {
  Result<Shape> pose(Work& work) const override {
    const auto shape = asked_shape(work.model.word, work.request.params);
    if (!shape) return shape;
    if (auto good = check_size(work.model.word, *shape, work.rows.source.cols(), work.schema().classes.count()); !good)
      return std::unexpected(good.error());
    return shape;
  }

  Result<Draft> solve(Work& work, const Shape& shape) const override {
    Learned out{.shape = shape,
                .weights_count = work.options().weights_are == WeightMeaning::frequency,
                .columns = work.rows.source.cols(),
                .classes = work.schema().classes.count()};
    const bool once = in_one_pass(shape, out.columns, out.classes);
    auto sums = once ? sums_at_once(work, out) : sums_in_two_passes(work, out);
    if (!sums) return std::unexpected(sums.error());
    if (once)
      if (auto good = take_priors(work, sums->weight, out); !good) return std::unexpected(good.error());
    const Index present = work.seen.fingerprint.rows;
    if (present <= out.classes)
      return fail(ErrorCode::bad_data, work.rows.name,
                  fmt::format("there are {} rows and {} classes: the number of samples must be more than the number of "
                              "classes",
                              present, out.classes),
                  "a covariance needs rows that differ inside a class: take more, or nearest-centroid");
    out.weight = sums->weight;
    out.mean = sums->mean;
    Covariances covariance = covariances(shape, *sums, out.prior, once);
    out.covariance = std::move(covariance.matrices);
    out.share = std::move(covariance.shares);
    if (auto good = derive_scores(out, *sums, work.rows.name); !good) return std::unexpected(good.error());
    return std::make_shared<const DiscriminantBody>(FitSummary(), std::move(out),
                                                    feature::feature_names(work.schema()));
  }

  Result<ClosedFormProof> prove(Work& work, const Shape&, const Draft& draft) const override {
    const Learned& l = draft->learned();
    const GaussianClaim claim = claim_of(*draft, work.schema().classes);
    return prove_again(work, *draft, Rescatter(claim), "proving the moments", [&](const Rescatter& again) {
      Certificate out = certify(again, block_rows(l.columns), work.options().tolerance);
      out.passes = in_one_pass(l.shape, l.columns, l.classes) ? 2 : 3;
      return out;
    });
  }

  ClosedFormFit told(const Work& work, const DiscriminantBody& body) const override {
    const Learned& l = body.learned();
    return {solver_of(l), reason_of(l), work.request.info->objective, work.seen.fingerprint.rows, l.weight};
  }

  Result<void> compare(Work& work, const Shape& shape, const Draft& draft, ClosedFormProof& proof) const override {
    const Learned& l = draft->learned();
    compare_setting("the shape of the covariances", l.shape == shape, proof.certificate);
    if (auto good = compare_priors(work, l.prior, l.weight, proof.certificate); !good) return good;
    const bool counts = work.stated->body->summary().weights_are == WeightMeaning::frequency;
    compare_setting("the meaning of the weights", l.weights_count == counts, proof.certificate);
    return {};
  }
};

} // namespace

const Procedure& procedure() {
  static const DiscriminantSteps steps;
  return steps;
}

} // namespace recta::discriminant
