#include "evaluate/class_metrics.hpp"

#include "base/numbers.hpp"
#include "base/sums.hpp"
#include "evaluate/used_rows.hpp"
#include "feature/classes.hpp"
#include "loss/loss.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace recta {
namespace {

double weighted_mean(const LabelledRows& rows, double weight_sum, auto&& value) {
  CompensatedSum sum;
  for (std::size_t u = 0; u < rows.used.size(); ++u) sum.add_product(rows.weight[u], value(u));
  return sum.value() / weight_sum;
}

// -log of a class's probability, from the scores of its row.
double minus_log(const double* z, Index scores, const Classes& classes, Index place) {
  const auto softplus = [](double t) { return std::max(t, 0.0) + std::log1p(std::exp(-std::abs(t))); };
  if (scores == 1) return softplus(place == classes.positive ? -z[0] : z[0]);
  const double most = *std::max_element(z, z + scores);
  double sum = 0;
  for (Index k = 0; k < scores; ++k) sum += std::exp(z[k] - most);
  return std::log(sum) + most - z[place];
}

// The majority of the rows as they came: those to evaluate on have no factors of classes.
Index drawn_majority(const Classes& classes) {
  Index most = 0;
  for (Index k = 1; k < classes.count(); ++k)
    if (classes.drawn(k) > classes.drawn(most)) most = k;
  return most;
}

ClassScore score(const Model& model, const LabelledRows& rows, const RowsToJudge::ClassAnswers& answers,
                 double weight_sum) {
  const Values &predicted = answers.predicted, &scores = answers.scores;
  const Classes& classes = model.schema.classes;
  const Index k = classes.count(), width = model.columns(Answer::decision), majority = drawn_majority(classes);
  ClassScore score;
  score.labels = classes.labels;
  score.majority = classes.labels[at(majority)];
  score.confusion.assign(at(k * k), 0.0);
  for (std::size_t u = 0; u < rows.used.size(); ++u)
    score.confusion[at(rows.place[u] * k + static_cast<Index>(predicted[at(rows.used[u])]))] += rows.weight[u];
  score.accuracy = weighted_mean(rows, weight_sum, [&](std::size_t u) {
    return static_cast<double>(rows.place[u]) == predicted[at(rows.used[u])] ? 1.0 : 0.0;
  });
  score.majority_accuracy =
      weighted_mean(rows, weight_sum, [&](std::size_t u) { return rows.place[u] == majority ? 1.0 : 0.0; });
  std::vector<double> drawn;
  for (Index c = 0; c < k; ++c) drawn.push_back(classes.drawn(c));
  const double trained = compensated_sum(drawn);
  score.majority_log_loss =
      weighted_mean(rows, weight_sum, [&](std::size_t u) { return std::log(trained / drawn[at(rows.place[u])]); });
  score.log_loss = !model.has_probabilities() ? kNaN : weighted_mean(rows, weight_sum, [&](std::size_t u) {
    if (!answers.probabilities.empty()) return -std::log(answers.probabilities[at(rows.used[u] * k + rows.place[u])]);
    return minus_log(scores.data() + rows.used[u] * width, width, classes, rows.place[u]);
  });
  return score;
}

// The loss asked for, of labels -1 and 1, at the scores of two classes.
Result<const LossInfo*> asked_loss(const Model& model, const std::string& loss) {
  if (loss.empty()) return nullptr;
  for (const LossInfo& known : losses()) {
    if (known.word != loss || !loss::on_labels(loss)) continue;
    if (model.schema.classes.count() == 2 && model.body->scores() == 1) return &known;
    return fail(ErrorCode::usage, loss,
                fmt::format("it is a loss of two classes, and there are {}", model.schema.classes.count()),
                "leave it out: log-loss is given");
  }
  return fail(ErrorCode::usage, loss, "it is not a loss of labels", "logistic and hinge are");
}

} // namespace

Result<Evaluation> class_evaluation(const Model& model, const RowsToJudge& source, const std::string& loss) {
  const Dataset& data = source.outcome;
  const auto row_loss = asked_loss(model, loss);
  if (!row_loss) return std::unexpected(row_loss.error());
  const auto column = label_column(model, data);
  if (!column) return std::unexpected(column.error());
  const bool apart = model.has_probabilities() && model.body->own_probabilities(); // the scores do not give them
  const auto answers = source.class_answers(model, apart, 0);
  if (!answers) return std::unexpected(answers.error());
  const auto rows = labelled_rows(model, data, **column, answers->predicted);
  if (!rows) return std::unexpected(rows.error());
  Evaluation out;
  out.rows = std::ssize(rows->used);
  out.weight_sum = compensated_sum(rows->weight);
  out.classes = score(model, *rows, *answers, out.weight_sum);
  out.mean_loss = kNaN;
  if (!*row_loss) return out;
  out.loss = loss;
  out.mean_loss = weighted_mean(*rows, out.weight_sum, [&](std::size_t u) {
    return (*row_loss)->value(feature::class_number(model.schema.classes, rows->place[u]),
                              answers->scores[at(rows->used[u])]);
  });
  return out;
}

} // namespace recta
