// The JSON side of report.hpp; docs/json.md describes what is written here.
#include "fit_flags.hpp"
#include "report.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <type_traits>

namespace recta::cli {

namespace {

void coefficient_value(Json& json, const Coefficient& c, bool named, bool odds) {
  json.object();
  if (named) json.field("feature", c.feature);
  json.field("value", c.value).field("standardised", c.standardised).field("standard_error", c.standard_error);
  json.field("t", c.t).field("p_value", c.p_value).field("lower", c.lower).field("upper", c.upper);
  if (odds) {
    json.field("odds_ratio", std::exp(c.value)).field("odds_lower", std::exp(c.lower));
    json.field("odds_upper", std::exp(c.upper));
  }
  json.end();
}

void params_value(Json& json, const Params& params) {
  json.object();
  for (const auto& [name, value] : params) {
    std::visit([&, &key = name](const auto& v) { json.field(key, v); }, value);
  }
  json.end();
}

void metrics_value(Json& json, const LinearSummary& linear, const TargetFit& fit) {
  const Information criteria = information(linear, fit);
  json.object().field("rss", fit.rss).field("mse", fit.mse).field("r2", fit.r2).field("adjusted_r2", fit.adjusted_r2);
  json.field("sigma", fit.sigma).field("log_likelihood", fit.log_likelihood).field("f", fit.f);
  json.field("f_p_value", fit.f_p_value).field("lambda1", fit.lambda1).field("lambda1_max", fit.lambda1_max);
  json.field("scale", fit.scale).field("deviance", fit.deviance).field("d2", fit.d2);
  json.field("nonzero", fit.nonzero()).field("aic", criteria.aic).field("aicc", criteria.aicc);
  json.field("bic", criteria.bic).end();
}

void design_value(Json& json, const LinearSummary& linear) {
  json.object().field("rows", linear.rows).field("weight_sum", linear.weight_sum);
  json.field("degrees_of_freedom", linear.degrees_of_freedom).field("rank", linear.rank);
  json.field("condition", linear.condition).field("condition_is_estimate", linear.condition_is_estimate);
  json.field("lambda1", linear.lambda1)
      .field("lambda2", linear.lambda2)
      .field("psi", linear.psi)
      .field("intercept", linear.intercept);
  json.field("standardised", linear.standardised);
  json.field("weights_are", linear.weights_are == WeightMeaning::precision ? "precision" : "frequency");
  json.field("confidence", linear.confidence).field("errors", errors_name(linear.errors));
  json.field("clusters", linear.clusters).field("intervals", linear.rank == 0 || !linear.inverse_root.empty());
  json.key("aliased").object();
  for (const Alias& alias : linear.aliased) {
    json.key(alias.feature).object();
    for (const auto& [name, factor] : alias.equals) json.field(name, factor);
    json.end();
  }
  json.end().end();
}

void claim_fields(Json& json, const Claim& claim) {
  std::visit(
      [&](const auto& c) {
        using T = std::decay_t<decltype(c)>;
        if constexpr (std::is_same_v<T, ExactOptimum>) {
          json.field("suboptimality", c.suboptimality).field("coefficient_error", c.coefficient_error);
          json.field("backward_error", c.backward_error).field("from_merged_statistics", c.from_merged_statistics);
        } else if constexpr (std::is_same_v<T, DualityGap>) {
          json.field("primal", c.primal).field("dual", c.dual).field("gap", c.gap);
          json.field("from_merged_statistics", c.from_merged_statistics);
        } else if constexpr (std::is_same_v<T, KktResidual>) {
          json.field("residual", c.residual);
        } else if constexpr (std::is_same_v<T, SeparatingHyperplane>) {
          json.field("margin", c.margin);
          if (!std::isnan(c.gap)) json.field("gap", c.gap);
        } else if constexpr (std::is_same_v<T, NotSeparable>) {
          json.field("residual", c.residual).list("multipliers", c.multipliers);
        } else if constexpr (std::is_same_v<T, NoFiniteMaximum>) {
          json.list("direction", c.direction);
        } else if constexpr (std::is_same_v<T, Searched>) {
          json.field("candidates", c.candidates);
        } else if constexpr (std::is_same_v<T, Stationary>) {
          json.field("gradient_norm", c.gradient_norm);
        } else if constexpr (std::is_same_v<T, Described>) {
          for (const auto& [name, value] : c.figures) json.field(name, value);
        }
      },
      claim);
}

void linear_class_fields(Json& json, const LinearSummary& linear) {
  const ClassFit& fit = linear.classes;
  const Information criteria = information(linear, linear.targets[0]);
  json.field("ratio", fit.ratio).field("ratio_freedom", fit.ratio_freedom).field("ratio_p_value", fit.ratio_p_value);
  json.field("lambda1_max", linear.targets[0].lambda1_max).field("nonzero", linear.targets[0].nonzero());
  json.field("aic", criteria.aic).field("aicc", criteria.aicc).field("bic", criteria.bic);
}

void field_value(Json& json, const Report::Field& field) {
  if (const auto* number = std::get_if<double>(&field.value)) {
    json.field(field.name, *number);
  } else if (const auto* numbers = std::get_if<std::vector<double>>(&field.value)) {
    json.list(field.name, *numbers);
  } else {
    json.key(field.name).object();
    for (const Report::Field& inner : std::get<std::vector<Report::Field>>(field.value)) field_value(json, inner);
    json.end();
  }
}

// A label that is the name of another key there stands in the tables alone.
void fields_by_class(Json& json, const Report& report) {
  static constexpr std::array<std::string_view, 5> kTaken{"labels", "weights", "factors", "positive", "rest"};
  for (const Report::Field& field : report.by_class)
    if (std::ranges::find(kTaken, field.name) == kTaken.end()) field_value(json, field);
}

void class_fields(Json& json, const Model& model, const Report& report) {
  const Classes& classes = model.schema.classes;
  const FitSummary& summary = model.body->summary();
  const ClassFit& fit = summary.classes;
  const auto heaviest = static_cast<std::size_t>(classes.majority());
  json.key("classes").object().list("labels", classes.labels).list("weights", classes.weight);
  json.list("factors", classes.factor).key("positive");
  classes.count() == 2 ? json.value(classes.labels[static_cast<std::size_t>(classes.positive)]) : json.null();
  if (!classes.rest.empty()) json.list("rest", classes.rest);
  fields_by_class(json, report);
  json.end().key("metrics").object().key(model.schema.targets[0]);
  json.object().field("accuracy", fit.accuracy).field("log_likelihood", fit.log_likelihood);
  json.field("null_log_likelihood", fit.null_log_likelihood).field("deviance", -2 * fit.log_likelihood);
  if (model.is_linear()) linear_class_fields(json, model.linear());
  if (!std::isnan(fit.mistakes)) {
    json.field("mistakes", fit.mistakes).field("presented", fit.presented).field("radius", fit.radius);
    json.field("norm", fit.norm).field("mistake_bound", fit.mistake_bound);
  }
  json.key("majority").object().field("class", classes.labels[heaviest]);
  json.field("accuracy", classes.weight[heaviest] / summary.weight_sum).end().end().end();
}

// One entry per target, in the order of "targets".
template <class Write>
void by_target(Json& json, const char* key, const Model& model, const Write& write) {
  json.key(key).object();
  for (const TargetFit& fit : model.linear().targets) {
    json.key(fit.target);
    write(fit);
  }
  json.end();
}

void linear_fields(Json& json, const Model& model) {
  const bool odds = model.classifies() && model.has_probabilities() && model.linear().targets.size() == 1;
  by_target(json, "coefficients", model, [&](const TargetFit& fit) {
    json.array();
    for (const Coefficient& c : fit.coefficients) coefficient_value(json, c, true, odds);
    json.end();
  });
  by_target(json, "intercept", model,
            [&](const TargetFit& fit) { coefficient_value(json, fit.intercept, false, odds); });
  if (!model.classifies())
    by_target(json, "metrics", model, [&](const TargetFit& fit) { metrics_value(json, model.linear(), fit); });
}

} // namespace

void report_fields(Json& json, const Report& report) {
  json.key("figures").object();
  for (const Report::Figure& figure : report.figures) json.field(figure.name, figure.value);
  json.end().key("tables").object();
  for (const Report::Table& table : report.tables) {
    json.key(table.name).object().list("columns", table.columns).key("rows").array();
    for (const auto& row : table.rows) {
      json.line();
      for (const Report::Cell& cell : row) std::visit([&](const auto& value) { json.value(value); }, cell);
      json.end();
    }
    json.end().end();
  }
  json.end().list("remarks", report.remarks);
  for (const Report::Field& field : report.fields) field_value(json, field);
}

void certificate_value(Json& json, const Certificate& certificate) {
  json.object().field("verdict", name(certificate.verdict)).field("claim", name(certificate.claim));
  claim_fields(json, certificate.claim);
  json.field("objective", certificate.objective).field("null_objective", certificate.null_objective);
  json.field("tolerance", certificate.tolerance).field("slack", certificate.slack);
  json.field("passes", certificate.passes).field("stop", certificate.stop.text());
  json.list("conditions", certificate.conditions).field("sentence", certificate.sentence()).end();
}

void model_fields(Json& json, const Model& model) {
  json.field("model", model.word).key("params");
  params_value(json, model.params);
  json.field("objective", model.objective).key("certificate");
  certificate_value(json, model.certificate);
  json.list("targets", model.schema.targets);
  const Report report = model.is_linear() ? Report{} : model.body->report(model.schema);
  if (model.is_linear())
    linear_fields(json, model);
  else
    report_fields(json, report);
  if (model.classifies()) class_fields(json, model, report);
  if (model.has_label_set()) json.list("labels", model.schema.labels.names);
  json.key("references").object();
  for (const SchemaColumn& column : model.schema.columns)
    if (!column.reference.empty()) json.field(column.name, column.reference);
  json.end().list("conditions", model.certificate.conditions);
  const FitSummary& fit = model.body->summary();
  json.key("solver").object().field("name", fit.solver).field("reason", fit.reason).end();
  json.key("design");
  if (model.is_linear())
    design_value(json, model.linear());
  else
    json.object().field("rows", fit.rows).field("weight_sum", fit.weight_sum).end();
}

namespace {

void class_score_value(Json& json, const Evaluation& evaluation) {
  const ClassScore& score = *evaluation.classes;
  json.object().field("accuracy", score.accuracy).field("log_loss", score.log_loss);
  json.field("mean_loss", evaluation.mean_loss);
  json.key("majority").object().field("class", score.majority).field("accuracy", score.majority_accuracy);
  json.field("log_loss", score.majority_log_loss).end();
  json.key("confusion").array();
  const std::size_t k = score.labels.size();
  for (std::size_t c = 0; c < k; ++c) {
    json.line();
    for (std::size_t d = 0; d < k; ++d) json.value(score.confusion[c * k + d]);
    json.end();
  }
  json.end().end();
}

void label_score_value(Json& json, const LabelScore& score) {
  json.object().field("hamming_loss", score.hamming_loss).field("subset_accuracy", score.subset_accuracy);
  json.field("micro_f1", score.micro_f1).field("macro_f1", score.macro_f1).field("ranking_loss", score.ranking_loss);
  json.key("labels").object();
  for (const LabelScore::One& one : score.each)
    json.key(one.label)
        .object()
        .field("weight", one.weight)
        .field("precision", one.precision)
        .field("recall", one.recall)
        .field("f1", one.f1)
        .end();
  json.end().end();
}

} // namespace

void evaluation_fields(Json& json, const Model& model, const Evaluation& evaluation) {
  json.field("rows", evaluation.rows).field("weight_sum", evaluation.weight_sum);
  json.key("loss");
  evaluation.loss.empty() ? json.null() : json.value(evaluation.loss);
  if (evaluation.classes) json.list("classes", evaluation.classes->labels);
  if (evaluation.labels) json.list("labels", model.schema.labels.names);
  json.key("metrics").object();
  if (evaluation.classes) {
    json.key(model.schema.targets[0]);
    class_score_value(json, evaluation);
  }
  if (evaluation.labels) {
    json.key("labels");
    label_score_value(json, *evaluation.labels);
  }
  for (const TargetScore& score : evaluation.targets) {
    json.key(score.target).object().field("mse", score.mse).field("rmse", score.rmse).field("mae", score.mae);
    json.field("r2", score.r2).field("mean_loss", score.mean_loss).field("largest_error", score.largest_error);
    json.field("largest_error_row", score.largest_error_row);
    json.field("deviance", score.deviance).field("d2", score.d2).end();
  }
  json.end();
}

} // namespace recta::cli
