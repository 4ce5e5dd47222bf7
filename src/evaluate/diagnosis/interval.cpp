// Intervals at new rows: prediction -+ t sigma sqrt(u + [1]), u = 1/W + |R^-T (x - mean)|^2 the variance of the mean
// there in units of sigma^2, and 1 for the variance of one more observation (of weight one). R^-T is in the model.
#include "data/checked_table.hpp"
#include "design/array_source.hpp"
#include "design/compressed.hpp"
#include "evaluate/diagnosis/whitening.hpp"
#include "evaluate/inference/tails.hpp"
#include "feature/mapped_source.hpp"
#include "feature/table_source.hpp"
#include "model/linear/body.hpp"

#include <recta/diagnosis.hpp>
#include <recta/documents.hpp>

#include <cmath>
#include <fmt/format.h>
#include <mutex>
#include <numeric>

namespace recta {
namespace {

class MeanVariance {
public:
  explicit MeanVariance(const LinearSummary& linear)
      : linear_(linear), p_(linear.targets.at(0).coefficients.size()),
        rank_(p_ > 0 ? linear.inverse_root.size() / p_ : 0), centred_(linear.intercept || linear.standardised) {}

  double operator()(const double* x, std::vector<double>& centred) const {
    centred.assign(x, x + p_);
    for (std::size_t j = 0; j < p_ && centred_; ++j) centred[j] -= linear_.means[j];
    double sum = linear_.intercept ? 1 / linear_.weight_sum : 0;
    for (std::size_t s = 0; s < rank_; ++s) {
      double z = 0;
      for (std::size_t j = 0; j < p_; ++j) z += linear_.inverse_root[s * p_ + j] * centred[j];
      sum += z * z;
    }
    return sum;
  }

private:
  const LinearSummary& linear_;
  std::size_t p_, rank_;
  bool centred_;
};

// One number per row; rows of weight zero, which cannot be predicted, have some number nobody reads.
Result<std::vector<double>> variances(const LinearSummary& linear, RowSource& source, Index rows, Index first_row,
                                      int threads) {
  Pool pool(threads);
  const MeanVariance variance(linear);
  std::vector<double> out(static_cast<std::size_t>(rows), 0.0);
  std::mutex claiming;
  std::optional<Error> error;
  pool.run(pool.threads(), [&](Index, int) {
    const auto scratch = source.scratch();
    std::vector<double> x, centred;
    std::vector<Index> all;
    for (;;) {
      {
        const std::lock_guard lock(claiming);
        const auto block = source.claim(*scratch);
        if (!block) error = block.error();
        if (!block || !*block) return;
      }
      const auto batch = source.load(*scratch); // an error here was an error of the prediction before
      if (!batch) return;
      all.resize(static_cast<std::size_t>(batch->rows()));
      std::iota(all.begin(), all.end(), Index{0});
      diagnosis::gather_rows(*batch, all, x);
      for (std::size_t i = 0; i < all.size(); ++i)
        out[static_cast<std::size_t>(batch->first_row - first_row) + i] =
            variance(x.data() + i * static_cast<std::size_t>(batch->cols()), centred);
    }
  });
  if (error) return std::unexpected(*error);
  return out;
}

Result<void> check_model(const Model& model, double level) {
  const LinearSummary& linear = linear_or_none(model);
  if (!(level > 0 && level < 1))
    return fail(ErrorCode::usage, "interval", fmt::format("{} is not a share", level),
                "give one between 0 and 1, such as 0.95");
  if (model.classifies())
    return fail(ErrorCode::usage, model.word, "it predicts classes, which have no interval", "ask for probabilities");
  if (const ModelInfo* info = model_info(model.word); info == nullptr || !info->normal_errors)
    return fail(ErrorCode::usage, model.word, "it has no interval with a known level", "fit the model linear");
  if (model.certificate.stop.reason() == Stop::changed_by_hand)
    return fail(ErrorCode::usage, model.word, "its coefficients were changed by hand, and an interval is about a fit",
                "fit it again");
  if (linear.rank > 0 && linear.inverse_root.empty())
    return fail(ErrorCode::usage, model.word, "the model was fitted without what intervals need",
                "fit it again with --intervals");
  if (linear.rank < static_cast<Index>(linear.targets.at(0).coefficients.size()))
    return fail(ErrorCode::usage, model.word, "columns depend on others, so the mean is not determined at every row",
                "fit with --max-vif 1000, which leaves them out");
  if (!(linear.degrees_of_freedom > 0))
    return fail(ErrorCode::usage, model.word, "no degrees of freedom are left to estimate the spread from",
                "fit more rows or fewer features");
  return {};
}

Result<Intervals> around(const Model& model, Result<Values> predicted, const std::vector<double>& variance,
                         double level, IntervalOf of) {
  const std::size_t k = linear_or_none(model).targets.size();
  const double width = student_quantile(level, linear_or_none(model).degrees_of_freedom);
  Intervals out{*std::move(predicted), {}, {}};
  out.lower.resize(out.prediction.size());
  out.upper.resize(out.prediction.size());
  for (std::size_t i = 0; i < variance.size(); ++i)
    for (std::size_t t = 0; t < k; ++t) {
      const double noise = of == IntervalOf::observation ? 1 : 0, z = out.prediction[i * k + t];
      const double half = width * linear_or_none(model).targets[t].sigma * std::sqrt(variance[i] + noise);
      out.lower[i * k + t] = z - half;
      out.upper[i * k + t] = z + half;
    }
  return out;
}

} // namespace

Result<Intervals> predict_interval(const Model& model, const Dataset& data, double level, IntervalOf of, int threads) {
  UnknownTerms unknown;
  return predict_interval(model, data, unknown, level, of, threads);
}

Result<Intervals> predict_interval(const Model& model, const Dataset& data, UnknownTerms& unknown, double level,
                                   IntervalOf of, int threads) {
  return guarded(data, cure::kFewerRows, [&]() -> Result<Intervals> {
    if (auto good = check_model(model, level); !good) return std::unexpected(good.error());
    auto predicted = predict(model, data, unknown, threads);
    if (!predicted) return std::unexpected(predicted.error());
    auto binding = feature::bind(model.schema, data, feature::Need::features);
    if (!binding) return std::unexpected(binding.error());
    const feature::Encoder encoder(model.schema, *std::move(binding));
    feature::TableSource source(data, encoder);
    const auto variance = variances(linear_or_none(model), source, data.rows, data.first_row, threads);
    if (!variance) return std::unexpected(variance.error());
    return around(model, std::move(predicted), *variance, level, of);
  });
}

Result<Intervals> predict_interval(const Model& model, const Arrays& rows, double level, IntervalOf of, int threads) {
  return guarded("arrays", cure::kFewerRows, [&]() -> Result<Intervals> {
    if (auto good = check_model(model, level); !good) return std::unexpected(good.error());
    auto predicted = predict(model, rows, threads);
    if (!predicted) return std::unexpected(predicted.error());
    std::unique_ptr<RowSource> source;
    if (!model.schema.maps.empty()) {
      auto maps = feature::Maps::make(model.schema);
      if (!maps) return std::unexpected(maps.error());
      source = std::make_unique<feature::MappedSource>(rows.dense, Outcome{}, model.schema, *std::move(maps));
    } else {
      source = array_source(rows, {});
    }
    const Index count = rows.sparse.start ? rows.sparse.rows : rows.dense.rows;
    const auto variance = variances(linear_or_none(model), *source, count, 0, threads);
    if (!variance) return std::unexpected(variance.error());
    return around(model, std::move(predicted), *variance, level, of);
  });
}

} // namespace recta
