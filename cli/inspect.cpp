// recta inspect: what a model file holds.
#include "decision.hpp"
#include "flags.hpp"
#include "input.hpp"
#include "output.hpp"
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

// Needed for predictions. Programs get the levels as a list, people in a sentence.
report::Table columns_table(const Schema& schema) {
  report::Table out{
      .columns =
          {{"name", "column"}, {"type", "type"}, {"levels"}, {"reference"}, {"", "levels"}, {"fill"}, {"feature"}},
      .left = 3};
  for (const SchemaColumn& column : schema.columns) {
    std::vector<report::Value>& row = out.rows.emplace_back(out.columns.size());
    row[0] = column.name;
    row[1] = type_name(column.type);
    row[5] = column.fill;
    row[6] = column.plain;
    if (column.type != ColumnType::category) continue;
    row[2] = column.levels;
    row[3] = report::or_null(column.reference);
    row[4] = report::Sentence{"inspect.levels", {{"levels", column.levels}, {"reference", column.reference}}};
  }
  return out;
}

void add_schema(const Schema& schema, report::Document& out) {
  const auto columns = shared(columns_table(schema));
  report::Section page = {report::Heading{{"inspect.needs"}}, report::Shown{columns}};
  report::Value::List maps;
  for (const FeatureMap& map : schema.maps) {
    maps.emplace_back(report::Group{{"text", map.text}, {"learned", map.learned}});
    page.push_back(report::Sentence{"inspect.map", {{"map", map.text}, {"learned", map.learned}}});
  }
  append(page, texts_lines(schema));
  if (schema.sparse_cols > 0)
    page.push_back(report::Sentence{"inspect.sparse", {{"columns", schema.sparse_cols}, {"base", schema.sparse_base}}});
  for (const auto& [key, name] : {std::pair{"inspect.weights", &schema.weights}, {"inspect.offset", &schema.offset}})
    if (!name->empty()) page.push_back(report::Sentence{key, {{"name", *name}}});
  if (!schema.ignored.empty()) page.push_back(report::Sentence{"inspect.ignored", {{"names", schema.ignored}}});
  const report::Group rules{{"missing", missing_name(schema.missing)}, {"unseen", unseen_name(schema.unseen)}};
  page.push_back(report::Sentence{"inspect.rules", rules});
  out.page.push_back(std::move(page));
  report::Group data{{"columns", columns},
                     {"maps", std::move(maps)},
                     {"texts", texts_data(schema)},
                     {"sparse_columns", schema.sparse_cols},
                     {"sparse_base", schema.sparse_base},
                     {"targets", schema.targets},
                     {"weights", schema.weights},
                     {"offset", schema.offset},
                     {"ignored", schema.ignored}};
  out.data.add("columns", data.add(rules));
}

void add_directions(const LinearSummary& linear, report::Document& out) {
  report::Table table{.columns = {{"", "direction"}, {"singular_value", "singular value"}, {"shrinkage", "kept"}},
                      .left = 0,
                      .rest = "rows.more"};
  for (const SingularDirection& each : linear.singular)
    table.rows.push_back({table.rows.size() + 1, each.singular_value, each.shrinkage});
  const auto singular = shared(std::move(table));
  out.data.add({{"means", linear.means}, {"deviations", linear.deviations}, {"singular", singular}});
  if (!linear.singular.empty()) out.page.push_back({report::Heading{{"inspect.directions"}}, report::Shown{singular}});
}

// The tokens without the empty one, which is always there.
std::vector<std::string> tokens_of(const Reading& reading) {
  std::vector<std::string> tokens = reading.missing_tokens.value_or(std::vector<std::string>{});
  std::erase(tokens, "");
  return tokens;
}

// The file as flags describe it.
void add_reading(const Reading& reading, report::Document& out, report::Section& lines) {
  if (reading == Reading{}) return;
  report::Group data;
  std::vector<std::string> flags;
  const auto add = [&](const char* key, report::Value value, std::string flag) {
    data.add(key, std::move(value));
    flags.push_back(std::move(flag));
  };
  if (const char c = reading.separator)
    add("separator", std::string(1, c), fmt::format("--separator {}", c == '\t' ? "tab" : fmt::format("'{}'", c)));
  if (const char c = reading.decimal) add("decimal", std::string(1, c), fmt::format("--decimal {}", c));
  if (const char c = reading.thousands) add("thousands", std::string(1, c), fmt::format("--thousands \"{}\"", c));
  if (reading.header) add("header", *reading.header, *reading.header ? "--header" : "--no-header");
  if (reading.missing_tokens)
    add("missing_tokens", tokens_of(reading), fmt::format("--missing-tokens '{}'", fmt::join(tokens_of(reading), ",")));
  lines.push_back(report::Sentence{"inspect.reading", {{"flags", fmt::format("{}", fmt::join(flags, " "))}}});
  out.data.add("reading", std::move(data));
}

void add_decision(const Model& model, report::Document& out, report::Section& lines) {
  const Decision& rule = model.decision;
  if (rule.aim.empty()) return;
  const bool two = model.schema.classes.count() == 2;
  lines.push_back(report::Sentence{
      "inspect.decision", {{"aim", rule.aim}, {"threshold", two ? report::Value(rule.threshold) : report::Value()}}});
  out.data.add("decision", decision_data(model));
}

report::Document inspect_document(const Model& model, const std::string& file) {
  report::ModelParts parts = report::parts_of(model);
  report::Document out{{{"schema", "recta/inspect/2"}, {"file", file}}, {{report::Heading{report::title_of(model)}}}};
  out.data.add(std::move(parts.data));
  append(out.page, std::move(parts.learned));
  append(out.page, std::move(parts.quality));
  add_schema(model.schema, out);
  if (model.is_linear()) add_directions(*model.linear(), out);
  const std::string digest = digest_text(model.fingerprint);
  report::Group rows{{"rows", model.fingerprint.rows}, {"sha256", digest}}, held_out;
  if (model.holdout.share > 0) held_out = {{"holdout", model.holdout.share}, {"seed", model.holdout.seed}};
  report::Group trained = rows;
  trained.add({{"holdout", report::shortest(model.holdout.share)},
               {"seed", model.holdout.seed},
               {"held", model.holdout.share > 0}});
  out.data.add("fingerprint", rows.add(std::move(held_out)));
  add_decision(model, out, parts.lines);
  add_reading(model.reading, out, parts.lines);
  parts.lines.push_back(report::Sentence{"inspect.trained", std::move(trained)});
  append(out.page, {std::move(parts.lines), {report::sentence_of(model.certificate)}});
  return out;
}

Result<int> run_inspect(const Arguments& arguments) {
  const Voice voice(arguments);
  Result<Model> model = load_model(arguments.word(0), voice);
  if (!model) return std::unexpected(model.error());
  return show(inspect_document(*model, arguments.word(0)), voice, top_of(arguments));
}

} // namespace

CommandInfo inspect_command() {
  FlagGroup output = output_flags();
  add_length_flags(output);
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
