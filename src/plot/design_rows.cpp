#include "plot/design_rows.hpp"

#include "base/factor/cholesky.hpp"
#include "feature/table_source.hpp"
#include "model/linear/body.hpp"
#include "stats/reduce.hpp"

namespace recta::plot {
namespace {

constexpr double kDependent = 1e-26; // of a remainder that is rounding in double-double

// C of the features in double-double, with the means added back if there is no intercept.
Cholesky<DoubleDouble> factor(const Gram& g, bool centred) {
  const auto d = static_cast<std::size_t>(g.size()), p = static_cast<std::size_t>(g.cols);
  std::vector<DoubleDouble> a(p * p);
  for (std::size_t j = 0; j < p; ++j)
    for (std::size_t i = 0; i <= j; ++i) {
      const std::size_t at = i * d + j; // row j of column i: the lower triangle
      DoubleDouble sum{g.scatter[at], g.scatter_low[at]};
      if (!centred) {
        const DoubleDouble product = DoubleDouble{g.mean[i], g.mean_low[i]} * DoubleDouble{g.mean[j], g.mean_low[j]};
        sum = sum + product * DoubleDouble{g.weight, g.weight_low};
      }
      a[j * p + i] = sum;
    }
  return {std::move(a), g.cols, kDependent};
}

DoubleDouble entry(const MatrixView& x, Index i, Index j) {
  const Index at = i * x.row_stride + j * x.col_stride;
  if (x.scalar == Scalar::float32) return {static_cast<const float*>(x.data)[at]};
  return {static_cast<const double*>(x.data)[at], x.low != nullptr ? x.low[at] : 0};
}

double variance(const Cholesky<DoubleDouble>& r, const std::vector<DoubleDouble>& x) {
  DoubleDouble sum;
  for (const DoubleDouble& z : r.forward(x)) sum = sum + z * z;
  return sum.hi;
}

} // namespace

Result<Gram> products(const Model& model, const Dataset& data) {
  auto binding = feature::bind(model.schema, data, feature::Need::features_and_targets);
  if (!binding) return std::unexpected(binding.error());
  const feature::Encoder encoder(model.schema, *std::move(binding));
  feature::TableSource source(data, encoder);
  Pool pool(1);
  const auto partial = reduce(source, Gram(source.cols(), source.targets(), Precision::extended), pool);
  if (!partial) return std::unexpected(partial.error());
  Gram gram = partial->total();
  if (gram.rows == 0)
    return fail(ErrorCode::bad_data, data.source, "no row has all its features and a positive weight");
  return gram;
}

Result<std::vector<double>> variances(const Model& model, const Gram& training, const Dataset& data) {
  auto binding = feature::bind(model.schema, data, feature::Need::features);
  if (!binding) return std::unexpected(binding.error());
  const feature::Encoder encoder(model.schema, *std::move(binding));
  feature::TableSource source(data, encoder);
  const bool centred = linear_or_none(model).intercept;
  const Cholesky<DoubleDouble> r = factor(training, centred);
  std::vector<double> out;
  const auto read = for_each_batch(source, [&](const Batch& batch) -> Result<void> {
    const MatrixView* dense = std::get_if<MatrixView>(&batch.x);
    if (dense == nullptr) return fail(ErrorCode::usage, data.source, "bands are drawn for dense features");
    for (Index i = 0; i < dense->rows; ++i) {
      std::vector<DoubleDouble> x;
      for (Index j = 0; j < dense->cols; ++j) {
        const auto at = static_cast<std::size_t>(j);
        x.push_back(centred ? entry(*dense, i, j) - DoubleDouble{training.mean[at], training.mean_low[at]}
                            : entry(*dense, i, j));
      }
      out.push_back(variance(r, x) + (centred ? 1 / training.weight : 0));
    }
    return {};
  });
  if (!read) return std::unexpected(read.error());
  return out;
}

} // namespace recta::plot
