#include "family/kernel_ridge/body.hpp"

#include "base/numbers.hpp"
#include "feature/schema.hpp"
#include "model_file/put.hpp"

#include <algorithm>

namespace recta::kernel_ridge {

Result<void> RidgeBody::score(const Batch& rows, ScoresOf, double* out) const {
  std::fill(out, out + rows.rows() * learned_.targets(), kNaN);
  const std::size_t count = at(points_.count());
  std::vector<Expanded> targets;
  for (std::size_t t = 0; t < learned_.b.size(); ++t)
    targets.push_back({{}, std::span(learned_.alpha).subspan(t * count, count), learned_.b[t]});
  return expand(learned_.kernel, *kernel_, points_, rows, targets, out);
}

Report RidgeBody::report(const Schema& schema) const {
  Report out;
  out.figures.push_back({"rows_kept", "rows with a coefficient", static_cast<double>(learned_.vectors.rows.size())});
  out.figures.push_back({"lambda", "strength of the penalty beside the mean loss, lambda", learned_.lambda});
  if (learned_.targets() == 1) {
    if (learned_.intercept) out.figures.push_back({"intercept", "intercept", learned_.b[0]});
    out.figures.push_back({"squared_norm", "|w|^2", learned_.squared[0]});
    out.figures.push_back({"mse", "mean squared error", learned_.mse[0]});
    if (!std::isnan(learned_.r2[0])) out.figures.push_back({"r2", "R^2", learned_.r2[0]});
    if (!learned_.left_out.empty())
      out.figures.push_back({"loo_mse", "mean squared error on rows left out", learned_.left_out[0]});
    return out;
  }
  Report::Table table{"targets", "targets", {"target", "intercept", "|w|^2", "mse", "r2"}, {}};
  if (!learned_.left_out.empty()) table.columns.emplace_back("loo mse");
  for (Index t = 0; t < learned_.targets(); ++t) {
    const std::string name = t < std::ssize(schema.targets) ? schema.targets[at(t)] : std::to_string(t + 1);
    table.rows.push_back({name, learned_.b[at(t)], learned_.squared[at(t)], learned_.mse[at(t)], learned_.r2[at(t)]});
    if (!learned_.left_out.empty()) table.rows.back().emplace_back(learned_.left_out[at(t)]);
  }
  out.tables.push_back(std::move(table));
  return out;
}

void RidgeBody::write(TensorWriter& out) const {
  const Index count = std::ssize(learned_.vectors.rows), targets = learned_.targets();
  write_kernel(out, "kernel_ridge", learned_.kernel);
  const std::vector<Index> shape{learned_.vectors.features, targets, learned_.intercept ? 1 : 0,
                                 learned_.vectors.sparse ? 1 : 0, learned_.kernel.degree};
  out.add("kernel_ridge.shape", shape, {std::ssize(shape)});
  learned_.vectors.write(out, "kernel_ridge", false);
  out.add("kernel_ridge.alpha", learned_.alpha, {targets, count});
  out.add("kernel_ridge.b", learned_.b, {targets});
  out.add("kernel_ridge.lambda", std::vector<double>{learned_.lambda}, {1});
  out.add("kernel_ridge.mse", learned_.mse, {targets});
  put(out, "kernel_ridge.r2", learned_.r2, {targets});
  out.add("kernel_ridge.squared", learned_.squared, {targets});
  put_vector(out, "kernel_ridge.left_out", learned_.left_out);
}

Result<std::shared_ptr<const Body>> RidgeBody::read(FieldReader& in, FitSummary summary, const Schema& schema) {
  Learned out;
  const auto shape = in.counts("kernel_ridge.shape");
  in.require(shape.size() == 5, "its kernel is not described");
  if (!in.ok()) return in.error();
  const Index targets = shape[1];
  out.kernel = read_kernel(in, "kernel_ridge", shape[4]);
  in.require(shape[2] <= 1 && shape[3] <= 1, "an answer of yes or no is neither 0 nor 1");
  out.vectors.features = shape[0], out.intercept = shape[2] != 0, out.vectors.sparse = shape[3] != 0;
  in.require(out.vectors.features == feature::feature_count(schema), "its columns do not make the features it reads");
  in.require(targets > 0 && targets == std::ssize(schema.targets), "it has another number of targets than its schema");
  if (in.ok()) out.vectors.read(in, "kernel_ridge", *kernel::make_kernel(out.kernel), schema, false);
  out.alpha = in.doubles("kernel_ridge.alpha");
  out.b = in.doubles("kernel_ridge.b");
  out.mse = in.doubles("kernel_ridge.mse");
  out.r2 = in.doubles_or_nan("kernel_ridge.r2", {targets});
  out.squared = in.doubles("kernel_ridge.squared");
  if (in.has("kernel_ridge.left_out")) out.left_out = in.doubles("kernel_ridge.left_out");
  const auto lambda = in.doubles("kernel_ridge.lambda");
  const auto fits = [&](const std::vector<double>& numbers) { return std::ssize(numbers) == targets; };
  in.require(std::ssize(out.alpha) == std::ssize(out.vectors.rows) * targets, "its rows have other coefficients");
  in.require(fits(out.b) && fits(out.mse) && fits(out.r2) && fits(out.squared) &&
                 (out.left_out.empty() || fits(out.left_out)),
             "it does not have one number per target");
  in.require(lambda.size() == 1 && lambda[0] > 0, "it has no strength");
  if (!in.ok()) return in.error();
  out.lambda = lambda[0];
  return std::make_shared<const RidgeBody>(std::move(out), std::move(summary));
}

} // namespace recta::kernel_ridge
