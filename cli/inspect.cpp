// recta inspect: what a model file holds.
#include "flags.hpp"
#include "input.hpp"
#include "output.hpp"
#include "report.hpp"
#include "table.hpp"
#include "text_flags.hpp"

#include <cmath>
#include <fmt/format.h>
#include <utility>

namespace recta::cli {

namespace {

const char* missing_name(Missing missing) {
  const char* names[] = {"refuse", "drop", "mean", "indicator", "skip", "neighbours"};
  return names[static_cast<int>(missing)];
}

const char* unseen_name(Unseen unseen) {
  return unseen == Unseen::refuse ? "refuse" : "zeros";
}

std::string digest_text(const Fingerprint& fingerprint) {
  std::string text;
  for (const std::uint8_t byte : fingerprint.digest) text += fmt::format("{:02x}", byte);
  return text;
}

std::string levels_text(const SchemaColumn& column) {
  if (column.type != ColumnType::category) return "";
  constexpr std::size_t kShown = 8;
  std::vector<std::string> shown = column.levels;
  if (shown.size() > kShown) {
    shown.resize(kShown);
    shown.push_back(fmt::format("... {} in all", column.levels.size()));
  }
  std::string text = fmt::format("{}", fmt::join(shown, ", "));
  return column.reference.empty() ? text : fmt::format("{} (reference {})", text, column.reference);
}

std::string map_text(const FeatureMap& map, int digits) {
  constexpr std::size_t kShown = 100; // of knots and centres; landmarks of a kernel are many more
  if (map.learned.size() > kShown)
    return fmt::format("map {}, with {} numbers that the rows taught it\n", map.text, map.learned.size());
  std::vector<std::string> learned;
  for (const double number : map.learned) learned.push_back(number_text(number, digits));
  return learned.empty() ? fmt::format("map {}\n", map.text)
                         : fmt::format("map {} at {}\n", map.text, fmt::join(learned, ", "));
}

std::string schema_text(const Schema& schema, const Voice& voice) {
  Table table({"column", "type", "levels"}, 3);
  for (const SchemaColumn& column : schema.columns) {
    table.add({column.name, type_name(column.type), levels_text(column)});
  }
  std::string text = voice.bold("what prediction needs") + "\n" + table.text();
  for (const FeatureMap& map : schema.maps) text += map_text(map, voice.digits);
  text += texts_text(schema);
  if (schema.sparse_cols > 0) {
    text += fmt::format("and {} sparse columns from {} on\n", schema.sparse_cols, schema.sparse_base);
  }
  if (!schema.weights.empty()) text += fmt::format("weights {}\n", schema.weights);
  if (!schema.offset.empty()) text += fmt::format("offset {}\n", schema.offset);
  if (!schema.ignored.empty()) text += fmt::format("ignored {}\n", fmt::join(schema.ignored, ", "));
  return text + fmt::format("missing values: {}; unseen categories: {}\n", missing_name(schema.missing),
                            unseen_name(schema.unseen));
}

std::string directions_text(const LinearSummary& linear, const Look& look) {
  if (linear.singular.empty()) return "";
  Table table({"direction", "singular value", "kept"}, 0);
  const std::size_t most = look.top > 0 ? static_cast<std::size_t>(look.top) : linear.singular.size();
  for (std::size_t k = 0; k < linear.singular.size() && k < most; ++k) {
    table.add({std::to_string(k + 1), number_text(linear.singular[k].singular_value, look.voice.digits),
               number_text(linear.singular[k].shrinkage, look.voice.digits)});
  }
  return "\n" + look.voice.bold("singular directions of the centred design") + "\n" + table.text();
}

void schema_value(Json& json, const Schema& schema) {
  json.object().key("columns").array();
  for (const SchemaColumn& column : schema.columns) {
    json.object().field("name", column.name).field("type", type_name(column.type));
    if (column.type == ColumnType::category) {
      json.list("levels", column.levels).key("reference");
      column.reference.empty() ? json.null() : json.value(column.reference);
    }
    json.field("fill", column.fill).field("feature", column.plain).end();
  }
  json.end().key("maps").array();
  for (const FeatureMap& map : schema.maps) {
    json.object().field("text", map.text).list("learned", map.learned).end();
  }
  json.end();
  texts_field(json, schema);
  json.field("sparse_columns", schema.sparse_cols).field("sparse_base", schema.sparse_base);
  json.list("targets", schema.targets).field("weights", schema.weights).field("offset", schema.offset);
  json.list("ignored", schema.ignored).field("missing", missing_name(schema.missing));
  json.field("unseen", unseen_name(schema.unseen)).end();
}

// The tokens without the empty one, which is always there.
std::vector<std::string> tokens_of(const Reading& reading) {
  std::vector<std::string> tokens = reading.missing_tokens.value_or(std::vector<std::string>{});
  std::erase(tokens, "");
  return tokens;
}

std::string reading_text(const Reading& reading) {
  std::vector<std::string> flags;
  if (reading.separator)
    flags.push_back(
        fmt::format("--separator {}", reading.separator == '\t' ? "tab" : fmt::format("'{}'", reading.separator)));
  if (reading.decimal) flags.push_back(fmt::format("--decimal {}", reading.decimal));
  if (reading.thousands) flags.push_back(fmt::format("--thousands \"{}\"", reading.thousands));
  if (reading.header) flags.emplace_back(*reading.header ? "--header" : "--no-header");
  if (reading.missing_tokens) flags.push_back(fmt::format("--missing-tokens '{}'", fmt::join(tokens_of(reading), ",")));
  return flags.empty() ? "" : fmt::format("read with  {}\n", fmt::join(flags, " "));
}

void linear_fields(Json& json, const LinearSummary& linear) {
  json.list("means", linear.means).list("deviations", linear.deviations).key("singular").array();
  for (const SingularDirection& direction : linear.singular)
    json.object().field("singular_value", direction.singular_value).field("shrinkage", direction.shrinkage).end();
  json.end();
}

std::string inspect_json(const Model& model, const std::string& file) {
  Json json;
  json.object().field("schema", "recta/inspect/2").field("file", file);
  model_fields(json, model);
  json.key("columns");
  schema_value(json, model.schema);
  if (model.is_linear()) linear_fields(json, model.linear());
  json.key("fingerprint").object().field("rows", model.fingerprint.rows);
  json.field("sha256", digest_text(model.fingerprint));
  if (model.holdout.share > 0) json.field("holdout", model.holdout.share).field("seed", model.holdout.seed);
  json.end();
  if (!model.decision.aim.empty()) {
    json.key("decision");
    decision_value(json, model);
  }
  const Reading& reading = model.reading;
  if (reading != Reading{}) {
    json.key("reading").object();
    if (reading.separator) json.field("separator", std::string(1, reading.separator));
    if (reading.decimal) json.field("decimal", std::string(1, reading.decimal));
    if (reading.thousands) json.field("thousands", std::string(1, reading.thousands));
    if (reading.header) json.field("header", *reading.header);
    if (reading.missing_tokens) json.list("missing_tokens", tokens_of(reading));
    json.end();
  }
  return json.end().text();
}

Result<int> run_inspect(const Arguments& arguments) {
  const Voice voice(arguments);
  Result<Model> model = load_model(arguments.word(0), voice);
  if (!model) return std::unexpected(model.error());
  const Look look{voice, arguments.count("top", 60)};
  Result<Output> out = Output::to_standard_output();
  if (voice.json) {
    *out << inspect_json(*model, arguments.word(0));
  } else {
    const std::string params = params_text(model->params);
    *out << voice.bold(model_title(*model)) + (params.empty() ? "" : ", " + params) + "\n\n";
    *out << coefficient_tables(*model, look) << metrics_text(*model, look) << "\n" << schema_text(model->schema, voice);
    *out << directions_text(std::as_const(*model).linear(), look) << "\n" << summary_text(*model, look);
    if (const Decision& rule = model->decision; !rule.aim.empty())
      *out << fmt::format("decides by {}{}\n", rule.aim,
                          model->schema.classes.count() == 2
                              ? fmt::format(", threshold {}", number_text(rule.threshold, voice.digits))
                              : "");
    *out << reading_text(model->reading);
    const Holdout& holdout = model->holdout;
    *out << fmt::format(
        "trained on {}, sha-256 {}{}\n\n", count_text(model->fingerprint.rows, "row", "rows"),
        digest_text(model->fingerprint),
        holdout.share > 0 ? fmt::format("; held out: --holdout {} --seed {}", holdout.share, holdout.seed) : "");
    *out << model->certificate.sentence() + "\n";
  }
  if (Result<void> written = out->finish(); !written) return std::unexpected(written.error());
  return 0;
}

} // namespace

CommandInfo inspect_command() {
  FlagGroup output = output_flags();
  output.flags.push_back({.name = "top",
                          .kind = FlagKind::count,
                          .value = "N",
                          .summary = "coefficients and directions shown; 0 shows all",
                          .lowest = 0,
                          .highest = 1e9,
                          .initial = "60"});
  return {.name = "inspect",
          .summary = "show what a model file holds",
          .examples = {{"recta inspect m.recta", "model, columns, singular values, certificate"},
                       {"recta inspect m.recta --json", "for programs"}},
          .words = {{"FILE", WordKind::model_file}},
          .groups = {output},
          .notes = {},
          .run = run_inspect};
}

} // namespace recta::cli
