// From the bytes of a file to a model. The container was checked before (tensor_file.hpp): every tensor lies inside the
// file and has the bytes its shape asks for. Here the parts must fit one another. Memory is asked for only in
// proportion to bytes that are really there.
#include "model_file/read_model.hpp"

#include "base/guard.hpp"
#include "base/numbers.hpp"
#include "certificate/stated_verdict.hpp"
#include "model/linear/body.hpp"
#include "model_file/fields.hpp"
#include "model_file/linear_body.hpp"
#include "model_file/read_body.hpp"
#include "model_file/read_schema.hpp"

#include <algorithm>
#include <cmath>

namespace recta {
namespace {

using namespace model_fields;

Described read_described(FieldReader& in, const ObjectReader& json) {
  Described out{json.text("name"), json.text("text"), {}};
  const std::vector<std::string> names = in.strings("certificate.figure_names");
  const std::vector<double> values = in.doubles("certificate.figures");
  in.require(names.size() == values.size(), "\"certificate.figures\" has another length than its names");
  if (!in.ok()) return out;
  for (std::size_t k = 0; k < names.size(); ++k) out.figures.emplace_back(names[k], values[k]);
  return out;
}

Claim read_claim(FieldReader& in, const ObjectReader& json) {
  switch (json.choice("type", kClaims)) {
  case 0:
    return ExactOptimum{json.number("suboptimality"), json.number("coefficient_error"), json.number("backward_error"),
                        json.flag("from_merged_statistics")};
  case 1:
    return DualityGap{json.number("primal"), json.number("dual"), json.number("gap"),
                      json.member("from_merged_statistics") != nullptr && json.flag("from_merged_statistics")};
  case 2:
    return KktResidual{json.number("residual")};
  case 3:
    return SeparatingHyperplane{json.number("margin"), json.member("gap") ? json.number("gap") : kNaN};
  case 4:
    return NotSeparable{in.doubles("certificate.multipliers"), json.number("residual")};
  case 5:
    return NoFiniteMaximum{in.doubles("certificate.direction")};
  case 6:
    return Counted{};
  case 7:
    return Searched{json.count("candidates")};
  case 8:
    return Stationary{json.number("gradient_norm")};
  default:
    return read_described(in, json);
  }
}

Certificate read_certificate(FieldReader& in, const ObjectReader& json) {
  Certificate certificate;
  certificate.claim = read_claim(in, json.object("claim"));
  certificate.verdict = stated_verdict(static_cast<Verdict::Word>(json.choice("verdict", kVerdicts)));
  certificate.objective = json.number("objective");
  certificate.null_objective = json.number("null_objective");
  certificate.tolerance = json.number("tolerance");
  certificate.slack = json.number("slack");
  certificate.passes = json.count("passes");
  certificate.stop = json.text("stop");
  certificate.conditions = in.strings("certificate.conditions");
  return certificate;
}

Params read_params(FieldReader& in, const Json* json) {
  Params params;
  const JsonObject* members = json ? json->as<JsonObject>() : nullptr;
  in.require(members != nullptr, "params is not an object");
  if (!members) return params;
  for (const auto& [name, value] : *members) {
    const JsonObject* special = value.as<JsonObject>(); // {"number": "inf"}
    const auto wrapped = special && special->contains("number") ? number_from_json(special->find("number")->second)
                                                                : std::optional<double>();
    const double* number = value.as<double>();
    if (wrapped)
      params[name] = *wrapped;
    else if (number)
      params[name] = *number;
    else if (const bool* flag = value.as<bool>())
      params[name] = *flag;
    else if (const std::string* word = value.as<std::string>())
      params[name] = *word;
    else
      in.refuse("params." + name + " has no value");
  }
  return params;
}

// Those that the word of the model has are what its fits take; a family may keep others beside them.
void check_params(FieldReader& in, const Model& model) {
  const ModelInfo* const info = model_info(model.word);
  if (info == nullptr) return;
  static constexpr std::array kKinds{"true or false", "a number", "text"};
  // A fit leaves out how it searched if it did not, and the penalty of a machine if it is the usual one.
  static constexpr std::array kLeftOut{"solver", "order", "reduction", "schedule", "start", "penalty"};
  for (const ParamInfo& param : info->params) {
    const auto stored = model.params.find(param.name);
    const auto* usual = std::get_if<std::string>(&param.initial);
    if (stored != model.params.end())
      in.require(stored->second.index() == param.initial.index(),
                 "params." + param.name + " is not " + kKinds.at(param.initial.index()));
    else
      in.require(!usual || usual->empty() || std::ranges::find(kLeftOut, param.name) != kLeftOut.end(),
                 "params." + param.name + " is missing, text");
  }
}

Fingerprint read_fingerprint(FieldReader& in, const ObjectReader& json) {
  Fingerprint fingerprint{json.count("rows"), {}};
  const std::string digest = json.text("sha256");
  const auto digit = [](char c) { return c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1; };
  in.require(digest.size() == 64 && std::ranges::all_of(digest, [&](char c) { return digit(c) >= 0; }),
             "fingerprint.sha256 is not 64 hexadecimal digits");
  if (!in.ok()) return {};
  for (std::size_t i = 0; i < 32; ++i)
    fingerprint.digest[i] = static_cast<std::uint8_t>(digit(digest[2 * i]) * 16 + digit(digest[2 * i + 1]));
  return fingerprint;
}

Holdout read_holdout(FieldReader& in, const ObjectReader& json) {
  const Holdout holdout{json.number("share"), static_cast<std::uint64_t>(json.count("seed"))};
  in.require(holdout.share > 0 && holdout.share < 1, "holdout.share is not a share of the rows");
  return holdout;
}

Decision read_decision(FieldReader& in, const ObjectReader& json, Index classes) {
  Decision decision{.aim = json.text("aim"), .threshold = json.number("threshold"), .rows = json.count("rows")};
  decision.precision = json.number("precision"), decision.recall = json.number("recall");
  decision.specificity = json.number("specificity"), decision.accuracy = json.number("accuracy");
  decision.value = json.number("value");
  if (in.has("decision.costs")) decision.costs = in.doubles("decision.costs");
  const auto cost_count = static_cast<std::size_t>(classes * classes);
  in.require(classes > 1 && (decision.costs.empty() ? classes == 2 : decision.costs.size() == cost_count),
             "its decision is not one of its classes");
  in.require(!decision.aim.empty() && !std::isnan(decision.threshold), "its decision has no aim");
  return decision;
}

Reading read_reading(FieldReader& in, const ObjectReader& json) {
  const auto character = [&](const char* key) {
    const std::string text = json.member(key) ? json.text(key) : "";
    in.require(!json.member(key) || text.size() == 1, std::string("reading.") + key + " is not one character");
    return in.ok() && !text.empty() ? text[0] : '\0';
  };
  Reading reading{character("separator"), character("decimal"), {}, character("thousands"), {}};
  in.require(reading.decimal == 0 || reading.decimal == '.' || reading.decimal == ',',
             "reading.decimal is not a decimal mark");
  in.require(reading.thousands == 0 || std::string_view(",.'_ ").find(reading.thousands) != std::string_view::npos,
             "reading.thousands is not a thousands separator");
  if (json.member("header")) reading.header = json.flag("header");
  if (in.has("reading.missing_tokens.start")) reading.missing_tokens = in.strings("reading.missing_tokens");
  return reading;
}

FitSummary read_summary(const ObjectReader& json) {
  FitSummary summary;
  summary.solver = json.text("solver");
  summary.reason = json.text("reason");
  summary.rows = json.count("rows");
  summary.weight_sum = json.number("weight_sum");
  summary.weights_are = static_cast<WeightMeaning>(json.choice("weights_are", kWeightMeanings));
  return summary;
}

// What was learned: the coefficients of a linear model, or what the family of its word reads.
Result<void> read_body(FieldReader& in, const ObjectReader& json, std::uint64_t file_size, Model& model) {
  if (json.member("body") == nullptr) {
    LinearSummary& linear = own_linear(model) = read_linear(in, json.object("summary"), file_size);
    if (in.ok() && model.classifies()) linear.classes = read_class_fit(in);
  } else {
    FitSummary summary = read_summary(json.object("summary"));
    if (in.ok() && model.classifies()) summary.classes = read_class_fit(in);
    if (!in.ok()) return in.error();
    auto body = read_body_of(json.text("body"), model.word, in, std::move(summary), model.schema);
    if (!body) return std::unexpected(body.error());
    model.body = *std::move(body);
  }
  if (in.ok()) check_scores(in, model);
  return {};
}

} // namespace

Result<Model> read_model(std::string_view bytes, const std::string& source, std::shared_ptr<const void> mapping,
                         Checksums checksums) {
  const auto file = TensorFile::parse(bytes, source, std::move(mapping), checksums);
  if (!file) return std::unexpected(file.error());
  const auto metadata = parse_json(file->metadata, source + ", metadata \"recta\"");
  if (!metadata) return std::unexpected(metadata.error());

  FieldReader in(*file, source);
  const ObjectReader json(in, &*metadata, "");
  const Index format = json.count("format");
  if (in.ok() && format > kFormat)
    return fail(ErrorCode::bad_model_file, source,
                "written in version " + std::to_string(format) +
                    " of the model format, and this Recta reads up to version " + std::to_string(kFormat),
                "use a newer Recta");
  in.require(format >= 1, "version 0 of the model format does not exist");
  Model model;
  model.word = json.text("word");
  model.params = read_params(in, json.member("params"));
  check_params(in, model);
  model.objective = json.text("objective");
  model.schema = read_schema(in, json.object("schema"));
  model.schema.classes = read_classes(in);
  model.schema.labels = read_labels(in);
  if (auto read = read_body(in, json, bytes.size(), model); !read) return std::unexpected(read.error());
  model.certificate = read_certificate(in, json.object("certificate"));
  model.fingerprint = read_fingerprint(in, json.object("fingerprint"));
  if (json.member("holdout") != nullptr) model.holdout = read_holdout(in, json.object("holdout"));
  if (json.member("decision") != nullptr)
    model.decision = read_decision(in, json.object("decision"), model.schema.classes.count());
  if (json.member("reading") != nullptr) model.reading = read_reading(in, json.object("reading"));
  if (in.ok()) check_features(in, model);
  if (!in.ok()) return in.error();
  return model;
}

Result<Model> Model::from_bytes(std::string_view bytes, const std::string& source) {
  return guarded(source, cure::kFree, [&] { return read_model(bytes, source, nullptr); });
}

} // namespace recta
