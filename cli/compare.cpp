// recta compare: is the larger of two nested models worth it?
#include "flags.hpp"
#include "input.hpp"
#include "json.hpp"
#include "output.hpp"
#include "table.hpp"

#include <fmt/format.h>

namespace recta::cli {

namespace {

std::string comparison_text(const Comparison& comparison, const Arguments& arguments, const Voice& voice) {
  std::string text;
  for (const Comparison::Target& target : comparison.targets) {
    Table table({target.target, "parameters", "AIC", "AICc", "BIC", "Mallows' Cp"});
    const auto row = [&](const std::string& name, const Information& i, double cp) {
      table.add({name, number_text(i.parameters, voice.digits), number_text(i.aic, voice.digits),
                 number_text(i.aicc, voice.digits), number_text(i.bic, voice.digits), number_text(cp, voice.digits)});
    };
    row(arguments.word(0), target.small, target.mallows_cp);
    row(arguments.word(1), target.large, target.large.parameters);
    text += table.text() + "\n" + target.sentence + "\n";
    text += fmt::format("likelihood ratio {}, chi squared with {}, p = {}\n",
                        number_text(target.likelihood_ratio, voice.digits), number_text(comparison.added, voice.digits),
                        number_text(target.likelihood_ratio_p_value, 4));
  }
  return text;
}

void information_value(Json& json, const Information& i) {
  json.object().field("parameters", i.parameters).field("aic", i.aic).field("aicc", i.aicc).field("bic", i.bic).end();
}

std::string comparison_json(const Comparison& comparison, const Arguments& arguments) {
  Json json;
  json.object().field("schema", "recta/compare/1").field("small", arguments.word(0)).field("large", arguments.word(1));
  json.list("features", comparison.features).field("added", comparison.added);
  json.field("degrees_of_freedom", comparison.degrees_of_freedom).key("targets").object();
  for (const Comparison::Target& target : comparison.targets) {
    json.key(target.target).object().field("f", target.f).field("f_p_value", target.f_p_value);
    json.field("likelihood_ratio", target.likelihood_ratio);
    json.field("likelihood_ratio_p_value", target.likelihood_ratio_p_value).field("mallows_cp", target.mallows_cp);
    json.key("small");
    information_value(json, target.small);
    json.key("large");
    information_value(json, target.large);
    json.field("sentence", target.sentence).end();
  }
  return json.end().end().text();
}

Result<int> run_compare(const Arguments& arguments) {
  const Voice voice(arguments);
  Result<Model> small = load_model(arguments.word(0), voice);
  if (!small) return std::unexpected(small.error());
  Result<Model> large = load_model(arguments.word(1), voice);
  if (!large) return std::unexpected(large.error());
  Result<Comparison> comparison;
  if (arguments.word(2).empty()) {
    comparison = compare(*small, *large);
  } else {
    Result<Dataset> data = read_data_for(*large, Use::all, arguments.word(2), arguments, voice);
    if (!data) return std::unexpected(data.error());
    comparison = compare(*small, *large, *data);
  }
  if (!comparison) return std::unexpected(comparison.error());
  Result<Output> out = Output::to_standard_output();
  *out << (voice.json ? comparison_json(*comparison, arguments) : comparison_text(*comparison, arguments, voice));
  if (Result<void> written = out->finish(); !written) return std::unexpected(written.error());
  return 0;
}

} // namespace

CommandInfo compare_command() {
  return {.name = "compare",
          .summary = "test whether a larger model is worth its features",
          .examples = {{"recta compare few.recta many.recta", "F and likelihood-ratio tests, AIC, BIC, Cp"},
                       {"recta compare few.recta many.recta train.csv", "and both are of these rows"}},
          .words = {{"SMALL", WordKind::model_file}, {"LARGE", WordKind::model_file}, {"DATA", WordKind::data, false}},
          .groups = {output_flags(), reading_flags()},
          .notes =
              "Both are least-squares fits of the same rows, and LARGE has every feature of SMALL. With DATA their\n"
              "fingerprints are compared with the rows; without, numbers of rows and sums of weights.",
          .run = run_compare};
}

} // namespace recta::cli
