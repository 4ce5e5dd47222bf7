#include "family/neighbours/settings.hpp"

#include "model_file/put.hpp"
#include "params/listed_values.hpp"
#include "params/params.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace recta::neighbours {
namespace {

constexpr std::array<std::string_view, 2> kVotes = {"uniform", "distance"};
constexpr std::array<std::string_view, 4> kIndexes = {"brute", "kd-tree", "ball-tree", "hnsw"}; // as in IndexWord
constexpr std::array<std::string_view, 3> kOutsides = {"refuse", "prior", "missing"};

template <std::size_t N>
std::size_t place_of(std::string_view word, const std::array<std::string_view, N>& words) {
  return static_cast<std::size_t>(std::ranges::find(words, word) - words.begin());
}
template <std::size_t N>
std::vector<std::string> strings_of(const std::array<std::string_view, N>& words) {
  return {words.begin(), words.end()};
}

std::string metric_text(const Metric& metric) {
  const std::string weighed = metric.weights.empty() ? "" : ", features weighed";
  if (takes_power(metric)) return fmt::format("{}, power {}{}", metric.word, metric.power, weighed);
  return metric.word + weighed;
}

} // namespace

std::vector<ParamInfo> parameters(bool classes) {
  const OnlyWith count{"radius", {""}}, graph{"index", {"hnsw"}};
  std::vector<ParamInfo> all = {
      {"k", 5.0, "neighbours that answer; a row of weight 2 takes two of the places", 1, 1e9, {}, 1, count},
      {"radius", kNotGiven, "all rows within this distance answer, in place of the k nearest", 0, kHuge, {}},
      {"metric", std::string("euclidean"), "the distance", 0, 0, metric_names()},
      {"power", 2.0, "p of the minkowski distance", 1, kHuge, {}, 0, {"metric", {"minkowski"}}},
      {"feature-weights",
       std::string(),
       "factors of the features in the distance: NAME=W,... (others 1) or W/W/...",
       0,
       0,
       {}},
      {"covariance",
       std::string(),
       "mahalanobis: the covariance, V/V/... by row, in place of that of the training rows",
       0,
       0,
       {}},
      {"vote", std::string("uniform"), "all neighbours count alike, or by 1 / distance", 0, 0, strings_of(kVotes)},
      {"index",
       std::string("auto"),
       "how neighbours are found; all find the same, except hnsw, whose recall is measured",
       0,
       0,
       {"auto", "brute", "kd-tree", "ball-tree", "hnsw"}},
      {"links", 16.0, "hnsw: links of a row per layer, twice as many in the lowest", 2, 1000, {}, 0, graph},
      {"ef-construction", 200.0, "hnsw: rows kept while the links of a new one are sought", 1, 1e6, {}, 0, graph},
      {"ef-search", 64.0, "hnsw: rows kept while a query walks; more find more, and take longer", 1, 1e6, {}, 0, graph},
      {"outside", std::string("refuse"),
       "a row without neighbours inside the radius: an error, the answer of all training rows, or a missing one", 0, 0,
       strings_of(kOutsides), 0, OnlyWith{"radius"}},
      {"choose-k",
       0.0,
       "takes the k up to this with the least leave-one-out error; 0: k as given",
       0,
       1e6,
       {},
       0,
       count}};
  if (classes) all.push_back({"laplace", 0.0, "votes added to every class before shares are taken", 0, kHuge, {}});
  return all;
}

Result<void> check_settings(const ModelInfo& info, const Params& given, const Params& params) {
  const std::string& model = info.word;
  const bool radius = given.contains("radius");
  if (radius && given.contains("k")) return refuse(model, "both k and a radius are given", "give one of them");
  if (radius && number(params, "choose-k") > 0)
    return refuse(model, "there is no k to choose beside a radius", "leave out the radius or choose-k");
  if (given.contains("outside") && !radius)
    return refuse(model + ", parameter outside", "the k nearest always exist", "give a radius, or leave it out");
  for (const char* whole : {"k", "choose-k", "links", "ef-construction", "ef-search"})
    if (number(params, whole) != std::floor(number(params, whole)))
      return refuse(fmt::format("{}, parameter {}", model, whole),
                    fmt::format("{} is not a whole number", number(params, whole)),
                    fmt::format("take {}", std::round(number(params, whole))));
  const Metric metric{word(params, "metric"), number(params, "power")};
  if (given.contains("feature-weights") && !takes_weights(metric))
    return refuse(model + ", parameter feature-weights", fmt::format("the metric {} has none", metric.word),
                  "leave them out, or take another metric");
  for (const auto& [name, takes] : {std::pair{"power", takes_power(metric)}, {"covariance", takes_covariance(metric)}})
    if (given.contains(name) && !takes)
      return refuse(fmt::format("{}, parameter {}", model, name), fmt::format("the metric {} has none", metric.word),
                    "leave it out, or take another metric");
  const auto index = index_word(word(params, "index"));
  for (const char* name : {"links", "ef-construction", "ef-search"})
    if (given.contains(name) && index != IndexWord::hnsw)
      return refuse(fmt::format("{}, parameter {}", model, name), "it belongs to the index hnsw", "ask for that index");
  if (index == IndexWord::hnsw && radius)
    return refuse(model, "the index hnsw finds the k nearest rows, not all within a radius",
                  "give k, or another index");
  if (const std::string why = index ? obstacle(*index, metric) : ""; !why.empty())
    return refuse(model, why, "ask for the index auto, which takes one that can");
  return {};
}

Settings settings_of(const Params& params) {
  Settings out;
  out.metric = {word(params, "metric"), number(params, "power")};
  out.k = number(params, "k");
  if (const double radius = number(params, "radius"); !std::isnan(radius)) out.radius = radius, out.k = 0;
  out.vote = static_cast<Vote>(place_of(word(params, "vote"), kVotes));
  out.outside = static_cast<Outside>(place_of(word(params, "outside"), kOutsides));
  if (params.contains("laplace")) out.laplace = number(params, "laplace");
  if (word(params, "index") == "hnsw")
    out.graph = {.links = static_cast<Index>(number(params, "links")),
                 .ef_construction = static_cast<Index>(number(params, "ef-construction")),
                 .ef_search = static_cast<Index>(number(params, "ef-search"))};
  return out;
}

Result<std::vector<double>> feature_weights(const std::string& model, const Params& params,
                                            const std::vector<std::string>& features) {
  const auto found = params.find("feature-weights"); // models saved before there were any have none
  const std::string text = found == params.end() ? "" : std::get<std::string>(found->second);
  if (text.empty()) return std::vector<double>{};
  const std::string where = model + ", parameter feature-weights";
  const ListedValues listed = listed_values(text);
  const auto read = [&](const std::string& one, double& to) -> Result<void> {
    const auto value = read_double(one);
    if (!value || !(*value >= 0))
      return refuse(where, fmt::format("\"{}\" is not a number from zero up", one), "1 is usual");
    to = *value;
    return {};
  };
  std::vector<double> out(features.size(), 1);
  if (!listed.all.empty())
    return refuse(where, fmt::format("one number, {}, weighs no feature against another", listed.all),
                  "give NAME=W,... or W/W/...");
  if (!listed.in_order.empty()) {
    if (auto good = check_length(where, listed.in_order.size(), out.size()); !good)
      return std::unexpected(good.error());
    for (std::size_t j = 0; j < out.size(); ++j)
      if (auto good = read(listed.in_order[j], out[j]); !good) return std::unexpected(good.error());
  }
  for (const auto& [name, value] : listed.named) {
    bool known = false;
    for (std::size_t j = 0; j < out.size(); ++j) {
      if (features[j] != name && !features[j].starts_with(name + "=")) continue; // a level of a category
      known = true;
      if (auto good = read(value, out[j]); !good) return std::unexpected(good.error());
    }
    if (!known) {
      const std::string near = nearest(name, features);
      return refuse(where, fmt::format("there is no feature \"{}\"", name),
                    near.empty() ? fmt::format("the features are {}", fmt::join(features, ", "))
                                 : fmt::format("did you mean \"{}\"?", near));
    }
  }
  if (std::ranges::none_of(out, [](double w) { return w > 0; }))
    return refuse(where, "no feature has a weight above zero", "give at least one");
  return out;
}

Result<std::vector<double>> given_covariance(const std::string& model, const Params& params, Index cols) {
  const auto found = params.find("covariance"); // other models that remember rows have none
  const std::string text = found == params.end() ? "" : std::get<std::string>(found->second);
  std::vector<double> out;
  if (text.empty()) return out;
  const std::string where = model + ", parameter covariance";
  ListedValues listed = listed_values(text);
  if (!listed.all.empty()) listed.in_order.push_back(listed.all); // of one feature
  if (!listed.named.empty()) return refuse(where, "its numbers have no names", "give V/V/..., row after row");
  const auto p = static_cast<std::size_t>(cols);
  if (auto good = check_length(where, listed.in_order.size(), p * p); !good) return std::unexpected(good.error());
  for (const std::string& one : listed.in_order) {
    const auto value = read_double(one);
    if (!value) return refuse(where, fmt::format("\"{}\" is not a number", one), "give V/V/..., row after row");
    out.push_back(*value);
  }
  for (std::size_t j = 0; j < p; ++j)
    for (std::size_t l = 0; l < j; ++l)
      if (out[j * p + l] != out[l * p + j])
        return refuse(where,
                      fmt::format("{} and {} stand in places that mirror each other", out[j * p + l], out[l * p + j]),
                      "a covariance is symmetric");
  return out;
}

std::string objective_of(const Settings& settings, bool classes) {
  const std::string who = settings.k > 0 ? fmt::format("{} nearest rows", settings.k)
                                         : fmt::format("rows within distance {}", settings.radius);
  const std::string by = settings.vote == Vote::uniform ? "" : ", each by 1 / distance";
  return fmt::format("y(x) = {} of the {}{}; distance {}", classes ? "majority" : "mean", who, by,
                     metric_text(settings.metric));
}

void write_settings(TensorWriter& out, const Settings& settings) {
  const std::vector<std::string> words = {settings.metric.word,
                                          std::string(kVotes[static_cast<std::size_t>(settings.vote)]),
                                          std::string(kOutsides[static_cast<std::size_t>(settings.outside)])};
  const bool radius = settings.k == 0;
  const std::vector<double> numbers = {settings.metric.power, settings.k, radius ? settings.radius : 0,
                                       settings.laplace};
  out.add("neighbours.words", words);
  out.add("neighbours.numbers", numbers, {std::ssize(numbers)});
  put_vector(out, "neighbours.feature_weights", settings.metric.weights);
  put_vector(out, "neighbours.learned", settings.metric.learned);
}

Settings read_settings(FieldReader& in) {
  const auto words = in.strings("neighbours.words");
  const auto numbers = in.doubles("neighbours.numbers");
  Settings out;
  in.require(words.size() == 3 && numbers.size() == 4, "it has no metric and no number of neighbours");
  if (!in.ok()) return out;
  const std::size_t vote = place_of(words[1], kVotes), outside = place_of(words[2], kOutsides);
  in.require(is_metric(words[0]) && vote < kVotes.size() && outside < kOutsides.size(),
             "its metric or its vote has no known name");
  in.require(numbers[0] >= 1 && numbers[1] >= 0 && numbers[2] >= 0 && numbers[3] >= 0 &&
                 numbers[1] == std::floor(numbers[1]),
             "its number of neighbours, its radius or its power is out of range");
  if (!in.ok()) return out;
  out.metric = {words[0], numbers[0]};
  if (in.has("neighbours.feature_weights")) out.metric.weights = in.doubles("neighbours.feature_weights");
  if (in.has("neighbours.learned")) out.metric.learned = in.doubles("neighbours.learned");
  out.k = numbers[1];
  if (out.k == 0) out.radius = numbers[2];
  out.vote = static_cast<Vote>(vote);
  out.outside = static_cast<Outside>(outside);
  out.laplace = numbers[3];
  return out;
}

void write_graph_options(TensorWriter& out, const GraphOptions& graph) {
  const std::vector<Index> counts = {graph.links, graph.ef_construction, graph.ef_search,
                                     static_cast<Index>(graph.seed >> 32), static_cast<Index>(graph.seed & 0xFFFFFFFF)};
  out.add("neighbours.graph.options", counts, {std::ssize(counts)});
}

GraphOptions read_graph_options(FieldReader& in) {
  const auto counts = in.counts("neighbours.graph.options");
  in.require(counts.size() == 5 && counts[0] >= 2 && counts[0] <= 1000 && counts[1] > 0 && counts[2] > 0 &&
                 std::max(counts[3], counts[4]) < Index{1} << 32,
             "the options of its graph are out of range");
  if (!in.ok()) return {};
  return {counts[0], counts[1], counts[2],
          static_cast<std::uint64_t>(counts[3]) << 32 | static_cast<std::uint64_t>(counts[4])};
}

std::string_view name(IndexWord word) {
  return kIndexes[static_cast<std::size_t>(word)];
}

std::optional<IndexWord> index_word(std::string_view name) {
  const std::size_t place = place_of(name, kIndexes);
  if (place == kIndexes.size()) return std::nullopt;
  return static_cast<IndexWord>(place);
}

IndexChoice index_of(const Params& params, const Metric& metric, Index rows, Index cols) {
  if (const auto index = index_word(word(params, "index"))) return {*index, "asked for"};
  return choose_index(metric, rows, cols);
}

} // namespace recta::neighbours
