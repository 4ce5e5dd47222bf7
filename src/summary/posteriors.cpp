#include "summary/posteriors.hpp"

#include "driver/clock.hpp"
#include "feature/schema.hpp"
#include "model/linear/answers.hpp"
#include "model/linear/body.hpp"
#include "model/score_rows.hpp"
#include "summary/standard_units.hpp"

#include <fmt/format.h>

namespace recta {
namespace {

constexpr double kMostNumbers = 1e7;

// The model that predicts with the weights of one step; those of softmax are b_1, w_1, b_2, w_2, ...
class StepModel {
public:
  StepModel(const Schema& schema, const StandardUnits* units, bool softmax)
      : names_(feature::feature_names(schema)), units_(units), softmax_(softmax) {
    model_.schema = schema;
    model_.word = softmax ? "softmax" : "logistic";
    own_linear(model_).targets.resize(softmax ? schema.classes.labels.size() : 1);
  }
  std::size_t weights() const { return model_.linear()->targets.size() * (names_.size() + (softmax_ ? 1 : 0)); }

  const Model& at(const TraceStep& step) {
    const double* next = step.weights.data();
    for (TargetFit& target : own_linear(model_).targets) {
      double b = softmax_ ? *next++ : step.intercept;
      std::vector<double> w(next, next + names_.size());
      next += names_.size();
      if (units_) units_->to_data(w.data(), b);
      target.intercept.value = b;
      target.coefficients.clear();
      for (std::size_t j = 0; j < w.size(); ++j) target.coefficients.push_back({.feature = names_[j], .value = w[j]});
    }
    return model_;
  }

private:
  Model model_{};
  std::vector<std::string> names_;
  const StandardUnits* units_;
  bool softmax_;
};

Result<Values> probabilities(const Model& model, RowSource& source, Index rows, Pool& pool) {
  const Index classes = model.columns(Answer::probability);
  Values out(static_cast<std::size_t>(rows * classes));
  const ClassAnswers answers(model, Answer::probability);
  const auto finish = [&](const Batch& some, double* scores, double* to) { answers.write(scores, some.rows(), to); };
  if (auto begun = source.rewind(); !begun) return std::unexpected(begun.error());
  const Written written{.out = out.data(), .columns = classes, .finish = finish};
  if (auto done = score_rows(*model.body, ScoresOf::classes, source, pool, written); !done)
    return std::unexpected(done.error());
  return out;
}

} // namespace

Result<Posteriors> posteriors_of(const Trace& trace, const Request& request, const Schema& schema, const Rows& rows,
                                 const Clock& clock) {
  const std::string& word = request.info->word;
  if (!request.info->probabilities)
    return fail(ErrorCode::usage, "posteriors", word + " has no probabilities of classes", "trace logistic or softmax");
  const auto count = rows.source.rows();
  const double numbers = static_cast<double>(count.value_or(0)) * static_cast<double>(schema.classes.count()) *
                         static_cast<double>(trace.steps.size());
  if (!count || numbers > kMostNumbers)
    return fail(
        ErrorCode::usage, "posteriors",
        fmt::format("{} steps of {} classes are {} probabilities", trace.steps.size(), schema.classes.count(), numbers),
        "record fewer steps, with --every");
  Pool pool(request.options->threads);
  std::optional<StandardUnits> units;
  if (trace.standardised) {
    auto measured = StandardUnits::of(rows.source, rows.sparse, pool, clock.watch());
    if (!measured) return std::unexpected(measured.error());
    units = *std::move(measured);
  }
  StepModel model(schema, units ? &*units : nullptr, trace.intercepts_in_weights);
  Posteriors out{.labels = schema.classes.labels};
  for (const TraceStep& step : trace.steps) {
    if (step.weights.size() != model.weights())
      return fail(ErrorCode::usage, "posteriors",
                  fmt::format("the trace has {} weights, and these rows {}", step.weights.size(), model.weights()),
                  "give the rows and the options of the trace");
    auto posterior = probabilities(model.at(step), rows.source, *count, pool);
    if (!posterior) return std::unexpected(posterior.error());
    out.steps.push_back(*std::move(posterior));
  }
  return out;
}

} // namespace recta
