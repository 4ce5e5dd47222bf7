#include "model_file/read_schema.hpp"

#include "feature/donors.hpp"
#include "feature/map/maps.hpp"
#include "feature/schema.hpp"
#include "model_file/fields.hpp"
#include "model_file/text_fields.hpp"

#include <algorithm>

namespace recta {

using namespace model_fields;

namespace {

std::vector<SchemaColumn> read_columns(FieldReader& in) {
  auto names = in.strings("columns.names"), levels = in.strings("columns.levels");
  auto references = in.strings("columns.references");
  const auto types = in.codes("columns.types");
  const auto indicators = in.codes("columns.indicators");
  const auto counts = in.counts("columns.level_counts");
  const auto fills = in.doubles_or_nan("columns.fills", {std::ssize(names)});
  in.require(types.size() == names.size() && indicators.size() == names.size() && counts.size() == names.size() &&
                 references.size() == names.size(),
             "its columns are not all described");
  if (!in.ok()) return {};
  std::vector<SchemaColumn> columns(names.size());
  auto next = levels.begin();
  for (std::size_t j = 0; j < columns.size(); ++j) {
    in.require(types[j] < kColumnTypes.size(), "column \"" + names[j] + "\" has an unknown type in \"columns.types\"");
    in.require(types[j] != static_cast<std::uint8_t>(ColumnType::text),
               "column \"" + names[j] + "\" holds texts by \"columns.types\", and none of the texts reads it");
    in.require(counts[j] <= levels.end() - next, "\"columns.levels\" is too short");
    if (!in.ok()) return {};
    SchemaColumn& column = columns[j];
    column.type = static_cast<ColumnType>(types[j]);
    column.levels.assign(std::move_iterator(next), std::move_iterator(next + counts[j]));
    next += counts[j];
    column.reference = std::move(references[j]);
    column.fill = fills[j];
    column.indicator = indicators[j] != 0;
    column.name = std::move(names[j]);
    in.require(column.type == ColumnType::category || column.levels.empty(),
               "column \"" + column.name + "\" has levels but is not a category");
    in.require(column.reference.empty() || std::ranges::count(column.levels, column.reference) == 1,
               "\"" + column.reference + "\" is not a level of column \"" + column.name + "\"");
  }
  in.require(next == levels.end(), "\"columns.levels\" is too long");
  return columns;
}

// The texts are read by the parser that reads a user's, and what was learned must fit them.
void read_maps(FieldReader& in, Schema& schema) {
  auto texts = in.strings("maps.texts");
  if (!in.ok() || texts.empty()) return;
  const auto counts = in.counts("maps.learned_counts");
  const auto learned = in.doubles("maps.learned");
  const auto plain = in.codes("columns.plain");
  in.require(counts.size() == texts.size() && plain.size() == schema.columns.size(), "its maps are not all described");
  if (!in.ok()) return;
  auto next = learned.begin();
  for (std::size_t m = 0; m < texts.size(); ++m) {
    in.require(counts[m] <= learned.end() - next, "\"maps.learned\" is too short");
    if (!in.ok()) return;
    schema.maps.push_back({std::move(texts[m]), {next, next + counts[m]}});
    next += counts[m];
  }
  in.require(next == learned.end(), "\"maps.learned\" is too long");
  for (std::size_t c = 0; c < plain.size(); ++c) {
    schema.columns[c].plain = plain[c] != 0;
    const ColumnType type = schema.columns[c].type;
    in.require(schema.columns[c].plain || type == ColumnType::real || type == ColumnType::integer,
               "column \"" + schema.columns[c].name + "\" is not a feature and holds no numbers");
  }
}

// Rows that fill in missing numbers, for a schema that asks for them.
void read_donors(FieldReader& in, Schema& schema) {
  const bool needed = schema.missing == Missing::neighbours && feature::number_columns(schema) > 0;
  in.require(in.has("donors.neighbours") == needed, "it does not have the rows that fill in missing numbers");
  if (!in.ok() || !needed) return;
  auto donors = std::make_shared<Donors>();
  const auto count = in.counts("donors.neighbours");
  const auto shape = in.shape("donors.x");
  in.require(count.size() == 1 && count[0] > 0 && shape.size() == 2 && shape[0] > 0 &&
                 shape[1] == feature::number_columns(schema),
             "the rows that fill in missing numbers do not have its columns of numbers");
  if (!in.ok()) return;
  donors->rows = shape[0], donors->neighbours = count[0];
  donors->x = in.doubles_or_nan("donors.x", shape);
  if (in.has("donors.weight")) donors->weight = in.doubles("donors.weight");
  in.require(donors->weight.empty() || (std::ssize(donors->weight) == shape[0] &&
                                        std::ranges::all_of(donors->weight, [](double one) { return one > 0; })),
             "the rows that fill in missing numbers do not each have a weight");
  schema.donors = std::move(donors);
}

// Bytes of the names that the categories would make, at least.
std::uint64_t name_bytes(const Schema& schema) {
  std::uint64_t bytes = 0;
  for (const SchemaColumn& column : schema.columns)
    bytes += column.name.size() * static_cast<std::uint64_t>(feature::feature_count(column));
  for (const TextMap& map : schema.texts)
    bytes += feature::term_prefix(schema, map).size() * static_cast<std::uint64_t>(map.features());
  return bytes;
}

// Names of maps repeat those of columns as often as a polynomial's degree, so they are made one at a time.
bool names_agree(const Schema& schema, const std::vector<Coefficient>& coefficients) {
  Schema columns = schema;
  columns.maps.clear();
  columns.texts.clear();
  const auto maps = feature::Maps::make(schema);
  if (!maps) return false;
  const std::vector<std::string> names = feature::feature_names(columns);
  if (feature::feature_count(schema) != std::ssize(coefficients)) return false;
  auto next = coefficients.begin();
  const auto agrees = [&](const std::string& name) { return (next++)->feature == name; };
  const auto named = static_cast<std::ptrdiff_t>(names.size()) - schema.sparse_cols;
  if (!std::all_of(names.begin(), names.begin() + named, agrees)) return false;
  for (Index k = 0; k < maps->count(); ++k)
    if (!agrees(maps->name(k))) return false;
  for (const TextMap& map : schema.texts) {
    const std::string prefix = feature::term_prefix(schema, map);
    for (const std::string& term : map.terms())
      if (!agrees(prefix + term)) return false;
  }
  return std::all_of(names.begin() + named, names.end(), agrees);
}

} // namespace

Classes read_classes(FieldReader& in) {
  Classes classes;
  classes.labels = in.strings("classes.labels");
  if (!in.ok() || classes.labels.empty()) return {};
  const auto type = in.codes("classes.type");
  const auto positive = in.counts("classes.positive");
  classes.weight = in.doubles("classes.weight");
  classes.factor = in.doubles("classes.factor");
  classes.rest = in.strings("classes.rest");
  const std::size_t k = classes.labels.size();
  in.require(k >= 2 && type.size() == 1 && positive.size() == 1 && classes.weight.size() == k,
             "its classes are not all described");
  if (!in.ok()) return {};
  in.require(type[0] < kColumnTypes.size() && positive[0] < std::ssize(classes.labels), "its classes are damaged");
  for (const double weight : classes.weight) in.require(weight > 0, "a class has no weight");
  in.require(classes.factor.empty() || classes.factor.size() == k, "it does not have one class weight per class");
  for (const double factor : classes.factor) in.require(factor > 0, "a class has no weight");
  std::vector<std::string> sorted = classes.labels;
  std::ranges::sort(sorted);
  in.require(std::ranges::adjacent_find(sorted) == sorted.end(), "two classes have the same label");
  in.require(classes.rest.empty() || k == 2, "there is a rest of more than two classes");
  if (!in.ok()) return {};
  classes.type = static_cast<ColumnType>(type[0]);
  classes.positive = positive[0];
  in.require(std::ranges::find(classes.rest, classes.labels[static_cast<std::size_t>(positive[0])]) ==
                 classes.rest.end(),
             "a class is among its own rest");
  return classes;
}

LabelSet read_labels(FieldReader& in) {
  LabelSet labels;
  labels.names = in.strings("labels.names");
  const auto separator = in.strings("labels.separator");
  if (!in.ok() || labels.names.empty()) return {};
  in.require(separator.size() <= 1, "its labels have two separators");
  if (!in.ok()) return {};
  if (!separator.empty()) labels.separator = separator[0];
  std::vector<std::string> sorted = labels.names;
  std::ranges::sort(sorted);
  in.require(std::ranges::adjacent_find(sorted) == sorted.end(), "two labels have the same name");
  return labels;
}

ClassFit read_class_fit(FieldReader& in) {
  ClassFit fit;
  const auto read = [&](const auto& fields) {
    for (const auto& field : fields) {
      const auto value = in.doubles_or_nan("classes" + std::string(field.name), {1});
      if (!in.ok()) return;
      fit.*field.member = value[0];
    }
  };
  read(kClassFit);
  read(kPerceptronFit);
  return fit;
}

void check_scores(FieldReader& in, const Model& model) {
  in.require(!model.classifies() || model.body->kind() != "targets", "it has classes and targets of numbers");
  in.require(model.has_target() || (model.schema.targets.empty() && !model.classifies() && !model.has_label_set() &&
                                    std::ssize(model.body->score_names()) == model.body->scores()),
             "its model has no target, and it names one");
  const Index scores = model.body->scores(), k = model.schema.classes.count();
  in.require(!model.classifies() || (model.schema.targets.size() == 1 && (scores == k || (scores == 1 && k == 2))),
             "it does not have one score per class, or one for two classes");
  const std::size_t labels = model.schema.labels.names.size(), targets = model.schema.targets.size();
  in.require(!model.has_target() || model.classifies() || model.has_label_set() ||
                 (targets > 0 && static_cast<Index>(targets) == scores),
             "\"schema.targets\" does not name one target per score");
  in.require(!model.has_label_set() || (!model.classifies() && model.body->kind() == "labels" &&
                                        targets == (model.schema.labels.separator.empty() ? labels : 1)),
             "it does not have one target and one score per label");
}

Schema read_schema(FieldReader& in, const ObjectReader& json) {
  Schema schema;
  schema.columns = read_columns(in);
  read_maps(in, schema);
  read_texts(in, json, schema);
  schema.sparse_cols = json.count("sparse_cols");
  schema.sparse_base = json.count("sparse_base");
  schema.targets = in.strings("schema.targets");
  schema.weights = json.text("weights");
  schema.offset = json.text("offset");
  if (json.member("cluster")) schema.cluster = json.text("cluster");
  schema.ignored = in.strings("schema.ignored");
  schema.missing = static_cast<Missing>(json.choice("missing", kMissing));
  schema.unseen = static_cast<Unseen>(json.choice("unseen", kUnseen));
  read_donors(in, schema);
  return schema;
}

// The columns must make the features, one for one. Counts and lengths are compared before any name is made: a long
// column name with many levels, or a number of sparse columns, would make names out of nothing.
void check_features(FieldReader& in, const Model& model) {
  if (!model.is_linear()) {
    in.require(feature::feature_count(model.schema) == model.body->features(),
               "its columns do not make the features it reads");
    return;
  }
  const auto& coefficients = model.linear()->targets[0].coefficients;
  std::uint64_t bytes = 0;
  for (const Coefficient& coefficient : coefficients) bytes += coefficient.feature.size();
  in.require(model.schema.maps.empty() || model.schema.sparse_cols == 0, "it has maps over sparse columns");
  in.require(model.schema.sparse_cols <= std::ssize(coefficients) &&
                 feature::feature_count(model.schema) == std::ssize(coefficients) &&
                 name_bytes(model.schema) <= bytes && names_agree(model.schema, coefficients),
             "its columns do not make the features it has coefficients for");
}

} // namespace recta
