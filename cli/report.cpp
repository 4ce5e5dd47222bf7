#include "report.hpp"

#include "fit_flags.hpp"
#include "table.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <numeric>
#include <utility>

namespace recta::cli {

std::string model_title(const Model& model) {
  if (model.schema.targets.empty()) return model.word;
  return fmt::format("{} of {}", model.word, fmt::join(model.schema.targets, ", "));
}

namespace {

std::string short_number(double value, int digits) { // of a test: three digits are enough
  return number_text(value, digits > 6 ? digits : 4);
}

// With `odds` the interval is that of the odds ratio exp(w).
std::vector<std::string> coefficient_row(const Coefficient& c, bool inference, bool odds, int digits) {
  std::vector<std::string> row = {c.feature, number_text(c.value, digits), number_text(c.standardised, digits)};
  if (inference && odds) {
    row.insert(row.end(), {number_text(c.standard_error, digits), short_number(c.t, digits),
                           short_number(c.p_value, digits), number_text(std::exp(c.value), digits),
                           number_text(std::exp(c.lower), digits), number_text(std::exp(c.upper), digits)});
  } else if (odds) {
    row.push_back(number_text(std::exp(c.value), digits));
  } else if (inference) {
    row.insert(row.end(),
               {number_text(c.standard_error, digits), short_number(c.t, digits), short_number(c.p_value, digits),
                number_text(c.lower, digits), number_text(c.upper, digits)});
  }
  return row;
}

// Every feature in its order, or the `top` largest in their order.
std::vector<std::size_t> shown(const std::vector<Coefficient>& coefficients, Index top) {
  std::vector<std::size_t> order(coefficients.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  if (top <= 0 || static_cast<std::size_t>(top) >= order.size()) return order;
  const auto weight = [&](std::size_t k) {
    const double size = std::abs(coefficients[k].standardised);
    return std::isnan(size) ? -1.0 : size;
  };
  std::partial_sort(order.begin(), order.begin() + top, order.end(),
                    [&](auto a, auto b) { return std::pair(-weight(a), a) < std::pair(-weight(b), b); });
  order.resize(static_cast<std::size_t>(top));
  return order;
}

std::string coefficient_table(const Model& model, const TargetFit& fit, const Look& look) {
  const auto has_error = [](const Coefficient& c) { return !std::isnan(c.standard_error); };
  const bool inference = std::any_of(fit.coefficients.begin(), fit.coefficients.end(), has_error) ||
                         (model.linear().intercept && has_error(fit.intercept));
  std::vector<std::string> heading = {"feature", "coefficient", "standardised"};
  const bool odds = model.classifies() && model.has_probabilities() && model.linear().targets.size() == 1;
  if (inference) {
    const std::string share = number_text(100 * model.linear().confidence, 4);
    heading.insert(heading.end(), {"std. error", odds ? "z" : "t", "p"});
    if (odds) heading.emplace_back("odds ratio");
    heading.insert(heading.end(), {share + " % from", "to"});
  } else if (odds) {
    heading.emplace_back("odds ratio");
  }
  Table table(heading);
  if (model.linear().intercept) {
    Coefficient intercept = fit.intercept;
    intercept.feature = "(intercept)";
    table.add(coefficient_row(intercept, inference, odds, look.voice.digits));
  }
  const std::vector<std::size_t> order = shown(fit.coefficients, look.top);
  for (const std::size_t k : order) {
    table.add(coefficient_row(fit.coefficients[k], inference, odds, look.voice.digits));
  }
  std::string text = table.text();
  if (order.size() < fit.coefficients.size()) {
    text += fmt::format("... and {} smaller ones in standardised units; --top 0 shows all\n",
                        fit.coefficients.size() - order.size());
  }
  return text;
}

// For lasso and elastic net: the strengths, and the coefficients they left.
std::string penalty_text(const Model& model, const Look& look) {
  const LinearSummary& linear = model.linear();
  const int digits = look.voice.digits;
  std::string text;
  for (const TargetFit& fit : linear.targets) {
    if (std::isnan(fit.lambda1)) continue;
    text += "penalty    ";
    if (linear.targets.size() > 1) text += fit.target + ": ";
    text += std::isnan(linear.psi) ? fmt::format("lambda1 = {}", number_text(fit.lambda1, digits))
                                   : fmt::format("psi = {}, whose multiplier is lambda1 = {}",
                                                 number_text(linear.psi, digits), number_text(fit.lambda1, digits));
    if (linear.lambda2 > 0) text += fmt::format(", lambda2 = {}", number_text(linear.lambda2, digits));
    text += fmt::format("; from lambda1 = {} on all are zero; {} of {} coefficients are not zero\n",
                        number_text(fit.lambda1_max, digits), fit.nonzero(), fit.coefficients.size());
  }
  return text;
}

// The classes that "not LABEL" stands for.
std::string rest_text(const Classes& classes) {
  constexpr std::size_t kShown = 12;
  if (classes.rest.empty()) return "";
  const auto end = classes.rest.begin() + static_cast<std::ptrdiff_t>(std::min(classes.rest.size(), kShown));
  return fmt::format(": {}{}", fmt::join(classes.rest.begin(), end, ", "), classes.rest.size() > kShown ? ", ..." : "");
}

// For two classes, the one that scores from zero up stand for.
std::string classes_text(const Model& model) {
  const Classes& classes = model.schema.classes;
  if (!model.classifies()) return "";
  const auto label = [&](Index k) {
    const auto at = static_cast<std::size_t>(k);
    return classes.labels[at] + (classes.factor.empty() ? "" : fmt::format(" x {:.6g}", classes.factor[at]));
  };
  if (classes.count() == 2)
    return fmt::format("classes    {} (1) and {} (-1{}) of {}\n", label(classes.positive), label(1 - classes.positive),
                       rest_text(classes), model.schema.targets[0]);
  std::vector<std::string> labels;
  for (Index k = 0; k < classes.count(); ++k) labels.push_back(label(k));
  return fmt::format("classes    {} of {}: {}\n", classes.count(), model.schema.targets[0], fmt::join(labels, ", "));
}

std::string design_text(const Model& model) {
  const LinearSummary& linear = model.linear();
  const std::string size =
      fmt::format("design     {}, {}", count_text(model.body->summary().rows, "row", "rows"),
                  count_text(static_cast<Index>(model.feature_names().size()), "feature", "features"));
  if (!model.is_linear()) return size + "\n";
  if (std::isnan(linear.condition)) return size + fmt::format(", {} in use\n", linear.rank);
  return size + fmt::format(", rank {}, condition number {}{} of the scaled columns\n", linear.rank,
                            linear.condition_is_estimate ? "about " : "", number_text(linear.condition, 3));
}

// Levels that have no coefficient: those of the others are differences to them.
std::string reference_text(const Schema& schema) {
  std::vector<std::string> levels;
  for (const SchemaColumn& column : schema.columns)
    if (!column.reference.empty()) levels.push_back(column.name + "=" + column.reference);
  return levels.empty() ? "" : fmt::format("reference  {}\n", fmt::join(levels, ", "));
}

std::string alias_text(const Alias& alias, const Schema& schema, const Look& look) {
  if (alias.equals.empty() && std::ranges::find(schema.ignored, alias.feature) != schema.ignored.end())
    return alias.feature + " is ignored";
  std::string text = alias.feature + " =";
  const std::size_t terms = alias.equals.size(), shown = look.top > 0 && terms > 12 ? 8 : terms;
  for (std::size_t k = 0; k < shown; ++k) {
    const auto& [name, factor] = alias.equals[k];
    text += k == 0 ? (factor < 0 ? " -" : " ") : (factor < 0 ? " - " : " + ");
    text += number_text(std::abs(factor), look.voice.digits) + " " + name;
  }
  if (shown < terms) text += fmt::format(" + ... {} terms more", terms - shown);
  return alias.equals.empty() ? alias.feature + " is constant" : text;
}

std::string errors_text(const LinearSummary& linear) {
  if (linear.errors == StandardErrors::classical) return "classical, one variance for all rows";
  if (linear.errors == StandardErrors::cluster)
    return fmt::format("by {}", count_text(linear.clusters, "cluster", "clusters"));
  return fmt::format("{}, a variance of its own for each row", errors_name(linear.errors));
}

// Two scales may stand side by side: that of the standard errors is estimated, that of the likelihood may be stated.
std::string likelihood_text(const Model& model) {
  const LinearSummary& linear = model.linear();
  const bool stated = !model.schema.weights.empty() && linear.weights_are == WeightMeaning::precision;
  const bool given =
      std::ranges::any_of(linear.targets, [](const TargetFit& f) { return !std::isnan(f.log_likelihood); });
  if (!stated || !given) return "";
  return "likelihood of the variances 1/weight that the weights state, AIC and BIC too; sigma and the standard errors\n"
         "           are of a scale estimated beside them\n";
}

} // namespace

std::string report_text(const Report& report, const Look& look) {
  std::string text;
  for (const Report::Table& each : report.tables) {
    Table table(each.columns);
    const std::size_t most = look.top > 0 ? static_cast<std::size_t>(look.top) : each.rows.size();
    for (std::size_t i = 0; i < each.rows.size() && i < most; ++i) {
      std::vector<std::string> cells;
      for (const Report::Cell& cell : each.rows[i])
        cells.push_back(std::holds_alternative<std::string>(cell)
                            ? std::get<std::string>(cell)
                            : number_text(std::get<double>(cell), look.voice.digits));
      table.add(cells);
    }
    text += look.voice.bold(each.title) + "\n" + table.text();
    if (most < each.rows.size()) text += fmt::format("... and {} more; --top 0 shows all\n", each.rows.size() - most);
    text += "\n";
  }
  for (const Report::Figure& figure : report.figures)
    text += fmt::format("{}: {}\n", figure.text, number_text(figure.value, look.voice.digits));
  for (const std::string& remark : report.remarks) text += remark + "\n";
  return text.empty() || text.ends_with("\n\n") ? text : text + "\n";
}

std::string coefficient_tables(const Model& model, const Look& look) {
  std::string text = report_text(model.body->report(model.schema), look);
  for (const TargetFit& fit : model.linear().targets) {
    if (model.linear().targets.size() > 1) text += look.voice.bold("target " + fit.target) + "\n";
    text += coefficient_table(model, fit, look) + "\n";
  }
  return text;
}

namespace {

std::string class_metrics_text(const Model& model, const Look& look) {
  const FitSummary& summary = model.body->summary();
  const ClassFit& fit = summary.classes;
  const Classes& classes = model.schema.classes;
  const int digits = look.voice.digits;
  const double majority = classes.weight[static_cast<std::size_t>(classes.majority())] / summary.weight_sum;
  std::vector<std::string> heading = {"", "accuracy"}, first = {"model", number_text(fit.accuracy, digits)};
  std::vector<std::string> second = {"majority, always " + classes.labels[static_cast<std::size_t>(classes.majority())],
                                     number_text(majority, digits)};
  if (!std::isnan(fit.log_likelihood)) {
    heading.insert(heading.end(), {"log-likelihood", "deviance", "log-loss"});
    for (const auto& [row, value] : {std::pair{&first, fit.log_likelihood}, {&second, fit.null_log_likelihood}})
      for (const double figure : {value, -2 * value, -value / summary.weight_sum})
        row->push_back(number_text(figure, digits));
  }
  Table table(heading);
  table.add(first);
  table.add(second);
  std::string text = table.text();
  if (model.is_linear() && !std::isnan(fit.ratio)) {
    const Information criteria = information(model.linear(), model.linear().targets[0]);
    text += fmt::format(
        "\nall slopes zero: likelihood ratio {}, {} of freedom, p = {}; AIC {}, BIC {}\n",
        number_text(fit.ratio, digits), count_text(static_cast<Index>(fit.ratio_freedom), "degree", "degrees"),
        short_number(fit.ratio_p_value, digits), number_text(criteria.aic, digits), number_text(criteria.bic, digits));
  }
  return text;
}

} // namespace

std::string metrics_text(const Model& model, const Look& look) {
  if (model.classifies()) return class_metrics_text(model, look);
  if (!model.is_linear()) return "";
  using Field = std::pair<const char*, double TargetFit::*>;
  const std::vector<Field> fields = {{"mse", &TargetFit::mse},     {"rss", &TargetFit::rss},
                                     {"r2", &TargetFit::r2},       {"adjusted r2", &TargetFit::adjusted_r2},
                                     {"sigma", &TargetFit::sigma}, {"log-likelihood", &TargetFit::log_likelihood},
                                     {"F", &TargetFit::f},         {"p of F", &TargetFit::f_p_value},
                                     {"scale", &TargetFit::scale}, {"deviance", &TargetFit::deviance},
                                     {"D2", &TargetFit::d2}};
  const std::vector<TargetFit>& fits = model.linear().targets;
  std::vector<std::vector<std::string>> rows = {{""}};
  for (const TargetFit& fit : fits) rows.push_back({fit.target});
  for (const auto& [name, field] : fields) { // a figure that no target has is left out
    if (std::all_of(fits.begin(), fits.end(), [&, f = field](const TargetFit& fit) { return std::isnan(fit.*f); })) {
      continue;
    }
    rows[0].emplace_back(name);
    for (std::size_t k = 0; k < fits.size(); ++k) {
      const int digits = field == &TargetFit::f_p_value && look.voice.digits <= 6 ? 4 : look.voice.digits;
      rows[k + 1].push_back(number_text(fits[k].*field, digits));
    }
  }
  const bool known = std::any_of(fits.begin(), fits.end(), [&](const TargetFit& fit) {
    return !std::isnan(information(model.linear(), fit).aic);
  });
  for (std::size_t k = 0; known && k < fits.size(); ++k) {
    const Information criteria = information(model.linear(), fits[k]);
    if (k == 0) rows[0].insert(rows[0].end(), {"AIC", "BIC"});
    rows[k + 1].push_back(number_text(criteria.aic, look.voice.digits));
    rows[k + 1].push_back(number_text(criteria.bic, look.voice.digits));
  }
  Table table(rows[0]);
  for (std::size_t k = 1; k < rows.size(); ++k) table.add(rows[k]);
  return table.text();
}

std::string summary_text(const Model& model, const Look& look) {
  const LinearSummary& linear = model.linear();
  const ModelInfo* info = model_info(model.word);
  const bool normal_errors = info != nullptr && info->normal_errors;
  std::string text = fmt::format("objective  {}\n", model.objective);
  const FitSummary& fit = model.body->summary();
  text += fmt::format("solver     {}: {}\n", fit.solver, fit.reason);
  text += classes_text(model) + penalty_text(model, look) + design_text(model) + reference_text(model.schema);
  if (normal_errors && !std::isnan(linear.degrees_of_freedom)) {
    text += fmt::format("errors     {}, {} degrees of freedom\n", errors_text(linear),
                        number_text(linear.degrees_of_freedom, 6));
  }
  text += likelihood_text(model);
  const auto aliases = static_cast<Index>(linear.aliased.size());
  const Index listed = look.top > 0 ? std::min(aliases, look.top) : aliases;
  for (Index k = 0; k < listed; ++k) {
    text += fmt::format("aliased    {}\n", alias_text(linear.aliased[static_cast<std::size_t>(k)], model.schema, look));
  }
  if (listed < aliases) text += fmt::format("aliased    ... and {} more; --top 0 shows all\n", aliases - listed);
  if (normal_errors && linear.condition > 30 && linear.rank > 1) {
    const bool named = !model.schema.columns.empty(); // sparse columns are not left out one by one
    text += fmt::format("advice     columns nearly determine one another: penalise (fit ridge --condition 10:1000){} "
                        "{}; recta check names them\n",
                        named ? ", select\n           (--max-vif 10)" : "",
                        named ? "or transform (--components 0.99)" : "or\n           transform them");
  }
  return text;
}

namespace {

std::string class_score_text(const Evaluation& evaluation, const Look& look) {
  const ClassScore& score = *evaluation.classes;
  const int digits = look.voice.digits;
  std::vector<std::string> heading = {"", "accuracy", "log-loss"};
  const bool loss = !std::isnan(evaluation.mean_loss);
  if (loss) heading.push_back("mean " + evaluation.loss + " loss");
  Table table(heading);
  std::vector<std::string> row = {"model", number_text(score.accuracy, digits), number_text(score.log_loss, digits)};
  if (loss) row.push_back(number_text(evaluation.mean_loss, digits));
  table.add(row);
  row = {"majority, always " + score.majority, number_text(score.majority_accuracy, digits),
         number_text(score.majority_log_loss, digits)};
  if (loss) row.emplace_back("");
  table.add(row);
  std::string text = table.text();
  const std::size_t k = score.labels.size();
  constexpr std::size_t kMostShown = 20;
  if (k > kMostShown) return text + fmt::format("\n{} classes: --json gives the confusion matrix\n", k);
  heading = {"true class"};
  for (const std::string& label : score.labels) heading.push_back("as " + label);
  Table confusion(heading);
  for (std::size_t c = 0; c < k; ++c) {
    row = {score.labels[c]};
    for (std::size_t d = 0; d < k; ++d) row.push_back(number_text(score.confusion[c * k + d], digits));
    confusion.add(row);
  }
  return text + "\n" + confusion.text();
}

std::string label_score_text(const LabelScore& score, const Look& look) {
  const int digits = look.voice.digits;
  Table table({"Hamming loss", "subset accuracy", "micro F1", "macro F1", "ranking loss"});
  std::vector<std::string> row;
  for (const double figure :
       {score.hamming_loss, score.subset_accuracy, score.micro_f1, score.macro_f1, score.ranking_loss})
    row.push_back(number_text(figure, digits));
  table.add(row);
  Table labels({"label", "weight of its rows", "precision", "recall", "F1"});
  for (const LabelScore::One& one : score.each) {
    row = {one.label};
    for (const double figure : {one.weight, one.precision, one.recall, one.f1})
      row.push_back(number_text(figure, digits));
    labels.add(row);
  }
  return table.text() + "\n" + labels.text();
}

} // namespace

std::string evaluation_text(const Evaluation& evaluation, const Look& look) {
  if (evaluation.labels) return label_score_text(*evaluation.labels, look);
  if (evaluation.classes) return class_score_text(evaluation, look);
  const auto& targets = evaluation.targets;
  const bool deviance = std::any_of(targets.begin(), targets.end(), [](auto& s) { return !std::isnan(s.deviance); });
  std::vector<std::string> heading = {"", "mse", "rmse", "mae", "r2", "mean loss"};
  if (deviance) heading.insert(heading.end(), {"deviance", "D2"});
  heading.insert(heading.end(), {"largest error", "in row"});
  Table table(heading);
  const int digits = look.voice.digits;
  for (const TargetScore& score : targets) {
    std::vector<std::string> row = {score.target};
    for (const double figure : {score.mse, score.rmse, score.mae, score.r2, score.mean_loss})
      row.push_back(number_text(figure, digits));
    if (deviance) row.insert(row.end(), {number_text(score.deviance, digits), number_text(score.d2, digits)});
    row.insert(row.end(), {number_text(score.largest_error, digits), std::to_string(score.largest_error_row)});
    table.add(row);
  }
  return table.text();
}

namespace {

// A long word, such as a whole graph, by its beginning.
std::string shortened(const std::string& word) {
  constexpr std::size_t kLong = 60, kShown = 30;
  const std::size_t line = word.find('\n');
  if (line == std::string::npos && word.size() <= kLong) return word;
  std::size_t end = std::min({line, kShown, word.size()});
  while (end < word.size() && (word[end] & 0xC0) == 0x80) ++end; // a character of UTF-8 stays whole
  return fmt::format("{}... ({})", word.substr(0, end), count_text(std::ssize(word), "byte", "bytes"));
}

} // namespace

std::string params_text(const Params& params) {
  std::string text;
  for (const auto& [name, value] : params) {
    const double* number = std::get_if<double>(&value);
    const bool* on = std::get_if<bool>(&value);
    const std::string* word = std::get_if<std::string>(&value);
    if (number != nullptr && std::isnan(*number)) continue; // not given
    if ((on != nullptr && !*on) || (word != nullptr && word->empty())) continue;
    if (!text.empty()) text += ", ";
    text += name + " = ";
    if (on != nullptr) text += "yes";
    if (number != nullptr) text += shortest(*number);
    if (word != nullptr) text += shortened(*word);
  }
  return text;
}

} // namespace recta::cli
