#include "family/elastic_net/request.hpp"

#include "base/numbers.hpp"
#include "feature/map/maps.hpp"
#include "feature/schema.hpp"
#include "params/params.hpp"

#include <charconv>
#include <cmath>
#include <fmt/format.h>

namespace recta {
namespace {

// "a=1,\"b,c\"=2": commas inside double quotes belong to the name.
std::vector<std::string> items_of(const std::string& text) {
  std::vector<std::string> items(1);
  bool quoted = false;
  for (const char c : text) {
    if (c == '"')
      quoted = !quoted;
    else if (c == ',' && !quoted)
      items.emplace_back();
    else
      items.back() += c;
  }
  return items;
}

struct Range {
  double lowest, highest;
  const char* advice;
};

// One number per feature, `otherwise` for those without one; empty if none is given at all.
Result<std::vector<double>> by_column(const std::string& word, const Params& params, const std::string& name,
                                      const Schema& schema, double otherwise, Range range) {
  const std::string text = recta::word(params, name);
  if (text.empty()) return std::vector<double>{};
  const std::string where = fmt::format("{}, parameter {}", word, name);
  const auto places = places_by_name(schema);
  std::vector<double> numbers(static_cast<std::size_t>(feature::feature_count(schema)), otherwise);
  for (const std::string& item : items_of(text)) {
    const std::size_t equals = item.rfind('=');
    const std::string column = item.substr(0, equals), value = equals == item.npos ? "" : item.substr(equals + 1);
    double number = 0;
    const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), number);
    if (value.empty() || error != std::errc{} || end != value.data() + value.size())
      return refuse(where, fmt::format("\"{}\" is not a column and a number", item), "write column=number,...");
    if (!(number >= range.lowest && number <= range.highest))
      return refuse(where, fmt::format("{} is out of range", item), range.advice);
    const auto features = features_named(column, places, where);
    if (!features) return std::unexpected(features.error());
    for (const Index j : *features) numbers[static_cast<std::size_t>(j)] = number;
  }
  return numbers;
}

bool is_given(const Params& params, const char* name) {
  return !std::isnan(number(params, name));
}

Result<void> lasso_strength(const std::string& word, const Params& params, NetRequest& out) {
  if (is_given(params, "lambda") && is_given(params, "lambda1"))
    return refuse(word, "the strength of the penalty was given more than once", "give lambda or lambda1");
  out.choose = !out.constrained() && !is_given(params, "lambda") && !is_given(params, "lambda1");
  out.objective.lambda1 = is_given(params, "lambda") ? number(params, "lambda") : number(params, "lambda1");
  return {};
}

Result<void> net_strength(const std::string& word, const Params& params, NetRequest& out) {
  const bool apart = is_given(params, "lambda1") || is_given(params, "lambda2");
  if (apart && (is_given(params, "lambda") || is_given(params, "l1-share")))
    return refuse(word, "the strength of the penalty was given in two ways",
                  "give lambda with l1-share, or lambda1 with lambda2");
  const double share = is_given(params, "l1-share") ? number(params, "l1-share") : 0.5;
  const auto or_zero = [&](const char* name) { return is_given(params, name) ? number(params, name) : 0; };
  if (apart || out.constrained()) {
    out.objective.lambda1 = or_zero("lambda1");
    out.objective.lambda2 = or_zero("lambda2");
  } else if (is_given(params, "lambda")) {
    out.objective.lambda1 = number(params, "lambda") * share;
    out.objective.lambda2 = number(params, "lambda") * (1 - share);
  } else if (share == 0) {
    return refuse(word, "without a share of |w_j| there is no strength to choose by", "give lambda");
  } else {
    out.choose = true;
    out.l1_share = share;
  }
  return {};
}

Result<void> limits(const std::string& word, const Params& params, const Schema& schema, NetRequest& out) {
  ElasticNetObjective& o = out.objective;
  auto lower =
      by_column(word, params, "lower", schema, -kInfinity, {-kInfinity, 0, "a lower bound must be zero or below"});
  if (!lower) return std::unexpected(lower.error());
  auto upper =
      by_column(word, params, "upper", schema, kInfinity, {0, kInfinity, "an upper bound must be zero or above"});
  if (!upper) return std::unexpected(upper.error());
  o.lower = *std::move(lower);
  o.upper = *std::move(upper);
  out.limits = o.lower.empty() && o.upper.empty() ? Limits::none : Limits::bounds;
  if (!flag(params, "non-negative")) return {};
  if (out.limits == Limits::none) out.limits = Limits::non_negative;
  o.lower.assign(static_cast<std::size_t>(feature::feature_count(schema)), 0.0);
  return {};
}

} // namespace

PlacesByName places_by_name(const Schema& schema) {
  PlacesByName places;
  const std::vector<std::string> names = feature::feature_names(schema);
  for (std::size_t j = 0; j < names.size(); ++j) places[names[j]].push_back(static_cast<Index>(j));
  Index first = 0;
  for (const SchemaColumn& column : schema.columns) {
    const Index count = feature::feature_count(column);
    auto& features = places[column.name];
    if (features.empty())
      for (Index j = first; j < first + count; ++j) features.push_back(j);
    first += count;
  }
  for (const FeatureMap& map : schema.maps) {
    const auto text = feature::read_map(map.text);
    const Index count = text ? text->count : 0;
    auto& features = places[map.text];
    if (features.empty())
      for (Index j = first; j < first + count; ++j) features.push_back(j);
    first += count;
  }
  return places;
}

Result<std::vector<Index>> features_named(const std::string& name, const PlacesByName& places,
                                          const std::string& where) {
  const auto entry = places.find(name);
  if (entry != places.end()) return entry->second;
  std::vector<std::string> known;
  for (const auto& [known_name, unused] : places) known.push_back(known_name);
  const std::string near = nearest(name, known);
  return refuse(where, fmt::format("there is no feature \"{}\"", name),
                near.empty() ? "name a column or one level of a category" : fmt::format("did you mean \"{}\"?", near));
}

Result<void> set_strength(const std::string& word, const Params& params, NetRequest& out) {
  return params.contains("l1-share") ? net_strength(word, params, out) : lasso_strength(word, params, out);
}

const std::vector<std::string>& net_solver_words() {
  static const std::vector<std::string> words{"auto", "gram", "columns"};
  return words;
}

Result<NetRequest> net_request(const std::string& word, const Params& params, const Schema& schema, bool intercept,
                               bool standardise) {
  NetRequest out;
  out.psi = number(params, "psi");
  out.objective.intercept = intercept;
  out.objective.standardise = standardise;
  if (out.constrained() && (is_given(params, "lambda") || is_given(params, "lambda1") || is_given(params, "l1-share")))
    return refuse(word, "both a bound psi and a penalty were given", "give one of them");
  if (auto strength = set_strength(word, params, out); !strength) return std::unexpected(strength.error());
  if (out.constrained() || out.choose) out.objective.lambda1 = 0;
  auto factors = by_column(word, params, "penalty-factors", schema, 1, {0, 1e100, "a factor must be zero or above"});
  if (!factors) return std::unexpected(factors.error());
  out.objective.factors1 = *factors;
  out.objective.factors2 = *std::move(factors);
  if (auto good = limits(word, params, schema, out); !good) return std::unexpected(good.error());
  if (out.constrained() && out.limits == Limits::bounds)
    return refuse(word, "psi together with bounds on single coefficients is not offered",
                  "leave out lower and upper; non-negative works with psi");
  return out;
}

std::string net_objective_text(const NetRequest& request, const std::string& word, bool offset) {
  const bool squares = word == "elastic-net";
  return objective_text({.intercept = request.objective.intercept,
                         .offset = offset,
                         .penalty = squares ? Penalty::both : Penalty::absolute,
                         .standardise = request.objective.standardise,
                         .factors = !request.objective.factors1.empty(),
                         .constrained = request.constrained(),
                         .limits = request.limits});
}

} // namespace recta
