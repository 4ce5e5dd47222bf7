#include "base/numbers.hpp"
#include "data/checked_table.hpp"
#include "design/outcome.hpp"
#include "feature/schema.hpp"
#include "model/linear/body.hpp"
#include "model/score_rows.hpp"
#include "model/used_rows.hpp"

#include <recta/explain.hpp>

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace recta {
namespace {

template <class Data>
Result<Values> transform_data(const Model& model, const Data& data, int threads) {
  const Index columns = std::ssize(model.body->coordinates());
  if (columns == 0) {
    Batch none;
    const auto refused = model.body->transform(none, nullptr);
    return refused ? fail(ErrorCode::usage, model.word, "this model has no coordinates of its own")
                   : std::unexpected(refused.error());
  }
  Values out;
  const auto done = use_rows(model, data, [&](const UsedRows& used) -> Result<void> {
    Pool pool(threads);
    out.resize(at(used.rows * columns));
    const auto project = [&](const Batch& some, double* to) { return model.body->transform(some, to); };
    return score_rows({columns, project}, used.source, pool, {out.data(), columns}, used.first_row);
  });
  if (!done) return std::unexpected(done.error());
  return out;
}

// "Row 3 is predicted as spam."
Result<report::Sentence> prediction_of(const Model& model, const Batch& row, Index number) {
  const Body& body = *model.body;
  std::vector<double> scores(at(body.scores()));
  const ScoresOf of = model.classifies() ? ScoresOf::classes : ScoresOf::numbers;
  if (auto done = body.score(row, of, scores.data()); !done) return std::unexpected(done.error());
  const auto predicted = [&](report::Value answer) {
    return report::Sentence{"explain.row", {{"row", number + 1}, {"answer", std::move(answer)}}};
  };
  if (!model.classifies()) {
    report::Value::List targets;
    for (std::size_t t = 0; t < scores.size(); ++t)
      targets.emplace_back(report::Sentence{
          "explain.target",
          {{"target", model.schema.targets.at(t)}, {"value", model.log_link() ? std::exp(scores[t]) : scores[t]}}});
    return predicted(std::move(targets));
  }
  // The rule of ties: of two classes the positive one, else the first.
  const Classes& classes = model.schema.classes;
  Index best = std::ranges::max_element(scores) - scores.begin();
  if (scores.size() == 1)
    best = scores[0] >= 0 ? classes.positive : 1 - classes.positive;
  else if (classes.count() == 2 && scores[0] == scores[1])
    best = classes.positive;
  return predicted(classes.labels[at(best)]);
}

Result<Report> explain_batch(const Model& model, const Batch& row, Index number) {
  auto report = model.body->explain(row, model.schema);
  if (!report) return report;
  auto answer = prediction_of(model, row, number);
  if (!answer) return std::unexpected(answer.error());
  report->remarks.insert(report->remarks.begin(), *std::move(answer));
  return report;
}

template <class Data>
Result<Report> explain_data(const Model& model, const Data& data, Index row, const std::string& source) {
  Result<Report> out = fail(ErrorCode::bad_data, source, fmt::format("there is no row {}", row + 1),
                            "give the number of one of its rows, from 1");
  const auto done = use_rows(model, data, [&](const UsedRows& used) -> Result<void> {
    if (row < 0 || row >= used.rows) return {};
    return for_each_batch(used.source, [&](const Batch& batch) -> Result<void> {
      const Index place = row + used.first_row - batch.first_row;
      if (place < 0 || place >= batch.rows()) return {};
      const Batch row_batch = rows_of(batch, place, 1);
      if (!row_batch.weight.empty() && !(row_batch.weight[0] > 0))
        out = fail(ErrorCode::bad_data, source, fmt::format("row {} has missing values and no answer", row + 1),
                   "explain another row");
      else
        out = explain_batch(model, row_batch, row);
      return {};
    });
  });
  if (!done) return std::unexpected(done.error());
  return out;
}

LinearSummary summary_of(const Model& model, const LinearForm& form) {
  const auto coefficient = [](std::string name, double value) {
    Coefficient out{.feature = std::move(name), .value = value};
    out.standardised = out.standard_error = out.t = out.p_value = out.lower = out.upper = kNaN;
    return out;
  };
  LinearSummary out;
  static_cast<FitSummary&>(out) = model.body->summary();
  out.degrees_of_freedom = out.condition = kNaN;
  const Classes& classes = model.schema.classes;
  const std::vector<std::string> names = feature::feature_names(model.schema);
  const std::size_t p = names.size(), positive = at(classes.positive);
  const bool two = classes.count() == 2;
  for (std::size_t k = two ? positive : 0; k < (two ? positive + 1 : form.b.size()); ++k) {
    const auto less = [&](const std::vector<double>& values, std::size_t stride, std::size_t j) {
      return two ? values[k * stride + j] - values[(1 - k) * stride + j] : values[k * stride + j];
    };
    TargetFit fit;
    fit.target = two ? model.schema.targets.at(0) : classes.labels[k];
    fit.intercept = coefficient("intercept", less(form.b, 1, 0));
    for (std::size_t j = 0; j < p; ++j) fit.coefficients.push_back(coefficient(names[j], less(form.w, p, j)));
    for (double* none :
         {&fit.rss, &fit.mse, &fit.r2, &fit.adjusted_r2, &fit.sigma, &fit.log_likelihood, &fit.f, &fit.f_p_value})
      *none = kNaN;
    out.targets.push_back(std::move(fit));
  }
  return out;
}

} // namespace

Result<Values> transform(const Model& model, const Dataset& data, int threads) {
  return guarded(data, cure::kFewerRows, [&] { return transform_data(model, data, threads); });
}
Result<Values> transform(const Model& model, const Arrays& rows, int threads) {
  return guarded("arrays", cure::kFewerRows, [&] { return transform_data(model, rows, threads); });
}

Result<Report> explain(const Model& model, const Dataset& data, Index row) {
  return guarded(data, cure::kFewerRows, [&] { return explain_data(model, data, row, data.source); });
}
Result<Report> explain(const Model& model, const Arrays& rows, Index row) {
  return guarded("arrays", cure::kFewerRows, [&] { return explain_data(model, rows, row, "arrays"); });
}

Result<Model> as_linear(const Model& model) {
  if (model.is_linear()) return model;
  const auto* body = dynamic_cast<const LinearScores*>(model.body.get());
  if (!body)
    return fail(ErrorCode::usage, model.word, "its scores are not linear in the features",
                "convert lda, nearest-centroid, or naive-bayes of bernoulli or multinomial columns");
  const auto form = body->linear_form();
  if (!form) return std::unexpected(form.error());
  Model out = model;
  out.body = std::make_shared<LinearBody>(summary_of(model, *form));
  out.certificate.conditions.push_back("converted to weights and intercepts, which verify does not prove again");
  return out;
}

} // namespace recta
