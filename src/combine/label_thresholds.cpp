// The threshold of every label: as given, or chosen on rows that a fit did not see.
#include "base/numbers.hpp"
#include "combine/label_parts.hpp"
#include "data/split/row_hash.hpp"
#include "params/params.hpp"

#include <recta/split.hpp>

#include <algorithm>
#include <fmt/format.h>
#include <numeric>

namespace recta::combine {
namespace {

// Halfway between the score of the last row that is taken and the next one, where F1 = 2 tp / (taken + positive) is
// largest; NaN if no row has the label.
double best_threshold(const std::vector<double>& score, const std::vector<bool>& there,
                      const std::vector<double>& weight) {
  std::vector<std::size_t> order(score.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::sort(order, std::greater<>(),
                    [&](std::size_t i) { return score[i]; }); // rows that tie are taken at once
  double positive = 0, chosen = 0, right = 0, best = 0, threshold = kNaN;
  for (std::size_t i = 0; i < score.size(); ++i) positive += there[i] ? weight[i] : 0;
  for (std::size_t r = 0; r < order.size(); ++r) {
    const std::size_t i = order[r];
    chosen += weight[i];
    right += there[i] ? weight[i] : 0;
    if (r + 1 < order.size() && score[order[r + 1]] == score[i]) continue; // a threshold cannot divide them
    const double f1 = 2 * right / (chosen + positive);
    if (!(f1 > best)) continue;
    best = f1;
    threshold = r + 1 < order.size() ? std::midpoint(score[i], score[order[r + 1]]) : score[i];
    if (!(threshold > (r + 1 < order.size() ? score[order[r + 1]] : -kInfinity))) threshold = score[i];
  }
  return threshold;
}

// Scores by label, of probabilities if there are any.
Result<std::vector<std::vector<double>>> scores_by_label(const LabelBody& body, const LabelTable& rows) {
  std::vector<std::vector<double>> out(at(body.scores()));
  const std::vector<double> none(at(rows.table.rows));
  const auto source = rows.table.source(none);
  std::vector<double> block;
  const auto read = for_each_batch(*source, [&](const Batch& batch) -> Result<void> {
    block.resize(at(batch.rows() * body.scores()));
    auto done = body.own_probabilities() ? body.probability(batch, block.data())
                                         : body.score(batch, ScoresOf::classes, block.data());
    for (std::size_t e = 0; done && e < block.size(); ++e) out[e % out.size()].push_back(block[e]);
    return done;
  });
  if (!read) return std::unexpected(read.error());
  return out;
}

} // namespace

Result<std::vector<double>> given_thresholds(const FitOptions& options, const LabelSet& labels) {
  std::vector<double> out(labels.names.size(), kNaN);
  if (!options.label_thresholds.empty() && options.threshold_share > 0)
    return refuse("label threshold", "they are given, or chosen on rows held out", "give one of them");
  for (const auto& [label, threshold] : options.label_thresholds) {
    if (!std::isfinite(threshold))
      return refuse("label threshold", fmt::format("it is {}", threshold), "give a number");
    if (label.empty()) {
      std::ranges::fill(out, threshold);
      continue;
    }
    const auto known = std::ranges::find(labels.names, label);
    if (known == labels.names.end()) {
      const std::string near = nearest(label, labels.names);
      return refuse("label threshold", fmt::format("there is no label \"{}\"", label),
                    near.empty() ? "name the labels of the rows" : fmt::format("did you mean \"{}\"?", near));
    }
    out[at(known - labels.names.begin())] = threshold;
  }
  return out;
}

Result<std::vector<double>> chosen_thresholds(const Request& request, const LabelRows& rows, const Clock& clock) {
  const LabelTable& all = *rows.table();
  const double share = request.options->threshold_share;
  if (!(share > 0 && share < 1))
    return refuse("label threshold", fmt::format("{} is not a share of the rows", share),
                  "give one between 0 and 1, such as 0.25");
  const Split split = cut_by_hash(all.table.rows, share, request.options->seed);
  if (split.train.empty() || split.held_out.empty())
    return refuse("label threshold", fmt::format("{} of {} rows leaves none on one side", share, all.table.rows),
                  "choose another share");
  const LabelRows train(rows.schema(), rows.rows(), all.some(split.train));
  const LabelTable held_out = all.some(split.held_out);
  auto plan = plan_of(*request.options, train);
  if (!plan) return std::unexpected(plan.error());
  auto parts = fit_label_parts(request, *plan, train, clock);
  if (!parts) return std::unexpected(parts.error());
  const LabelBody body({}, all.table.cols, *plan, *std::move(parts));
  const auto scores = scores_by_label(body, held_out);
  if (!scores) return std::unexpected(scores.error());
  std::vector<double> out(at(all.labels), kNaN);
  for (Index k = 0; k < all.labels; ++k) {
    if (plan->constant[at(k)] >= 0) continue;
    std::vector<bool> there;
    for (Index i = 0; i < held_out.table.rows; ++i) there.push_back(held_out.has(i, k));
    if (std::ranges::find(there, true) == there.end() || std::ranges::find(there, false) == there.end()) continue;
    out[at(k)] = best_threshold((*scores)[at(k)], there, held_out.table.weight);
  }
  return out;
}

} // namespace recta::combine
