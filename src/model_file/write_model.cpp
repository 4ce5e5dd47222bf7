// From a model to the bytes of its file. model_file.md lists what is written under which name.
#include "base/sha256.hpp"
#include "model_file/fields.hpp"
#include "model_file/json.hpp"
#include "model_file/linear_body.hpp"
#include "model_file/put.hpp"
#include "model_file/rules.hpp"
#include "model_file/tensor_file.hpp"
#include "model_file/text_fields.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <fmt/format.h>
#include <iterator>

namespace recta {
namespace {

using namespace model_fields;

void put_schema(TensorWriter& out, const Schema& schema) {
  std::vector<std::string> names, levels, references;
  std::vector<std::uint8_t> types, indicators;
  std::vector<Index> counts;
  std::vector<double> fills;
  for (const SchemaColumn& column : schema.columns) {
    names.push_back(column.name);
    types.push_back(static_cast<std::uint8_t>(column.type));
    counts.push_back(std::ssize(column.levels));
    levels.insert(levels.end(), column.levels.begin(), column.levels.end());
    references.push_back(column.reference);
    fills.push_back(column.fill);
    indicators.push_back(column.indicator);
  }
  const auto count = std::ssize(names);
  out.add("columns.names", names);
  if (count > 0) {
    out.add("columns.types", types, {count});
    out.add("columns.indicators", indicators, {count});
    out.add("columns.level_counts", counts, {count});
    put(out, "columns.fills", fills, {count});
  }
  out.add("columns.levels", levels);
  out.add("columns.references", references);
  out.add("schema.targets", schema.targets);
  out.add("schema.ignored", schema.ignored);
  if (!schema.donors) return;
  const Donors& donors = *schema.donors;
  const Index numbers = donors.rows > 0 ? std::ssize(donors.x) / donors.rows : 0;
  put(out, "donors.x", donors.x, {donors.rows, numbers});
  put_vector(out, "donors.weight", donors.weight);
  out.add("donors.neighbours", std::vector<Index>{donors.neighbours}, {1});
}

// Only if there are maps: a file without them is that of format 1, byte for byte.
void put_maps(TensorWriter& out, const Schema& schema) {
  if (schema.maps.empty()) return;
  std::vector<std::string> texts;
  std::vector<Index> counts;
  std::vector<double> learned;
  std::vector<std::uint8_t> plain;
  for (const FeatureMap& map : schema.maps) {
    texts.push_back(map.text);
    counts.push_back(std::ssize(map.learned));
    learned.insert(learned.end(), map.learned.begin(), map.learned.end());
  }
  for (const SchemaColumn& column : schema.columns) plain.push_back(column.plain);
  out.add("maps.texts", texts);
  out.add("maps.learned_counts", counts, {std::ssize(counts)});
  put_vector(out, "maps.learned", learned);
  out.add("columns.plain", plain, {std::ssize(plain)});
}

// Only if there are classes, for the same reason.
void put_classes(TensorWriter& out, const Model& model) {
  const Classes& classes = model.schema.classes;
  if (classes.labels.empty()) return;
  out.add("classes.labels", classes.labels);
  out.add("classes.type", std::vector{static_cast<std::uint8_t>(classes.type)}, {1});
  out.add("classes.positive", std::vector{classes.positive}, {1});
  put_vector(out, "classes.weight", classes.weight);
  put_vector(out, "classes.factor", classes.factor);
  if (!classes.rest.empty()) out.add("classes.rest", classes.rest);
  for (const auto& field : kClassFit)
    put(out, "classes" + std::string(field.name), {model.body->summary().classes.*field.member}, {1});
  if (std::isnan(model.body->summary().classes.mistakes)) return;
  for (const auto& field : kPerceptronFit)
    put(out, "classes" + std::string(field.name), {model.body->summary().classes.*field.member}, {1});
}

// Only if the target is a set of labels, for the same reason.
void put_labels(TensorWriter& out, const LabelSet& labels) {
  if (labels.names.empty()) return;
  out.add("labels.names", labels.names);
  if (!labels.separator.empty()) out.add("labels.separator", std::vector{labels.separator});
}

Index format_of(const Model& model, const TensorWriter& out) {
  const Schema& schema = model.schema;
  if (out.has_short_numbers()) return kFormat;
  if (!schema.texts.empty()) return kWithoutShortNumbers;
  if (!model.is_linear()) return kWithoutTexts;
  if (!schema.classes.rest.empty()) return kLinear;
  if (!schema.classes.labels.empty()) return kWithoutRest;
  return schema.maps.empty() ? kWithoutMaps : kWithoutClasses;
}

JsonObject claim_fields(const Claim& claim, TensorWriter& out) {
  JsonObject json;
  if (const auto* exact = std::get_if<ExactOptimum>(&claim))
    json = {{"suboptimality", json_number(exact->suboptimality)},
            {"coefficient_error", json_number(exact->coefficient_error)},
            {"backward_error", json_number(exact->backward_error)},
            {"from_merged_statistics", {exact->from_merged_statistics}}};
  else if (const auto* gap = std::get_if<DualityGap>(&claim))
    json = {{"primal", json_number(gap->primal)},
            {"dual", json_number(gap->dual)},
            {"gap", json_number(gap->gap)},
            {"from_merged_statistics", {gap->from_merged_statistics}}};
  else if (const auto* kkt = std::get_if<KktResidual>(&claim))
    json = {{"residual", json_number(kkt->residual)}};
  else if (const auto* plane = std::get_if<SeparatingHyperplane>(&claim)) {
    json = {{"margin", json_number(plane->margin)}};
    if (!std::isnan(plane->gap)) json.emplace("gap", json_number(plane->gap));
  } else if (const auto* inseparable = std::get_if<NotSeparable>(&claim)) {
    json = {{"residual", json_number(inseparable->residual)}};
    put_vector(out, "certificate.multipliers", inseparable->multipliers);
  } else if (const auto* unbounded = std::get_if<NoFiniteMaximum>(&claim))
    put_vector(out, "certificate.direction", unbounded->direction);
  else if (const auto* searched = std::get_if<Searched>(&claim))
    json = {{"candidates", {searched->candidates}}};
  else if (const auto* still = std::get_if<Stationary>(&claim))
    json = {{"gradient_norm", json_number(still->gradient_norm)}};
  else if (const auto* described = std::get_if<Described>(&claim)) {
    json = {{"name", {described->name}}, {"text", {described->text}}};
    std::vector<std::string> names;
    std::vector<double> values;
    for (const auto& [name, value] : described->figures) names.push_back(name), values.push_back(value);
    out.add("certificate.figure_names", names);
    out.add("certificate.figures", values, {std::ssize(values)});
  }
  json["type"] = {std::string(kClaims.at(claim.index()))};
  return json;
}

Json certificate_json(const Certificate& certificate, TensorWriter& out) {
  out.add("certificate.conditions", certificate.conditions);
  return {JsonObject{{"claim", {claim_fields(certificate.claim, out)}},
                     {"verdict", word_of(certificate.verdict, kVerdicts)},
                     {"objective", json_number(certificate.objective)},
                     {"null_objective", json_number(certificate.null_objective)},
                     {"tolerance", json_number(certificate.tolerance)},
                     {"slack", json_number(certificate.slack)},
                     {"passes", {certificate.passes}},
                     {"stop", {certificate.stop.text()}}}};
}

Json params_json(const Params& params) {
  JsonObject json;
  for (const auto& [name, value] : params) {
    if (const auto* number = std::get_if<double>(&value)) {
      json[name] = json_number(*number);
      if (!std::isfinite(*number)) json[name] = {JsonObject{{"number", json_number(*number)}}}; // "inf" may be a word
    } else if (const auto* flag = std::get_if<bool>(&value))
      json[name] = {*flag};
    else
      json[name] = {std::get<std::string>(value)};
  }
  return {json};
}

Json schema_json(const Schema& schema) {
  JsonObject json = {{"sparse_cols", {schema.sparse_cols}},
                     {"sparse_base", {schema.sparse_base}},
                     {"weights", {schema.weights}},
                     {"offset", {schema.offset}},
                     {"cluster", {schema.cluster}},
                     {"missing", word_of(schema.missing, kMissing)},
                     {"unseen", word_of(schema.unseen, kUnseen)}};
  if (!schema.texts.empty()) json["texts"] = texts_json(schema);
  return {json};
}

Json summary_json(const FitSummary& summary) {
  return {JsonObject{{"solver", {summary.solver}},
                     {"reason", {summary.reason}},
                     {"rows", {summary.rows}},
                     {"weight_sum", json_number(summary.weight_sum)},
                     {"weights_are", word_of(summary.weights_are, kWeightMeanings)}}};
}

Json fingerprint_json(const Fingerprint& fingerprint) {
  return {JsonObject{{"rows", {fingerprint.rows}}, {"sha256", {hex(fingerprint.digest)}}}};
}

Json holdout_json(const Holdout& holdout) {
  return {JsonObject{{"share", json_number(holdout.share)}, {"seed", {static_cast<Index>(holdout.seed)}}}};
}

Json decision_json(const Decision& decision, TensorWriter& out) {
  put_vector(out, "decision.costs", decision.costs);
  return {JsonObject{{"aim", {decision.aim}},
                     {"threshold", json_number(decision.threshold)},
                     {"rows", {decision.rows}},
                     {"precision", json_number(decision.precision)},
                     {"recall", json_number(decision.recall)},
                     {"specificity", json_number(decision.specificity)},
                     {"accuracy", json_number(decision.accuracy)},
                     {"value", json_number(decision.value)}}};
}

Json reading_json(const Reading& reading, TensorWriter& out) {
  JsonObject told;
  if (reading.separator) told["separator"] = {std::string(1, reading.separator)};
  if (reading.decimal) told["decimal"] = {std::string(1, reading.decimal)};
  if (reading.thousands) told["thousands"] = {std::string(1, reading.thousands)};
  if (reading.header) told["header"] = {*reading.header};
  if (reading.missing_tokens) out.add("reading.missing_tokens", *reading.missing_tokens);
  return {told};
}

// The tensors of a model, and its metadata.
JsonObject write(const Model& model, TensorWriter& out) {
  const Schema& schema = model.schema;
  model.body->write(out);
  put_schema(out, schema);
  put_maps(out, schema);
  put_texts(out, schema);
  put_classes(out, model);
  put_labels(out, schema.labels);
  JsonObject metadata{
      {"format", {format_of(model, out)}},
      {"word", {model.word}},
      {"params", params_json(model.params)},
      {"objective", {model.objective}},
      {"schema", schema_json(schema)},
      {"summary", model.is_linear() ? linear_json(*model.linear()) : summary_json(model.body->summary())},
      {"certificate", certificate_json(model.certificate, out)},
      {"fingerprint", fingerprint_json(model.fingerprint)}};
  if (!model.is_linear()) metadata["body"] = {std::string(model.body->kind())};
  if (model.holdout.share > 0) metadata["holdout"] = holdout_json(model.holdout);
  if (!model.decision.aim.empty()) metadata["decision"] = decision_json(model.decision, out);
  if (model.reading != Reading{}) metadata["reading"] = reading_json(model.reading, out);
  return metadata;
}

// Members by their paths. A parameter is one field, whatever its value is.
void add_members(const JsonObject& object, const std::string& path, std::vector<std::string>& out) {
  for (const auto& [name, value] : object) {
    const auto* const inner = value.as<JsonObject>();
    if (inner != nullptr && path != "params.")
      add_members(*inner, path + name + ".", out);
    else
      out.push_back(path + name);
  }
}

std::string bytes_of(Schema schema) {
  schema.missing = Missing::refuse, schema.unseen = Unseen::refuse;
  TensorWriter out;
  put_schema(out, schema);
  put_maps(out, schema);
  put_texts(out, schema);
  put_labels(out, schema.labels);
  return out.finish(print_json(schema_json(schema)));
}

// A member of the file that the model would not write, or would write otherwise; empty: there is none.
std::string other_member(const JsonObject& file, const JsonObject& model, const std::string& path) {
  for (const auto& [name, value] : file) {
    const auto written = model.find(name);
    if (written == model.end()) return path + name;
    const auto *inner = value.as<JsonObject>(), *same = written->second.as<JsonObject>();
    if (inner && same) {
      if (std::string other = other_member(*inner, *same, path + name + "."); !other.empty()) return other;
    } else if (print_json(value) != print_json(written->second)) {
      return path + name;
    }
  }
  return {};
}

// `older`: written by an earlier Recta, which may have laid out some of it in other tensors.
std::string other_tensor(const TensorFile& file, const TensorWriter& model, bool older) {
  const std::vector<std::string> names = model.names();
  const auto is_left_out = [&](const std::string& name) {
    return older && std::ranges::find(names, name) == names.end();
  };
  for (const auto& [name, tensor] : file.tensors)
    if (!is_left_out(name) && name != "sha256" && !name.ends_with(".sha256") && name != "sha256.rest" &&
        name != "parts.bytes" && name != "parts.start" && !model.has(name, tensor))
      return name;
  return {};
}

} // namespace

std::string Model::to_bytes() const {
  TensorWriter out;
  const JsonObject metadata = write(*this, out);
  return out.finish(print_json({metadata}));
}

bool is_same_schema(const Schema& a, const Schema& b) {
  return bytes_of(a) == bytes_of(b);
}

// A list of texts is two tensors, and numbers that may be absent have a second one that says which are there.
std::vector<std::string> field_names(const Model& model) {
  TensorWriter tensors(TensorWriter::names_only);
  std::vector<std::string> out;
  add_members(write(model, tensors), "", out);
  const std::vector<std::string> names = tensors.names();
  const auto is_list = [&](const std::string& stem) { return std::ranges::find(names, stem + ".text") != names.end(); };
  for (const std::string& name : names) {
    const std::string stem = name.substr(0, name.rfind('.'));
    const bool second = name.ends_with(".present") || (name.ends_with(".text") && is_list(stem));
    if (!second) out.push_back(name.ends_with(".start") && is_list(stem) ? stem : name);
  }
  return out;
}

namespace {

Result<void> check_held(std::string_view bytes, const std::string& source, std::shared_ptr<const void> mapping,
                        const Model& model, bool part) {
  const auto file = TensorFile::parse(bytes, source, std::move(mapping));
  if (!file) return std::unexpected(file.error());
  auto about = parse_json(file->metadata, source);
  if (!about) return std::unexpected(about.error());
  auto& members = std::get<JsonObject>(about->value);
  if (part) // it takes values that training did not see if the whole does, whatever its own file says
    if (const auto schema = members.find("schema"); schema != members.end())
      std::get<JsonObject>(schema->second.value).erase("unseen");
  TensorWriter tensors;
  const JsonObject metadata = write(model, tensors);
  const bool older = print_json(members["format"]) != print_json(metadata.at("format"));
  members.erase("format");
  std::string other = other_member(members, metadata, "");
  if (other.empty()) other = other_tensor(*file, tensors, older);
  if (!other.empty())
    return fail(ErrorCode::bad_model_file, source, fmt::format("it says of {} what is not part of the model", other),
                "fit it again");
  const std::span<const Model> parts = model.body->parts();
  if (parts.empty()) return {};
  const Tensor &all = file->tensors.find("parts.bytes")->second, &at = file->tensors.find("parts.start")->second;
  std::vector<Index> start(parts.size() + 1);
  std::memcpy(start.data(), at.bytes.data(), start.size() * sizeof(Index));
  for (std::size_t p = 0; p < parts.size(); ++p) {
    const auto first = static_cast<std::size_t>(start[p]), end = static_cast<std::size_t>(start[p + 1]);
    const std::string name = fmt::format("{}, part {}", source, p + 1);
    if (auto good = check_held(all.bytes.substr(first, end - first), name, nullptr, parts[p], true); !good) return good;
  }
  return {};
}

} // namespace

Result<void> check_held(std::string_view bytes, const std::string& source, std::shared_ptr<const void> mapping,
                        const Model& model) {
  return check_held(bytes, source, std::move(mapping), model, false);
}

} // namespace recta
