#include "family/constant/constant.hpp"

#include "base/double_double.hpp"
#include "certificate/constant/certify.hpp"
#include "certificate/stated/figures.hpp"
#include "family/constant/summary.hpp"
#include "model/linear/body.hpp"
#include "params/params.hpp"
#include "stats/rows.hpp"

#include <algorithm>
#include <fmt/format.h>

namespace recta {
namespace {

struct Weighed {
  double value, weight;
};

// The targets less their offset, one list per target, for the rows that weigh anything.
Result<std::vector<std::vector<Weighed>>> targets_of(RowSource& source) {
  std::vector<std::vector<Weighed>> out(at(source.targets()));
  const auto read = for_each_batch(source, [&](const Batch& batch) -> Result<void> {
    for (Index i = 0; i < batch.rows(); ++i) {
      const double weight = batch.weight.empty() ? 1 : batch.weight[at(i)];
      if (!(weight > 0)) continue;
      const double offset = batch.offset.empty() ? 0 : batch.offset[at(i)];
      for (std::size_t t = 0; t < out.size(); ++t)
        out[t].push_back({element(batch.target, i, static_cast<Index>(t)) - offset, weight});
    }
    return {};
  });
  if (!read) return std::unexpected(read.error());
  return out;
}

double mean_of(const std::vector<Weighed>& values) {
  DoubleDouble sum, weight;
  for (const Weighed& weighed : values) sum += two_prod(weighed.value, weighed.weight), weight += weighed.weight;
  return (sum / weight).hi;
}

// The least value with at least a share q of the weight at or below it; the middle of the interval if the weight up to
// it is that share exactly, as the median of an even number of rows is.
double quantile_of(std::vector<Weighed> values, double q) {
  std::ranges::sort(values, {}, &Weighed::value);
  DoubleDouble total, below;
  for (const Weighed& weighed : values) total += weighed.weight;
  const DoubleDouble share = total * q;
  for (std::size_t i = 0; i < values.size(); ++i) {
    below += values[i].weight;
    const double left = (below - share).hi;
    if (left > 0 || i + 1 == values.size()) return values[i].value;
    if (left == 0) return values[i].value + (values[i + 1].value - values[i].value) / 2;
  }
  return kNaN; // there are rows
}

// 0: the mean.
double quantile_asked(const Params& params) {
  const std::string statistic = word(params, "statistic");
  return statistic == "mean" ? 0 : statistic == "median" ? 0.5 : number(params, "quantile");
}

std::string objective_of(double quantile, bool offset) {
  const std::string_view residual = offset ? "y_i - offset_i - b" : "y_i - b";
  if (quantile == 0) return fmt::format("F(b) = 1/(2W) sum_i s_i ({})^2", residual);
  return fmt::format("F(b) = 1/W sum_i s_i max(q r_i, (q - 1) r_i),  r_i = {},  q = {}", residual, quantile);
}

LinearSummary summary_of(const Params& params, const Schema& schema, const std::vector<double>& b,
                         const ConstantProof& proof, const FitOptions& options) {
  const bool mean = quantile_asked(params) == 0;
  LinearSummary out = constant_summary(options, mean ? "mean" : "sorting", "a constant has a closed form");
  out.rows = proof.rows;
  out.weight_sum = proof.weight;
  const auto names = feature::feature_names(schema);
  for (std::size_t t = 0; t < b.size(); ++t) out.targets.push_back(without_slopes(schema.targets.at(t), names, b[t]));
  return out;
}

class ConstantSteps final : public Steps<double, std::vector<double>, ConstantProof> {
  Result<double> pose(Work& work) const override { return quantile_asked(work.request.params); }

  Result<std::vector<double>> solve(Work& work, const double& quantile) const override {
    const auto targets = targets_of(work.rows.source);
    if (!targets) return std::unexpected(targets.error());
    std::vector<double> b;
    for (const auto& values : *targets) b.push_back(quantile == 0 ? mean_of(values) : quantile_of(values, quantile));
    return b;
  }

  Result<std::vector<double>> stated(Work& work, const double&) const override {
    std::vector<double> b;
    for (const TargetFit& target : work.stated->linear()->targets) b.push_back(target.intercept.value);
    return b;
  }

  Result<ConstantProof> prove(Work& work, const double& quantile, const std::vector<double>& b) const override {
    return certify({b, quantile, work.options().tolerance}, work.rows.source, work.watch());
  }

  Result<void> describe(Work& work, const double& quantile, const std::vector<double>& b,
                        ConstantProof& proof) const override {
    work.model.objective = objective_of(quantile, !work.schema().offset.empty());
    work.model.certificate.passes = work.verifies() ? 2 : 3;
    work.model.certificate.stop = work.verifies() ? work.stated->certificate.stop : Stop("solved in closed form");
    own_linear(work.model) = summary_of(work.request.params, work.schema(), b, proof, work.options());
    return {};
  }

  Result<void> compare(Work& work, const double&, const std::vector<double>&, ConstantProof& proof) const override {
    compare_constant(work, proof.certificate);
    return {};
  }
};

} // namespace

const Procedure& constant_procedure() {
  static const ConstantSteps steps;
  return steps;
}

} // namespace recta
