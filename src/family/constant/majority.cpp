// The class of most weight. Its scores are the logarithms of the classes' shares W_k / W, the largest likelihood that
// constant probabilities have.
#include "family/class_weights.hpp"
#include "family/constant/constant.hpp"
#include "family/constant/summary.hpp"
#include "family/figures.hpp"
#include "family/params.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
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

// For two classes the log-odds of the positive one, else one score per class. The first of equal classes is taken: the
// positive one wins at a score of 0, so the other needs one below it, the nearest.
std::vector<double> scores_of(const Classes& classes, const std::vector<double>& weight) {
  if (classes.count() == 2 && weight[0] == weight[1])
    return {classes.positive == 0 ? 0 : -std::numeric_limits<double>::denorm_min()};
  if (classes.count() == 2) return {std::log(weight[at(classes.positive)] / weight[at(1 - classes.positive)])};
  const double total = std::accumulate(weight.begin(), weight.end(), 0.0);
  std::vector<double> scores;
  for (const double one : weight) scores.push_back(std::log(one / total));
  return scores;
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
  double likelihood = 0;
  for (const double one : weight)
    if (one > 0) likelihood += one * std::log(one / out.weight_sum);
  out.classes.log_likelihood = out.classes.null_log_likelihood = likelihood;
  return out;
}

Certificate counted(const LinearSummary& linear, bool agrees) {
  Certificate out;
  out.claim = Counted{};
  out.verdict = agrees ? Verdict::proved : Verdict::refuted;
  out.objective = out.null_objective = -linear.classes.log_likelihood / linear.weight_sum;
  out.passes = 2;
  out.stop = "counted";
  return out;
}

} // namespace

Result<Model> fit_majority(const Request& request, Schema schema, const Rows& rows, const Clock& clock) {
  Pool pool(request.options->threads);
  const auto pass = checked_pass(rows, schema, pool, clock.watch());
  if (!pass) return std::unexpected(pass.error());
  // The weights were summed as the classes were learned; the proof counts them again from the rows.
  const std::vector<double> scores = scores_of(schema.classes, schema.classes.weight);
  const auto weight = class_weights_of(schema.classes, rows, pool, clock.watch());
  if (!weight) return std::unexpected(weight.error());
  const auto counted_rows = rows_that_weigh(rows.source);
  if (!counted_rows) return std::unexpected(counted_rows.error());
  Model model = begin_model(request, pass->fingerprint.fingerprint());
  model.linear() = summary_of(schema, scores, *weight, *counted_rows, *request.options);
  model.certificate = counted(model.linear(), scores == scores_of(schema.classes, *weight));
  model.certificate.tolerance = request.options->tolerance;
  model.schema = std::move(schema);
  return model;
}

Result<Certificate> verify_majority(const Model& model, const Rows& rows, const Clock& clock) {
  Pool pool;
  if (const auto pass = recognise(model, rows, {}, pool, clock); !pass) return std::unexpected(pass.error());
  const auto weight = class_weights_of(model.schema.classes, rows, pool, clock.watch());
  if (!weight) return std::unexpected(weight.error());
  const auto counted_rows = rows_that_weigh(rows.source);
  if (!counted_rows) return std::unexpected(counted_rows.error());
  std::vector<double> stored;
  for (const TargetFit& target : model.linear().targets) stored.push_back(target.intercept.value);
  const std::vector<double> scores = scores_of(model.schema.classes, *weight);
  const LinearSummary again = summary_of(model.schema, scores, *weight, *counted_rows, options_of(model));
  Certificate certificate = counted(again, stored == scores);
  certificate.tolerance = model.certificate.tolerance;
  refute_slopes(model, certificate);
  compare_figures(model, again, certificate);
  return certificate;
}

} // namespace recta
