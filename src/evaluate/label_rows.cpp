#include "evaluate/label_rows.hpp"

#include "base/numbers.hpp"
#include "base/sums.hpp"
#include "evaluate/used_rows.hpp"
#include "feature/label_set.hpp"

#include <recta/label_metrics.hpp>

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <limits>
#include <unordered_set>

namespace recta {
namespace {

Result<std::vector<const Column*>> label_columns(const Model& model, const Dataset& data) {
  std::vector<const Column*> out;
  std::vector<std::string> lost;
  for (const std::string& name : model.schema.targets) {
    out.push_back(data.find(name));
    if (!out.back()) lost.push_back(name);
  }
  if (lost.empty()) return out;
  return fail(ErrorCode::bad_data, data.source,
              fmt::format("there is no column {} that holds the labels", fmt::join(lost, ", ")),
              "the rows to evaluate on need it");
}

// The labels of the model, then those that only these rows have: it never answers with one of them, and each is missed.
LabelSet with_unseen(const LabelSet& known, const Column& cells, const Column* weights, Index rows,
                     const std::string& source) {
  const std::vector<double> ones(weights ? 0 : at(rows), 1.0);
  feature::LabelLearner learner(known.separator);
  learner.accumulate(cells, weights ? std::span<const double>(weights->values) : std::span<const double>(ones));
  LabelSet all = known;
  const auto of_rows = learner.finish(source, cells.name);
  if (!of_rows) return all; // no row has a label
  const std::unordered_set<std::string> names(known.names.begin(), known.names.end());
  for (const std::string& name : of_rows->names)
    if (!names.contains(name)) all.names.push_back(name);
  return all;
}

// The labels of one row; false: they are not known.
Result<bool> read_members(const feature::LabelFinder* cells, const Dataset& data,
                          const std::vector<const Column*>& columns, Index row, std::vector<double>& out) {
  if (cells) {
    const auto read = cells->cell(data, *columns[0], row, false, out.data(), 1);
    if (!read) return std::unexpected(read.error());
    return true;
  }
  for (std::size_t k = 0; k < columns.size(); ++k) {
    const auto member = feature::LabelFinder::member(data, *columns[k], row);
    if (!member) return std::unexpected(member.error());
    if (std::isnan(*member)) return false;
    out[k] = *member;
  }
  return true;
}

} // namespace

Result<JudgedRows> judged_labels(const Model& model, const RowsToJudge& source, int threads) {
  const Dataset& data = source.outcome;
  const auto columns = label_columns(model, data);
  if (!columns) return std::unexpected(columns.error());
  const auto answers = source.class_answers(model, model.has_probabilities(), threads);
  if (!answers) return std::unexpected(answers.error());
  const auto& [predicted, score, probability] = *answers;
  JudgedRows out{.target = fmt::format("{}", fmt::join(model.schema.targets, ", "))};
  const bool cells = !model.schema.labels.separator.empty();
  const Column* weights = model.schema.weights.empty() ? nullptr : data.find(model.schema.weights);
  const auto known = model.schema.labels.names.size();
  const LabelSet all =
      cells ? with_unseen(model.schema.labels, *(*columns)[0], weights, data.rows, data.source) : model.schema.labels;
  out.set = all.names;
  const auto labels = out.set.size();
  const feature::LabelFinder finder(all);
  std::vector<double> members(labels), used;
  for (Index row = 0; row < data.rows; ++row) {
    const auto weight = row_weight(weights, data, row);
    if (!weight) return std::unexpected(weight.error());
    const std::size_t first = at(row) * known;
    if (*weight == 0 || std::isnan(predicted[first])) continue;
    const auto has_labels = read_members(cells ? &finder : nullptr, data, *columns, row, members);
    if (!has_labels) return std::unexpected(has_labels.error());
    if (!*has_labels) continue;
    used.push_back(*weight);
    for (std::size_t k = 0; k < labels; ++k) {
      out.members.push_back(members[k] > 0 ? 1 : 0);
      out.predicted_members.push_back(k < known && predicted[first + k] > 0 ? 1 : 0);
      out.score.push_back(k < known ? score[first + k] : std::numeric_limits<double>::lowest());
      if (!probability.empty()) out.probability.push_back(k < known ? probability[first + k] : 0);
    }
  }
  if (used.empty())
    return fail(ErrorCode::bad_data, data.source, "no row has labels, a positive weight and all its features",
                data.rows == 0 ? "the file has no rows" : "check the columns for missing values");
  out.rows = std::ssize(used);
  out.weight_sum = compensated_sum(used);
  if (std::ranges::any_of(used, [](double weight) { return weight != 1; })) out.weights = std::move(used);
  return out;
}

std::vector<JudgedRows> label_by_label(const JudgedRows& sets) {
  std::vector<JudgedRows> all;
  const std::size_t labels = sets.set.size();
  for (std::size_t k = 0; k < labels; ++k) {
    JudgedRows& out = all.emplace_back();
    out.target = sets.set[k];
    out.labels = {"not " + sets.set[k], sets.set[k]};
    out.rows = sets.rows, out.weight_sum = sets.weight_sum, out.weights = sets.weights;
    for (std::size_t e = k; e < sets.members.size(); e += labels) {
      out.truth.push_back(sets.members[e]);
      out.predicted.push_back(sets.predicted_members[e]);
      out.score.push_back(sets.score[e]);
      if (!sets.probability.empty())
        out.probability.insert(out.probability.end(), {1 - sets.probability[e], sets.probability[e]});
    }
  }
  return all;
}

Result<Evaluation> label_evaluation(const Model& model, const RowsToJudge& source, const std::string& loss) {
  if (!loss.empty())
    return fail(ErrorCode::usage, loss, "it is a loss of one target, and these are sets of labels", "leave it out");
  const auto rows = judged_labels(model, source, 0);
  if (!rows) return std::unexpected(rows.error());
  const Index labels = std::ssize(rows->set);
  const auto counts = metric::label_counts(rows->members, rows->predicted_members, labels, rows->weights);
  if (!counts) return std::unexpected(counts.error());
  const auto ranking = metric::ranking_loss(rows->members, rows->probability.empty() ? rows->score : rows->probability,
                                            labels, rows->weights);
  if (!ranking) return std::unexpected(ranking.error());
  Evaluation out;
  out.rows = rows->rows;
  out.weight_sum = rows->weight_sum;
  out.mean_loss = kNaN;
  LabelScore& score = out.labels.emplace();
  score.hamming_loss = counts->hamming_loss();
  score.subset_accuracy = counts->subset_accuracy();
  score.micro_f1 = counts->rates(metric::Average::micro).f;
  score.macro_f1 = counts->rates(metric::Average::macro).f;
  score.ranking_loss = *ranking;
  for (Index k = 0; k < labels; ++k) {
    const metric::Rates rates = counts->rates(metric::Average::one, k);
    score.each.push_back({rows->set[at(k)], rates.precision, rates.recall, rates.f, counts->truth[at(k)]});
  }
  return out;
}

} // namespace recta
