#include "report/classes.hpp"

#include <recta/diagnosis.hpp>

#include <cmath>
#include <fmt/format.h>

namespace recta::report {
namespace {

std::size_t at(Index k) {
  return static_cast<std::size_t>(k);
}

std::string label_of(const Classes& classes, Index k) {
  return classes.labels[at(k)] + (classes.factor.empty() ? "" : fmt::format(" x {:.6g}", classes.factor[at(k)]));
}

// The model beside one that always answers the heaviest class.
Table metrics_table(const Model& model) {
  const FitSummary& summary = model.body->summary();
  const Classes& classes = model.schema.classes;
  Table out{.key = "metrics",
            .columns = {{"model", " "},
                        {"accuracy", "accuracy"},
                        {"log_likelihood", "log-likelihood"},
                        {"deviance", "deviance"},
                        {"log_loss", "log-loss"}},
            .drops_empty = true};
  const auto add = [&](Value name, double accuracy, double log_likelihood) {
    out.rows.push_back(
        {std::move(name), accuracy, log_likelihood, -2 * log_likelihood, -log_likelihood / summary.weight_sum});
  };
  const auto heaviest = at(classes.majority());
  const ClassFit& fit = summary.classes;
  add("model", fit.accuracy, fit.log_likelihood);
  add(Sentence{"majority", {{"class", classes.labels[heaviest]}}}, classes.weight[heaviest] / summary.weight_sum,
      std::isnan(fit.log_likelihood) ? fit.log_likelihood : fit.null_log_likelihood);
  return out;
}

Group metrics_data(const Model& model) {
  const FitSummary& summary = model.body->summary();
  const Classes& classes = model.schema.classes;
  const ClassFit& fit = summary.classes;
  Group out{{"accuracy", fit.accuracy},
            {"log_likelihood", fit.log_likelihood},
            {"null_log_likelihood", fit.null_log_likelihood},
            {"deviance", -2 * fit.log_likelihood}};
  if (const LinearSummary* linear = model.linear()) {
    const TargetFit& first = linear->targets[0];
    const Information criteria = information(*linear, first);
    out.add({{"ratio", fit.ratio},
             {"ratio_freedom", fit.ratio_freedom},
             {"ratio_p_value", fit.ratio_p_value},
             {"lambda1_max", first.lambda1_max},
             {"nonzero", first.nonzero()},
             {"aic", criteria.aic},
             {"aicc", criteria.aicc},
             {"bic", criteria.bic}});
  }
  if (!std::isnan(fit.mistakes))
    out.add({{"mistakes", fit.mistakes},
             {"presented", fit.presented},
             {"radius", fit.radius},
             {"norm", fit.norm},
             {"mistake_bound", fit.mistake_bound}});
  const auto heaviest = at(classes.majority());
  return out.add("majority", Group{{"class", classes.labels[heaviest]},
                                   {"accuracy", classes.weight[heaviest] / summary.weight_sum}});
}

Sentence ratio_of(const LinearSummary& linear) {
  const ClassFit& fit = linear.classes;
  const Information criteria = information(linear, linear.targets[0]);
  return {"ratio",
          {{"ratio", fit.ratio},
           {"freedom", static_cast<Index>(fit.ratio_freedom)},
           {"p_value", fit.ratio_p_value},
           {"aic", criteria.aic},
           {"bic", criteria.bic}}};
}

} // namespace

// For two classes, the one that scores from zero up stand for, and those that "not LABEL" stands for.
Sentence classes_of(const Model& model) {
  const Classes& classes = model.schema.classes;
  const std::string& target = model.schema.targets[0];
  if (classes.count() == 2)
    return {"classes.two",
            {{"positive", label_of(classes, classes.positive)},
             {"negative", label_of(classes, 1 - classes.positive)},
             {"rest", classes.rest},
             {"target", target}}};
  Value::List labels;
  for (Index k = 0; k < classes.count(); ++k) labels.emplace_back(label_of(classes, k));
  return {"classes.many", {{"count", classes.count()}, {"target", target}, {"labels", std::move(labels)}}};
}

void add_classes(const Model& model, Group by_class, ModelParts& parts) {
  const Classes& classes = model.schema.classes;
  Group data{{"labels", classes.labels}, {"weights", classes.weight}, {"factors", classes.factor}};
  data.add("positive", classes.count() == 2 ? Value(classes.labels[at(classes.positive)]) : Value(nullptr));
  if (!classes.rest.empty()) data.add("rest", classes.rest);
  parts.data.add("classes", std::move(data.add(std::move(by_class))));
  parts.data.add("metrics", Group{{model.schema.targets[0], metrics_data(model)}});
  parts.quality.push_back({Shown{shared(metrics_table(model))}});
  if (model.is_linear() && !std::isnan(model.linear()->classes.ratio))
    parts.quality.push_back({ratio_of(*model.linear())});
}

} // namespace recta::report
