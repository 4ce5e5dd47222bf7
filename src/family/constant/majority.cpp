// The class of most weight. Its scores are the logarithms of the classes' shares W_k / W, the largest likelihood that
// constant probabilities have.
#include "certificate/constant/majority.hpp"

#include "certificate/stated/figures.hpp"
#include "classes/class_weights.hpp"
#include "family/constant/constant.hpp"
#include "family/constant/summary.hpp"
#include "model/linear/body.hpp"
#include "objective/constant/shares.hpp"
#include "params/params.hpp"

#include <algorithm>
#include <numeric>

namespace recta {
namespace {

Result<Index> rows_that_weigh(RowSource& source) {
  Index rows = 0;
  const auto read = for_each_batch(source, [&](const Batch& batch) -> Result<void> {
    for (Index i = 0; i < batch.rows(); ++i) rows += batch.weight.empty() || batch.weight[at(i)] > 0 ? 1 : 0;
    return {};
  });
  if (!read) return std::unexpected(read.error());
  return rows;
}

LinearSummary summary_of(const Schema& schema, const std::vector<double>& scores, const std::vector<double>& weight,
                         Index rows, const FitOptions& options) {
  LinearSummary out = constant_summary(options, "counting", "shares of the classes have a closed form");
  const Classes& classes = schema.classes;
  out.rows = rows;
  out.weight_sum = std::accumulate(weight.begin(), weight.end(), 0.0);
  const auto names = feature::feature_names(schema);
  for (std::size_t k = 0; k < scores.size(); ++k)
    out.targets.push_back(
        without_slopes(scores.size() > 1 ? classes.labels[k] : schema.targets.at(0), names, scores[k]));
  out.classes.accuracy = *std::ranges::max_element(weight) / out.weight_sum;
  out.classes.log_likelihood = out.classes.null_log_likelihood = log_likelihood_of_shares(weight);
  return out;
}

struct Counted {
  std::vector<double> weight; // of each class
  Index rows = 0;             // that weigh anything
};

// The classes and their shares are counted anew for each proof; a fit's were summed as the classes were learned.
class MajoritySteps final : public Steps<Counted, std::vector<double>, Certified> {
  Result<Counted> pose(Work& work) const override {
    auto weight = class_weights_of(work.schema().classes, work.rows, work.pool, work.watch());
    if (!weight) return std::unexpected(weight.error());
    const auto rows = rows_that_weigh(work.rows.source);
    if (!rows) return std::unexpected(rows.error());
    return Counted{*std::move(weight), *rows};
  }

  Result<std::vector<double>> solve(Work& work, const Counted&) const override {
    return scores_of_shares(work.schema().classes, work.schema().classes.weight);
  }

  Result<std::vector<double>> stated(Work& work, const Counted&) const override {
    std::vector<double> scores;
    for (const TargetFit& target : work.stated->linear()->targets) scores.push_back(target.intercept.value);
    return scores;
  }

  Result<Certified> prove(Work& work, const Counted& counted, const std::vector<double>& scores) const override {
    return Certified{certify_majority({work.schema().classes, scores, work.options().tolerance}, counted.weight)};
  }

  Result<void> describe(Work& work, const Counted& counted, const std::vector<double>& scores,
                        Certified&) const override {
    const auto& classes = work.schema().classes;
    const auto& stated_or_counted = work.verifies() ? scores_of_shares(classes, counted.weight) : scores;
    own_linear(work.model) = summary_of(work.schema(), stated_or_counted, counted.weight, counted.rows, work.options());
    return {};
  }

  Result<void> compare(Work& work, const Counted&, const std::vector<double>&, Certified& proof) const override {
    compare_constant(work, proof.certificate);
    return {};
  }
};

} // namespace

const Procedure& majority_procedure() {
  static const MajoritySteps steps;
  return steps;
}

} // namespace recta
