#include "model_file/text_fields.hpp"

#include "model_file/put.hpp"
#include "text/read_terms.hpp"

#include <algorithm>
#include <fmt/format.h>

namespace recta {
namespace {

constexpr std::array<std::string_view, 7> kUnits{"words", "characters", "characters_in_words", "sequence",
                                                 "bytes", "graph_wl",   "graph_shortest_path"};
constexpr std::array<std::string_view, 2> kTokenRules{"unicode", "word_characters"};
constexpr std::array<std::string_view, 3> kFoldings{"none", "ascii", "unicode"};
constexpr std::array<std::string_view, 3> kTermValues{"count", "binary", "sublinear"};
constexpr std::array<std::string_view, 3> kNorms{"none", "l1", "l2"};

template <class Enum, std::size_t N>
Json term_word(Enum value, const std::array<std::string_view, N>& words) {
  return {std::string(words.at(static_cast<std::size_t>(value)))};
}

std::string tensor_of(std::size_t text, std::string_view part) {
  return fmt::format("texts.{}.{}", text, part);
}

Json text_json(const TextMap& map) {
  const TextOptions& options = map.options;
  JsonObject out{{"column", {map.column}},
                 {"unit", term_word(options.unit, kUnits)},
                 {"least_length", {options.least_length}},
                 {"most_length", {options.most_length}},
                 {"tokens", term_word(options.tokens, kTokenRules)},
                 {"shortest_token", {options.shortest_token}},
                 {"folding", term_word(options.folding, kFoldings)},
                 {"stemmer", {options.stemmer}},
                 {"value", term_word(options.value, kTermValues)},
                 {"idf", {options.idf}},
                 {"smooth_idf", {options.smooth_idf}},
                 {"norm", term_word(options.norm, kNorms)},
                 {"buckets", {options.buckets}},
                 {"signed_buckets", {options.signed_buckets}},
                 {"documents", {map.documents}},
                 {"collisions", {map.collisions}}};
  if (options.of_graphs()) out["rounds"] = {options.rounds};
  return {out};
}

// What learning kept to is not needed again: the bounds of document frequency stay at their defaults.
TextMap read_text(FieldReader& in, const ObjectReader& json, std::size_t t) {
  TextMap map;
  map.column = json.text("column");
  TextOptions& options = map.options;
  options.unit = static_cast<TermUnit>(json.choice("unit", kUnits));
  options.least_length = json.count("least_length");
  options.most_length = json.count("most_length");
  options.tokens = static_cast<TokenRule>(json.choice("tokens", kTokenRules));
  options.shortest_token = json.count("shortest_token");
  options.folding = static_cast<Folding>(json.choice("folding", kFoldings));
  options.stemmer = json.text("stemmer");
  options.value = static_cast<TermValue>(json.choice("value", kTermValues));
  options.idf = json.flag("idf");
  options.smooth_idf = json.flag("smooth_idf");
  options.norm = static_cast<TextNorm>(json.choice("norm", kNorms));
  options.buckets = json.count("buckets");
  options.signed_buckets = json.flag("signed_buckets");
  if (options.of_graphs()) options.rounds = json.count("rounds");
  map.documents = json.count("documents");
  map.collisions = json.count("collisions");
  options.stop_words = in.strings(tensor_of(t, "stop_words"));
  map.vocabulary = std::make_shared<const std::vector<std::string>>(in.strings(tensor_of(t, "terms")));
  if (options.idf) map.idf = in.doubles(tensor_of(t, "idf"));
  return map;
}

// What a reader of documents relies on.
void check_text(FieldReader& in, const TextMap& map) {
  const TextOptions& options = map.options;
  in.require(map.features() > 0, "a text of its schema has no terms");
  in.require(!options.idf || std::ssize(map.idf) == map.features(), "it does not have one frequency per term");
  in.require(options.buckets == 0 || options.buckets == map.features(), "it does not have one name per bucket");
  in.require(options.buckets == 0 || !options.idf, "it has frequencies of hashed terms");
  in.require(!options.signed_buckets || options.value != TermValue::sublinear, "it has logarithms of signed counts");
  if (!in.ok()) return;
  if (const auto reader = text::TermReader::make(map); !reader)
    in.refuse(fmt::format("its text \"{}\" cannot be read: {}", map.column, reader.error().what));
}

} // namespace

void put_texts(TensorWriter& out, const Schema& schema) {
  for (std::size_t t = 0; t < schema.texts.size(); ++t) {
    const TextMap& map = schema.texts[t];
    out.add(tensor_of(t, "terms"), map.terms());
    out.add(tensor_of(t, "stop_words"), map.options.stop_words);
    if (map.options.idf) put_vector(out, tensor_of(t, "idf"), map.idf);
  }
}

Json texts_json(const Schema& schema) {
  JsonObject texts;
  for (std::size_t t = 0; t < schema.texts.size(); ++t) texts[std::to_string(t)] = text_json(schema.texts[t]);
  return {texts};
}

void read_texts(FieldReader& in, const ObjectReader& json, Schema& schema) {
  if (json.member("texts") == nullptr) return;
  const ObjectReader texts = json.object("texts");
  for (std::size_t t = 0; in.ok() && texts.member(std::to_string(t)) != nullptr; ++t) {
    TextMap map = read_text(in, texts.object(std::to_string(t)), t);
    if (in.ok()) check_text(in, map);
    schema.texts.push_back(std::move(map));
  }
}

} // namespace recta
