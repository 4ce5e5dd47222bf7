// From the bytes of a file to a model. The container was checked before (tensor_file.hpp): every tensor lies inside the
// file and has the bytes its shape asks for. Here the parts must fit one another. Memory is asked for only in
// proportion to bytes that are really there.
#include "base/guard.hpp"
#include "model_file/field_reader.hpp"
#include "model_file/fields.hpp"
#include "model_file/read_schema.hpp"

#include <algorithm>

namespace recta {
namespace {

using namespace model_fields;

// Every target repeats the names of the features, so a file of few bytes could ask for very many: names of up to 256
// bytes on average are always fine.
bool names_are_affordable(const std::vector<std::string>& names, Index copies, std::uint64_t file_size) {
  std::uint64_t bytes = 0;
  for (const std::string& name : names) bytes += name.size();
  return bytes / 16 <= ((std::uint64_t{4} << 20) + file_size) / static_cast<std::uint64_t>(std::max<Index>(copies, 1));
}

std::vector<TargetFit> read_targets(FieldReader& in, std::uint64_t file_size) {
  const auto features = in.strings("features");
  const auto names = in.strings("targets");
  const auto intercepts = in.strings("intercept.names");
  const auto p = std::ssize(features), k = std::ssize(names);
  in.require(k > 0, "it has no target");
  in.require(std::ssize(intercepts) == k, "\"intercept.names\" is not as long as \"targets\"");
  in.require(in.shape("intercept") == std::vector<Index>{k}, "\"intercept\" is not as long as \"targets\"");
  in.require(p == 0 || in.shape("coefficients") == std::vector<Index>{p, k},
             "\"coefficients\" does not have one row a feature and one column a target");
  in.require(names_are_affordable(features, k, file_size), "its feature names are too long");
  if (!in.ok()) return {};

  std::vector<TargetFit> targets(names.size());
  for (std::size_t t = 0; t < targets.size(); ++t) {
    targets[t].target = names[t];
    targets[t].intercept.feature = intercepts[t];
    targets[t].coefficients.resize(features.size());
    for (std::size_t j = 0; j < features.size(); ++j) targets[t].coefficients[j].feature = features[j];
  }
  for (const auto& field : kCoefficient) {
    const std::string slope_name = "coefficients" + std::string(field.name);
    const std::string intercept_name = "intercept" + std::string(field.name);
    const auto slopes = field.required ? in.doubles(slope_name) : in.doubles_or_nan(slope_name, {p, k});
    const auto bases = field.required ? in.doubles(intercept_name) : in.doubles_or_nan(intercept_name, {k});
    if (!in.ok()) return {};
    for (std::size_t t = 0; t < targets.size(); ++t) {
      targets[t].intercept.*field.member = bases[t];
      for (std::size_t j = 0; j < features.size(); ++j)
        targets[t].coefficients[j].*field.member = slopes[j * targets.size() + t];
    }
  }
  for (const auto& field : kTargetFit) {
    const auto values = in.doubles_or_nan("fit" + std::string(field.name), {k});
    if (!in.ok()) return {};
    for (std::size_t t = 0; t < targets.size(); ++t) targets[t].*field.member = values[t];
  }
  return targets;
}

std::vector<Alias> read_aliases(FieldReader& in) {
  auto names = in.strings("aliased.names");
  const auto terms = in.counts("aliased.terms");
  const auto factors = in.doubles("aliased.factors");
  std::size_t name = 0, factor = 0;
  std::vector<Alias> aliases;
  for (const Index count : terms) {
    const auto needed = static_cast<std::size_t>(count);
    in.require(name < names.size() && needed < names.size() - name && needed <= factors.size() - factor,
               "its aliased columns are damaged");
    if (!in.ok()) return {};
    Alias& alias = aliases.emplace_back();
    alias.feature = std::move(names[name++]);
    for (Index i = 0; i < count; ++i) alias.equals.emplace_back(std::move(names[name++]), factors[factor++]);
  }
  in.require(name == names.size() && factor == factors.size(), "its aliased columns are damaged");
  return aliases;
}

LinearSummary read_summary(FieldReader& in, const ObjectReader& json, std::uint64_t file_size) {
  LinearSummary linear;
  linear.solver = json.text("solver");
  linear.reason = json.text("reason");
  linear.rows = json.count("rows");
  linear.weight_sum = json.number("weight_sum");
  linear.degrees_of_freedom = json.number("degrees_of_freedom");
  linear.rank = json.count("rank");
  linear.condition = json.number("condition");
  linear.condition_is_estimate = json.flag("condition_is_estimate");
  if (json.member("lambda1") != nullptr) linear.lambda1 = json.number("lambda1"); // not in the first files
  linear.lambda2 = json.number("lambda2");
  if (json.member("psi") != nullptr) linear.psi = json.number("psi");
  linear.intercept = json.flag("intercept");
  linear.standardised = json.flag("standardised");
  linear.weights_are = static_cast<WeightMeaning>(json.choice("weights_are", kWeightMeanings));
  linear.confidence = json.number("confidence");
  if (json.member("errors")) { // files of 0.1.0 have none
    linear.errors = static_cast<StandardErrors>(json.choice("errors", kErrors));
    linear.clusters = json.count("clusters");
  }

  linear.targets = read_targets(in, file_size);
  linear.means = in.doubles("means");
  linear.deviations = in.doubles("deviations");
  const auto values = in.doubles("singular.values"), shrinkage = in.doubles("singular.shrinkage");
  linear.aliased = read_aliases(in);
  in.require(values.size() == shrinkage.size(), "\"singular.values\" and \"singular.shrinkage\" differ in length");
  if (!in.ok()) return {};
  for (std::size_t i = 0; i < values.size(); ++i) linear.singular.push_back({values[i], shrinkage[i]});
  const std::size_t p = linear.targets[0].coefficients.size();
  for (const auto* moments : {&linear.means, &linear.deviations})
    in.require(moments->empty() || moments->size() == p, "its means and deviations are not one a feature");
  linear.inverse_root = in.doubles("inverse_root");
  in.require(linear.inverse_root.empty() ||
                 (linear.means.size() == p &&
                  in.shape("inverse_root") == std::vector<Index>{linear.rank, std::ssize(linear.means)}),
             "\"inverse_root\" does not have one row a rank and one column a feature");
  return linear;
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
    return SeparatingHyperplane{json.number("margin")};
  case 4:
    return NotSeparable{in.doubles("certificate.multipliers"), json.number("residual")};
  case 5:
    return NoFiniteMaximum{in.doubles("certificate.direction")};
  case 6:
    return Counted{};
  case 7:
    return Searched{json.count("candidates")};
  default:
    return Stationary{json.number("gradient_norm")};
  }
}

Certificate read_certificate(FieldReader& in, const ObjectReader& json) {
  Certificate certificate;
  certificate.claim = read_claim(in, json.object("claim"));
  certificate.verdict = static_cast<Verdict>(json.choice("verdict", kVerdicts));
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
  in.require(holdout.share > 0 && holdout.share < 1, "holdout.share is no share of the rows");
  return holdout;
}

Reading read_reading(FieldReader& in, const ObjectReader& json) {
  const auto character = [&](const char* key) {
    const std::string text = json.member(key) ? json.text(key) : "";
    in.require(!json.member(key) || text.size() == 1, std::string("reading.") + key + " is not one character");
    return in.ok() && !text.empty() ? text[0] : '\0';
  };
  Reading reading{character("separator"), character("decimal"), {}, character("thousands"), {}};
  in.require(reading.decimal == 0 || reading.decimal == '.' || reading.decimal == ',',
             "reading.decimal is no decimal mark");
  in.require(reading.thousands == 0 || std::string_view(",.'_ ").find(reading.thousands) != std::string_view::npos,
             "reading.thousands is no thousands separator");
  if (json.member("header")) reading.header = json.flag("header");
  if (in.has("reading.missing_tokens.start")) reading.missing_tokens = in.strings("reading.missing_tokens");
  return reading;
}

Result<Model> read_model(std::string_view bytes, const std::string& source) {
  const auto file = TensorFile::parse(bytes, source);
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
  model.objective = json.text("objective");
  model.schema = read_schema(in, json.object("schema"));
  model.linear = read_summary(in, json.object("summary"), bytes.size());
  if (in.ok()) read_classes(in, model);
  model.certificate = read_certificate(in, json.object("certificate"));
  model.fingerprint = read_fingerprint(in, json.object("fingerprint"));
  if (json.member("holdout") != nullptr) model.holdout = read_holdout(in, json.object("holdout"));
  if (json.member("reading") != nullptr) model.reading = read_reading(in, json.object("reading"));
  if (in.ok()) check_features(in, model);
  if (!in.ok()) return in.error();
  return model;
}

} // namespace

Result<Model> Model::from_bytes(std::string_view bytes, const std::string& source) {
  return guarded(source, cure::kFree, [&] { return read_model(bytes, source); });
}

} // namespace recta
