// lda and qda in a model file.
#include "base/numbers.hpp"
#include "family/discriminant/body.hpp"
#include "feature/schema.hpp"
#include "model_file/put.hpp"

#include <algorithm>
#include <cmath>

namespace recta::discriminant {
namespace {

bool all_positive(const std::vector<double>& values) {
  return std::ranges::all_of(values, [](double x) { return x > 0; });
}

void read_settings(FieldReader& in, Learned& learned) {
  const std::vector<double> settings = in.doubles("discriminant.settings");
  const auto is_whole = [&](std::size_t k, double most) {
    return settings[k] >= 0 && settings[k] <= most && settings[k] == std::floor(settings[k]);
  };
  in.require(settings.size() == 9 && is_whole(0, 1) && is_whole(1, 3) && is_whole(5, 1) && is_whole(7, 1) &&
                 is_whole(8, static_cast<double>(learned.columns)),
             "the settings of the discriminants are out of range");
  if (!in.ok()) return;
  Shape& shape = learned.shape;
  shape.quadratic = settings[0] != 0;
  shape.shrinkage = static_cast<Shrinkage>(static_cast<int>(settings[1]));
  shape.share = settings[2];
  shape.towards_pooled = settings[3];
  shape.regularisation = settings[4];
  shape.by_priors = settings[5] != 0;
  shape.tolerance = settings[6];
  learned.weights_count = settings[7] != 0;
  learned.rank = static_cast<Index>(settings[8]);
}

void check_sizes(FieldReader& in, const Learned& learned) {
  const std::size_t p = at(learned.columns), classes = at(learned.classes);
  const bool quadratic = learned.shape.quadratic;
  in.require(learned.prior.size() == classes && learned.weight.size() == classes && all_positive(learned.prior) &&
                 all_positive(learned.weight) && learned.mean.size() == classes * p,
             "the priors or the means of the classes are out of range");
  in.require(learned.deviation.size() == (learned.shape.learned_share() ? classes * p : 0) &&
                 all_positive(learned.deviation) &&
                 learned.share.size() == (learned.shape.learned_share() ? classes : 0),
             "the shares of shrinkage do not fit the classes");
  in.require(learned.covariance.size() == (quadratic ? classes : 1) * p * p,
             "the covariances do not have the size of the columns");
  in.require(learned.w.size() == (quadratic ? 0 : classes * p) && learned.b.size() == (quadratic ? 0 : classes) &&
                 learned.direction.size() == learned.ratio.size() * p,
             "the coefficients of the classes do not fit the columns");
  in.require(learned.t.size() == (quadratic ? classes * p * p : 0) &&
                 learned.log_determinant.size() == (quadratic ? classes : 0) &&
                 learned.added.size() == (quadratic ? classes : 0),
             "the factors of the covariances do not fit the columns");
}

} // namespace

void DiscriminantBody::write(TensorWriter& out) const {
  const Learned& l = *learned_;
  const Index p = l.columns, classes = l.classes;
  const Shape& shape = l.shape;
  put_vector(out, "discriminant.settings",
             {shape.quadratic ? 1.0 : 0.0, static_cast<double>(shape.shrinkage), shape.share, shape.towards_pooled,
              shape.regularisation, shape.by_priors ? 1.0 : 0.0, shape.tolerance, l.weights_count ? 1.0 : 0.0,
              static_cast<double>(l.rank)});
  put_vector(out, "discriminant.prior", l.prior);
  put_vector(out, "discriminant.class_weight", l.weight);
  out.add("discriminant.mean", l.mean, {classes, p});
  out.add("discriminant.covariance", l.covariance, {shape.quadratic ? classes : 1, p, p});
  if (shape.learned_share()) {
    out.add("discriminant.deviation", l.deviation, {classes, p});
    put_vector(out, "discriminant.share", l.share);
  }
  if (shape.quadratic) {
    out.add("discriminant.factor", l.t, {classes, p, p});
    put_vector(out, "discriminant.log_determinant", l.log_determinant);
    put_vector(out, "discriminant.added", l.added);
    return;
  }
  out.add("discriminant.coefficients", l.w, {classes, p});
  put_vector(out, "discriminant.intercepts", l.b);
  if (!l.ratio.empty()) out.add("discriminant.directions", l.direction, {std::ssize(l.ratio), p});
  put_vector(out, "discriminant.ratios", l.ratio);
}

Result<std::shared_ptr<const Body>> read_body(FieldReader& in, FitSummary summary, const Schema& schema) {
  Learned learned;
  learned.columns = feature::feature_count(schema);
  learned.classes = schema.classes.count();
  const auto optional = [&](const std::string& name) {
    return in.has(name) ? in.doubles(name) : std::vector<double>{};
  };
  read_settings(in, learned);
  learned.prior = in.doubles("discriminant.prior");
  learned.weight = in.doubles("discriminant.class_weight");
  learned.mean = in.doubles("discriminant.mean");
  learned.covariance = in.doubles("discriminant.covariance");
  learned.deviation = optional("discriminant.deviation");
  learned.share = optional("discriminant.share");
  learned.t = optional("discriminant.factor");
  learned.log_determinant = optional("discriminant.log_determinant");
  learned.added = optional("discriminant.added");
  learned.w = optional("discriminant.coefficients");
  learned.b = optional("discriminant.intercepts");
  learned.direction = optional("discriminant.directions");
  learned.ratio = optional("discriminant.ratios");
  if (in.ok()) check_sizes(in, learned);
  if (!in.ok()) return in.error();
  return std::make_shared<const DiscriminantBody>(std::move(summary), std::move(learned),
                                                  feature::feature_names(schema));
}

} // namespace recta::discriminant
