// A model as a document: what it learned, how well it fits, and the lines about its fit.
#include "report/body.hpp"
#include "report/classes.hpp"
#include "report/diagnosis.hpp"

#include <recta/diagnosis.hpp>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <fmt/format.h>

namespace recta::report {
namespace {

constexpr const char* kErrors[] = {"classical", "hc0", "hc1", "hc2", "hc3", "cluster"};

// A long word, such as a whole graph, by its beginning.
std::string shortened(const std::string& word) {
  constexpr std::size_t kLong = 60, kShown = 30;
  const std::size_t line = word.find('\n');
  if (line == std::string::npos && word.size() <= kLong) return word;
  std::size_t end = std::min({line, kShown, word.size()});
  while (end < word.size() && (word[end] & 0xC0) == 0x80) ++end; // a character of UTF-8 stays whole
  return fmt::format("{}... ({})", word.substr(0, end), count_text(std::ssize(word), "byte", "bytes"));
}

// "" unless it is given.
std::string value_text(const ParamValue& value) {
  if (const double* number = std::get_if<double>(&value)) return std::isnan(*number) ? "" : shortest(*number);
  if (const bool* on = std::get_if<bool>(&value)) return *on ? "yes" : "";
  return shortened(std::get<std::string>(value));
}

// Whether the value is one of these, or a sum or product of which one is a part.
bool is_one_of(std::string_view value, const std::vector<std::string>& words) {
  if (std::ranges::find(words, value) != words.end()) return true;
  for (const std::string& word : words)
    for (std::string_view rest = value;;) {
      const std::size_t end = rest.find_first_of("+*");
      if (rest.substr(0, end) == word) return true;
      if (end == std::string_view::npos) break;
      rest.remove_prefix(end + 1);
    }
  return false;
}

bool plays_a_part(const std::string& name, const Model& model) {
  const ModelInfo* info = model_info(model.word);
  if (info == nullptr) return true;
  const auto param = std::ranges::find(info->params, name, &ParamInfo::name);
  if (param == info->params.end() || param->only_with.param.empty()) return true;
  const auto other = model.params.find(param->only_with.param);
  const std::string value = other == model.params.end() ? "" : value_text(other->second);
  return param->only_with.values.empty() ? !value.empty() : is_one_of(value, param->only_with.values);
}

// The parameters that have a part in the fit and whose choice no other line states.
std::string params_text(const Model& model) {
  std::string text;
  for (const auto& [name, value] : model.params)
    if (const std::string shown = value_text(value); !shown.empty() && shown != "auto" && plays_a_part(name, model))
      text += (text.empty() ? "" : ", ") + name + " = " + shown;
  return text;
}

// A linear model: coefficients with their tests, target by target, and figures of the fit.
struct Linear {
  const Model& model;
  const LinearSummary& linear = *model.linear();
  bool odds = model.classifies() && model.has_probabilities() && linear.targets.size() == 1;

  static bool has_error(const Coefficient& c) { return !std::isnan(c.standard_error); }

  // Titles are those of the columns that have a figure; for odds the interval is that of the odds ratio exp(w).
  std::vector<Column> columns(bool inference) const {
    const auto title = [&](bool shown, std::string text) { return shown && inference ? std::move(text) : ""; };
    const std::string from = number_text(100 * linear.confidence, 4) + " % from";
    std::vector<Column> out = {{"feature", "feature"},
                               {"value", "coefficient"},
                               {"standardised", "standardised"},
                               {"standard_error", title(true, "std. error")},
                               {"t", title(true, odds ? "z" : "t"), -4},
                               {"p_value", title(true, "p"), -4},
                               {"lower", title(!odds, from)},
                               {"upper", title(!odds, "to")}};
    if (odds)
      out.insert(out.end(),
                 {{"odds_ratio", "odds ratio"}, {"odds_lower", title(true, from)}, {"odds_upper", title(true, "to")}});
    return out;
  }
  std::vector<Value> row(const Coefficient& c, const std::string& feature) const {
    std::vector<Value> out = {feature, c.value, c.standardised, c.standard_error, c.t, c.p_value, c.lower, c.upper};
    if (odds) out.insert(out.end(), {std::exp(c.value), std::exp(c.lower), std::exp(c.upper)});
    return out;
  }
  std::shared_ptr<const Table> coefficients(const TargetFit& fit) const {
    const bool inference =
        std::ranges::any_of(fit.coefficients, has_error) || (linear.intercept && has_error(fit.intercept));
    Table out{
        .key = "coefficients", .columns = columns(inference), .ranked_by = "standardised", .rest = "coefficients.more"};
    if (linear.intercept) out.rows.push_back(row(fit.intercept, "(intercept)"));
    out.unlisted = out.rows.size();
    for (const Coefficient& c : fit.coefficients) out.rows.push_back(row(c, c.feature));
    return shared(std::move(out));
  }
  Group intercept(const TargetFit& fit) const {
    const std::vector<Value> figures = row(fit.intercept, "");
    const std::vector<Column> keys = columns(false);
    Group out;
    for (std::size_t k = 1; k < figures.size(); ++k) out.add(keys[k].key, figures[k]);
    return out;
  }

  std::shared_ptr<const Table> metrics() const {
    Table out{.key = "metrics",
              .columns = {{"target", " "},
                          {"rss", "rss"},
                          {"mse", "mse"},
                          {"r2", "r2"},
                          {"adjusted_r2", "adjusted r2"},
                          {"sigma", "sigma"},
                          {"log_likelihood", "log-likelihood"},
                          {"f", "F"},
                          {"f_p_value", "p of F", -4},
                          {"lambda1"},
                          {"lambda1_max"},
                          {"scale", "scale"},
                          {"deviance", "deviance"},
                          {"d2", "D2"},
                          {"nonzero"},
                          {"aic", "AIC"},
                          {"aicc"},
                          {"bic", "BIC"}},
              .shape = Shape::named,
              .drops_empty = true};
    for (const TargetFit& fit : linear.targets) {
      const Information criteria = information(linear, fit);
      out.rows.push_back({fit.target, fit.rss, fit.mse, fit.r2, fit.adjusted_r2, fit.sigma, fit.log_likelihood, fit.f,
                          fit.f_p_value, fit.lambda1, fit.lambda1_max, fit.scale, fit.deviance, fit.d2, fit.nonzero(),
                          criteria.aic, criteria.aicc, criteria.bic});
    }
    return shared(std::move(out));
  }

  Group design() const {
    Group aliased;
    for (const Alias& alias : linear.aliased) {
      Group terms;
      for (const auto& [name, factor] : alias.equals) terms.add(name, factor);
      aliased.add(alias.feature, std::move(terms));
    }
    return {{"rows", linear.rows},
            {"weight_sum", linear.weight_sum},
            {"degrees_of_freedom", linear.degrees_of_freedom},
            {"rank", linear.rank},
            {"condition", linear.condition},
            {"condition_is_estimate", linear.condition_is_estimate},
            {"lambda1", linear.lambda1},
            {"lambda2", linear.lambda2},
            {"psi", linear.psi},
            {"intercept", linear.intercept},
            {"standardised", linear.standardised},
            {"weights_are", linear.weights_are == WeightMeaning::precision ? "precision" : "frequency"},
            {"confidence", linear.confidence},
            {"errors", kErrors[static_cast<int>(linear.errors)]},
            {"clusters", linear.clusters},
            {"intervals", linear.rank == 0 || !linear.inverse_root.empty()},
            {"aliased", std::move(aliased)}};
  }

  void add(ModelParts& parts) const {
    Group coefficients, intercepts;
    for (const TargetFit& fit : linear.targets) {
      const auto table = this->coefficients(fit);
      coefficients.add(fit.target, table);
      intercepts.add(fit.target, intercept(fit));
      Section& section = parts.learned.emplace_back();
      if (linear.targets.size() > 1) section.push_back(Heading{{"target", {{"target", fit.target}}}});
      section.push_back(Shown{table});
    }
    parts.data.add("coefficients", std::move(coefficients)).add("intercept", std::move(intercepts));
    if (model.classifies()) return;
    const auto table = metrics();
    parts.data.add("metrics", table);
    parts.quality.push_back({Shown{table,
                                   {"target", "mse", "rss", "r2", "adjusted_r2", "sigma", "log_likelihood", "f",
                                    "f_p_value", "scale", "deviance", "d2", "aic", "bic"}}});
  }

  // For lasso and elastic net: the strengths, and the coefficients they left.
  void add_penalties(Section& lines) const {
    for (const TargetFit& fit : linear.targets) {
      if (std::isnan(fit.lambda1)) continue;
      const bool bound = !std::isnan(linear.psi);
      lines.push_back(Sentence{"penalty",
                               {{"target", linear.targets.size() > 1 ? fit.target : ""},
                                {"lambda1", bound ? Value() : Value(fit.lambda1)},
                                {"psi", linear.psi},
                                {"multiplier", fit.lambda1},
                                {"lambda2", linear.lambda2 > 0 ? Value(linear.lambda2) : Value()},
                                {"lambda1_max", fit.lambda1_max},
                                {"nonzero", fit.nonzero()},
                                {"count", fit.coefficients.size()}}});
    }
  }

  void add_errors(Section& lines) const {
    const bool by_cluster = linear.errors == StandardErrors::cluster;
    const bool classical = linear.errors == StandardErrors::classical;
    lines.push_back(Sentence{"errors",
                             {{"classical", classical},
                              {"clusters", by_cluster ? Value(linear.clusters) : Value()},
                              {"robust", classical || by_cluster ? "" : kErrors[static_cast<int>(linear.errors)]},
                              {"freedom", linear.degrees_of_freedom}}});
  }

  // Two scales may stand side by side: that of the standard errors is estimated, that of the likelihood may be stated.
  void add_likelihood(Section& lines) const {
    const bool stated = !model.schema.weights.empty() && linear.weights_are == WeightMeaning::precision;
    if (stated && std::ranges::any_of(linear.targets, [](auto& fit) { return !std::isnan(fit.log_likelihood); }))
      lines.push_back(Sentence{"likelihood.stated"});
  }

  Sentence alias(const Alias& alias) const {
    const bool ignored = std::ranges::find(model.schema.ignored, alias.feature) != model.schema.ignored.end();
    if (alias.equals.empty()) return {ignored ? "alias.ignored" : "alias.constant", {{"feature", alias.feature}}};
    Value::List terms;
    for (const auto& [name, factor] : alias.equals) {
      const bool first = terms.empty();
      terms.emplace_back(Sentence{first        ? "alias.term.first"
                                  : factor < 0 ? "alias.term.minus"
                                               : "alias.term.plus",
                                  {{"factor", first ? factor : std::abs(factor)}, {"feature", name}}});
    }
    return {"alias", {{"feature", alias.feature}, {"terms", std::move(terms)}}};
  }
  void add_aliases(Section& lines) const {
    Lines aliases{{}, "alias.more"};
    for (const Alias& each : linear.aliased) aliases.lines.push_back(alias(each));
    if (!aliases.lines.empty()) lines.emplace_back(std::move(aliases));
  }
};

Sentence design_of(const Model& model) {
  Sentence out{"design", {{"rows", model.body->summary().rows}, {"features", std::ssize(model.feature_names())}}};
  const LinearSummary* linear = model.linear();
  if (linear == nullptr) return out;
  const bool known = !std::isnan(linear->condition);
  out.figures.add("in_use", known ? Value() : Value(linear->rank)).add("rank", linear->rank);
  out.figures.add("estimate", linear->condition_is_estimate).add("condition", linear->condition);
  return out;
}

// Levels that have no coefficient: those of the others are differences to them.
void add_references(const Schema& schema, ModelParts& parts) {
  Group references;
  Value::List levels;
  for (const SchemaColumn& column : schema.columns) {
    if (column.reference.empty()) continue;
    references.add(column.name, column.reference);
    levels.emplace_back(column.name + "=" + column.reference);
  }
  parts.data.add("references", std::move(references));
  if (!levels.empty()) parts.lines.push_back(Sentence{"reference", {{"levels", std::move(levels)}}});
}

void add_advice(const Model& model, const LinearSummary& linear, Section& lines) {
  if (!(linear.condition > 30) || linear.rank <= 1) return;
  const bool named = !model.schema.columns.empty(); // sparse columns are not left out one by one
  lines.push_back(Sentence{named ? "advice.collinear" : "advice.collinear.sparse"});
}

void add_lines(const Model& model, ModelParts& parts) {
  Section& lines = parts.lines;
  const FitSummary& fit = model.body->summary();
  lines.push_back(Sentence{"objective", {{"objective", model.objective}}});
  lines.push_back(Sentence{"solver", {{"name", fit.solver}, {"reason", fit.reason}}});
  if (model.classifies()) lines.push_back(classes_of(model));
  const LinearSummary* linear = model.linear();
  if (linear != nullptr) Linear{model}.add_penalties(lines);
  lines.push_back(design_of(model));
  add_references(model.schema, parts);
  if (linear == nullptr) return;
  const ModelInfo* info = model_info(model.word);
  const bool normal_errors = info != nullptr && info->normal_errors;
  if (normal_errors && !std::isnan(linear->degrees_of_freedom)) Linear{model}.add_errors(lines);
  Linear{model}.add_likelihood(lines);
  Linear{model}.add_aliases(lines);
  if (normal_errors) add_advice(model, *linear, lines);
}

// Whether the text names it as a word of its own without a value.
bool names(std::string_view text, const std::string& word) {
  const auto is_part = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; };
  for (std::size_t at = text.find(word); at != std::string_view::npos; at = text.find(word, at + 1)) {
    const std::string_view after = text.substr(at + word.size());
    if ((at == 0 || !is_part(text[at - 1])) && (after.empty() || !is_part(after[0])))
      return text.find(word + " = ") == std::string_view::npos;
  }
  return false;
}

} // namespace

std::string objective_of(const Model& model) {
  std::string out = model.objective;
  const LinearSummary* linear = model.linear();
  if (linear == nullptr) return out;
  const std::pair<const char*, double> strengths[] = {
      {"lambda1", linear->lambda1},
      {"lambda2", linear->lambda2},
      {"lambda", linear->lambda1 != 0 ? linear->lambda1 : linear->lambda2},
      {"psi", linear->psi}};
  for (const auto& [name, value] : strengths)
    if (names(model.objective, name)) out += fmt::format(",  {} = {:.6g}", name, value);
  return out;
}

Document document_of(const Model& model, const std::string& title, const Diagnosis* diagnosis) {
  ModelParts parts = parts_of(model);
  parts.lines.front() = Sentence{"objective", {{"objective", objective_of(model)}}};
  Document out{std::move(parts.data), {{Heading{title.empty() ? title_of(model) : said(title)}}}};
  append(out.page, std::move(parts.learned));
  append(out.page, std::move(parts.quality));
  if (diagnosis != nullptr) append(out.page, tests_of(*diagnosis));
  append(out.page, {std::move(parts.lines), {sentence_of(model.certificate)}});
  return out;
}

Group data_of(const Params& params) {
  Group out;
  for (const auto& [name, value] : params) std::visit([&, &key = name](const auto& v) { out.add(key, v); }, value);
  return out;
}

Sentence title_of(const Model& model, const std::string& source) {
  return {
      "model.title",
      {{"word", model.word}, {"targets", model.schema.targets}, {"source", source}, {"params", params_text(model)}}};
}

ModelParts parts_of(const Model& model) {
  ModelParts parts;
  parts.data = {{"model", model.word},
                {"params", data_of(model.params)},
                {"objective", model.objective},
                {"certificate", data_of(model.certificate)},
                {"targets", model.schema.targets}};
  const Report report = model.body->report(model.schema);
  Group in_tables;
  add_report(report, in_tables, parts.learned);
  if (model.is_linear())
    Linear{model}.add(parts);
  else
    parts.data.add(std::move(in_tables));
  if (model.classifies()) add_classes(model, data_by_class(report), parts);
  if (model.has_label_set()) parts.data.add("labels", model.schema.labels.names);
  add_lines(model, parts);
  const FitSummary& fit = model.body->summary();
  parts.data.add("conditions", model.certificate.conditions);
  parts.data.add("solver", Group{{"name", fit.solver}, {"reason", fit.reason}});
  parts.data.add("design", model.is_linear() ? Linear{model}.design()
                                             : Group{{"rows", fit.rows}, {"weight_sum", fit.weight_sum}});
  return parts;
}

} // namespace recta::report
