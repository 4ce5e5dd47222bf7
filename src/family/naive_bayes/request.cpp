#include "family/naive_bayes/request.hpp"

#include "feature/schema.hpp"
#include "params/listed_values.hpp"
#include "params/params.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace recta::naive_bayes {
namespace {

constexpr std::string_view kKinds =
    "auto, gaussian, categorical, categorical:LEVELS, bernoulli, multinomial, complement";

// The columns of the table that users can name: those of features, then those of documents.
std::vector<std::string> names_of(const Schema& schema) {
  std::vector<std::string> names;
  for (const SchemaColumn& column : schema.columns) names.push_back(column.name);
  for (const TextMap& map : schema.texts) names.push_back(map.column);
  return names;
}

Result<std::size_t> place_of(const std::string& name, const std::vector<std::string>& names, const std::string& param) {
  const auto found = std::ranges::find(names, name);
  if (found != names.end()) return static_cast<std::size_t>(found - names.begin());
  const std::string near = nearest(name, names);
  return refuse(kWord + ", parameter " + param, fmt::format("there is no column \"{}\"", name),
                near.empty() ? "name columns that the model reads" : fmt::format("did you mean \"{}\"?", near));
}

Result<AskedLikelihood> read_likelihood(const std::string& text) {
  const std::size_t colon = text.find(':');
  const std::string kind = text.substr(0, colon);
  AskedLikelihood out;
  if (kind == "auto" && colon == std::string::npos) return out;
  for (const Likelihood known : {Likelihood::gaussian, Likelihood::categorical, Likelihood::bernoulli,
                                 Likelihood::multinomial, Likelihood::complement})
    if (name(known) == kind) out.kind = known;
  const auto levels = colon == std::string::npos ? std::optional(0.0) : read_double(text.substr(colon + 1));
  const bool counted = colon == std::string::npos || (out.kind == Likelihood::categorical && levels && *levels >= 1 &&
                                                      *levels <= 1e6 && *levels == std::floor(*levels));
  if (!out.kind || !counted)
    return refuse(kWord + ", parameter likelihood", fmt::format("\"{}\" is not known", text),
                  fmt::format("choose one of {}", kKinds));
  out.levels = static_cast<Index>(*levels);
  return out;
}

} // namespace

Result<std::vector<AskedLikelihood>> asked_likelihoods(const Params& params, const Schema& schema) {
  const ListedValues listed = listed_values(word(params, "likelihood"));
  const std::vector<std::string> names = names_of(schema);
  const std::size_t count = names.size() + (schema.sparse_cols > 0 ? 1 : 0);
  std::vector<std::string> texts(count, listed.all.empty() ? "auto" : listed.all);
  if (!listed.in_order.empty()) {
    if (auto good = check_length(kWord + ", parameter likelihood", listed.in_order.size(), count); !good)
      return std::unexpected(good.error());
    texts = listed.in_order;
    for (std::string& text : texts) // categorical:3/2/5 says the word once
      if (read_double(text)) text.insert(0, "categorical:");
  }
  for (const auto& [column, text] : listed.named) {
    const auto place = place_of(column, names, "likelihood");
    if (!place) return std::unexpected(place.error());
    texts[*place] = text;
  }
  std::vector<AskedLikelihood> out;
  for (const std::string& text : texts) {
    const auto asked = read_likelihood(text);
    if (!asked) return std::unexpected(asked.error());
    out.push_back(*asked);
  }
  return out;
}

Result<std::vector<double>> asked_alpha(const Params& params, const Schema& schema) {
  const ListedValues listed = listed_values(word(params, "alpha"));
  const auto read = [](const std::string& text) -> Result<double> {
    const auto value = read_double(text);
    if (value && *value >= 0) return *value;
    return refuse(kWord + ", parameter alpha", fmt::format("\"{}\" is not a number from zero up", text),
                  "give NUMBER, COL=NUMBER,... or NUMBER/NUMBER/... in the order of the columns");
  };
  const auto all = read(listed.all.empty() ? "1" : listed.all);
  if (!all) return std::unexpected(all.error());
  if (listed.named.empty() && listed.in_order.empty()) return std::vector{*all};
  const std::vector<std::string> names = names_of(schema);
  std::vector<double> each(names.size() + at(schema.sparse_cols), *all);
  if (!listed.in_order.empty())
    if (auto good = check_length(kWord + ", parameter alpha", listed.in_order.size(), each.size()); !good)
      return std::unexpected(good.error());
  for (std::size_t j = 0; j < listed.in_order.size(); ++j) {
    const auto value = read(listed.in_order[j]);
    if (!value) return std::unexpected(value.error());
    each[j] = *value;
  }
  for (const auto& [column, text] : listed.named) {
    const auto place = place_of(column, names, "alpha");
    const auto value = read(text);
    if (!place) return std::unexpected(place.error());
    if (!value) return std::unexpected(value.error());
    each[*place] = *value;
  }
  std::vector<double> out; // columns of the schema become columns of the design
  const std::size_t columns = schema.columns.size();
  Index terms = 0;
  for (const TextMap& map : schema.texts) terms += map.features();
  for (std::size_t c = 0; c < columns; ++c)
    out.insert(out.end(), at(feature::feature_count(schema.columns[c])), each[c]);
  out.resize(at(feature::feature_count(schema) - terms - schema.sparse_cols), *all); // maps
  for (std::size_t t = 0; t < schema.texts.size(); ++t)
    out.insert(out.end(), at(schema.texts[t].features()), each[columns + t]);
  out.insert(out.end(), each.begin() + static_cast<Index>(names.size()), each.end());
  return out;
}

Result<Smoothing> asked_smoothing(const Params& params, const Schema& schema) {
  auto alpha = asked_alpha(params, schema);
  if (!alpha) return std::unexpected(alpha.error());
  return Smoothing{.alpha = *std::move(alpha),
                   .variance = number(params, "smoothing"),
                   .widest = word(params, "smoothing-of") == "widest",
                   .norm = flag(params, "norm")};
}

} // namespace recta::naive_bayes
