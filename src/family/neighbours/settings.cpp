#include "family/neighbours/settings.hpp"

#include "family/params.hpp"

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
  if (metric.word == MetricWord::minkowski) return fmt::format("minkowski, power {}", metric.power);
  return std::string(name(metric.word));
}

} // namespace

std::vector<ParamInfo> parameters(bool classes) {
  std::vector<ParamInfo> all = {
      {"k", 5.0, "neighbours that answer; a row of weight 2 takes two of the places", 1, 1e9, {}, 1},
      {"radius", kNotGiven, "all rows within this distance answer, in place of the k nearest", 0, kHuge, {}},
      {"metric", std::string("euclidean"), "the distance", 0, 0, metric_names()},
      {"power", 2.0, "p of the minkowski distance", 1, kHuge, {}},
      {"vote", std::string("uniform"), "all neighbours count alike, or by 1 / distance", 0, 0, strings_of(kVotes)},
      {"index",
       std::string("auto"),
       "how neighbours are found; all find the same, except hnsw, whose recall is measured",
       0,
       0,
       {"auto", "brute", "kd-tree", "ball-tree", "hnsw"}},
      {"links", 16.0, "hnsw: links of a row per layer, twice as many in the lowest", 2, 1000, {}},
      {"ef-construction", 200.0, "hnsw: rows kept while the links of a new one are sought", 1, 1e6, {}},
      {"ef-search", 64.0, "hnsw: rows kept while a query walks; more find more, and take longer", 1, 1e6, {}},
      {"outside", std::string("refuse"),
       "a row without neighbours inside the radius: an error, the answer of all training rows, or a missing one", 0, 0,
       strings_of(kOutsides)},
      {"choose-k", 0.0, "takes the k up to this with the least leave-one-out error; 0: k as given", 0, 1e6, {}}};
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
  const Metric metric{*metric_word(word(params, "metric")), number(params, "power")};
  if (given.contains("power") && metric.word != MetricWord::minkowski)
    return refuse(model + ", parameter power", "it belongs to the metric minkowski", "ask for that metric");
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
  out.metric = {*metric_word(word(params, "metric")), number(params, "power")};
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

std::string objective_of(const Settings& settings, bool classes) {
  const std::string who = settings.k > 0 ? fmt::format("{} nearest rows", settings.k)
                                         : fmt::format("rows within distance {}", settings.radius);
  const std::string by = settings.vote == Vote::uniform ? "" : ", each by 1 / distance";
  return fmt::format("y(x) = {} of the {}{}; distance {}", classes ? "majority" : "mean", who, by,
                     metric_text(settings.metric));
}

void write_settings(TensorWriter& out, const Settings& settings) {
  const std::vector<std::string> words = {std::string(name(settings.metric.word)),
                                          std::string(kVotes[static_cast<std::size_t>(settings.vote)]),
                                          std::string(kOutsides[static_cast<std::size_t>(settings.outside)])};
  const bool radius = settings.k == 0;
  const std::vector<double> numbers = {settings.metric.power, settings.k, radius ? settings.radius : 0,
                                       settings.laplace};
  out.add("neighbours.words", words);
  out.add("neighbours.numbers", numbers, {std::ssize(numbers)});
}

Settings read_settings(FieldReader& in) {
  const auto words = in.strings("neighbours.words");
  const auto numbers = in.doubles("neighbours.numbers");
  Settings out;
  in.require(words.size() == 3 && numbers.size() == 4, "it has no metric and no number of neighbours");
  if (!in.ok()) return out;
  const auto metric = metric_word(words[0]);
  const std::size_t vote = place_of(words[1], kVotes), outside = place_of(words[2], kOutsides);
  in.require(metric && vote < kVotes.size() && outside < kOutsides.size(), "its metric or its vote has no known name");
  in.require(numbers[0] >= 1 && numbers[1] >= 0 && numbers[2] >= 0 && numbers[3] >= 0 &&
                 numbers[1] == std::floor(numbers[1]),
             "its number of neighbours, its radius or its power is out of range");
  if (!in.ok()) return out;
  out.metric = {*metric, numbers[0]};
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
