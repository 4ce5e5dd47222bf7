#include "text_flags.hpp"

#include "flags.hpp"
#include "table.hpp"

#include <recta/kernel.hpp>

#include <algorithm>
#include <fmt/format.h>
#include <fstream>

namespace recta::cli {

namespace {

const std::vector<std::string> kTextUnits = {"words", "characters", "characters-in-words", "sequence", "bytes"};
const std::vector<std::string> kGraphTerms = {"wl", "shortest-path"}; // after the units of texts in TermUnit
constexpr auto kFirstOfGraphs = static_cast<std::size_t>(TermUnit::graph_wl);
const std::vector<std::string> kTextTokens = {"unicode", "word-characters"};
const std::vector<std::string> kTextFoldings = {"none", "ascii", "unicode"};
const std::vector<std::string> kTextValues = {"count", "binary", "sublinear"};
const std::vector<std::string> kTextNorms = {"none", "l1", "l2"};

template <class Enum>
Enum text_choice(const Arguments& arguments, const char* flag, const std::vector<std::string>& words, Enum initial) {
  const auto at = std::ranges::find(words, arguments.text(flag, words[static_cast<std::size_t>(initial)]));
  return static_cast<Enum>(at - words.begin());
}

// One word or term per line; empty lines are passed over.
Result<std::vector<std::string>> lines_of(const std::string& path, const std::string& flag) {
  std::ifstream file(path);
  if (!file)
    return fail(ErrorCode::usage, "--" + flag, fmt::format("\"{}\" cannot be read", path),
                "give a file with a word per line");
  std::vector<std::string> lines;
  for (std::string line; std::getline(file, line);) {
    if (line.ends_with('\r')) line.pop_back();
    if (lines.empty() && line.starts_with("\xEF\xBB\xBF")) line.erase(0, 3);
    if (!line.empty()) lines.push_back(line);
  }
  if (lines.empty())
    return fail(ErrorCode::usage, "--" + flag, fmt::format("\"{}\" has no words", path), "give one per line");
  return lines;
}

// A whole number counts documents, one with a point is a share of them.
Result<void> document_bound(const Arguments& arguments, const char* flag, DocumentBound& bound) {
  if (!arguments.has(flag)) return {};
  const std::string text = arguments.text(flag);
  bound.share = text.find('.') != std::string::npos;
  if (parse_number(text, bound.amount)) return {};
  return fail(ErrorCode::usage, fmt::format("--{}", flag), fmt::format("\"{}\" is not a number", text),
              "give a whole number of documents, or a share as 0.5");
}

Result<void> run_lengths(const Arguments& arguments, TextOptions& options) {
  if (!arguments.has("text-ngrams")) return {};
  const std::string text = arguments.text("text-ngrams");
  const std::size_t colon = text.find(':');
  double least = 0, most = 0;
  const bool read = parse_number(text.substr(0, colon), least) &&
                    parse_number(colon == std::string::npos ? text : text.substr(colon + 1), most);
  if (!read || least < 1 || most < least || most > 100)
    return fail(ErrorCode::usage, "--text-ngrams", fmt::format("\"{}\" is no range of lengths", text),
                "give N or LOW:HIGH from 1 to 100, as 1:2");
  options.least_length = static_cast<Index>(least);
  options.most_length = static_cast<Index>(most);
  return {};
}

Result<void> word_lists(const Arguments& arguments, TextOptions& options) {
  if (arguments.has("stop-words")) {
    const std::string text = arguments.text("stop-words");
    auto words = stop_words(text);
    const std::string advice = words ? "" : words.error().advice;
    if (!words) words = lines_of(text, "stop-words");
    if (!words)
      return fail(ErrorCode::usage, "--stop-words",
                  fmt::format("there is no list for \"{}\", and a file of this name cannot be read", text), advice);
    options.stop_words = *std::move(words);
  }
  if (!arguments.has("vocabulary")) return {};
  auto terms = lines_of(arguments.text("vocabulary"), "vocabulary");
  if (!terms) return std::unexpected(terms.error());
  options.vocabulary = *std::move(terms);
  return {};
}

// The options of columns of graphs from those of texts. `beside_texts`: what is said of words is for the texts.
Result<void> graph_options(const Arguments& arguments, bool beside_texts, TextOptions& options) {
  const bool by_kernel = options.unit == TermUnit::sequence || options.unit == TermUnit::bytes;
  for (const char* const flag : {"graph-terms", "graph-rounds"})
    if (by_kernel && arguments.has(flag))
      return fail(ErrorCode::usage, fmt::format("--{}", flag), "a kernel reads the graphs themselves", "leave it out");
  if (by_kernel) return {};
  for (const char* const flag : {"text-unit", "text-folding", "text-tokens", "text-shortest"})
    if (!beside_texts && arguments.has(flag))
      return fail(ErrorCode::usage, fmt::format("--{}", flag), "graphs have no words", "leave it out");
  if (beside_texts) {
    const TextOptions plain;
    options.stop_words.clear(), options.stemmer.clear(), options.vocabulary.clear();
    options.least_length = plain.least_length, options.most_length = plain.most_length;
  }
  const auto word = std::ranges::find(kGraphTerms, arguments.text("graph-terms", kGraphTerms[0])) - kGraphTerms.begin();
  options.unit = static_cast<TermUnit>(kFirstOfGraphs + static_cast<std::size_t>(word));
  options.rounds = arguments.count("graph-rounds", options.rounds);
  if (arguments.has("graph-rounds") && options.unit != TermUnit::graph_wl)
    return fail(ErrorCode::usage, "--graph-rounds", "shortest paths have no rounds", "leave it out");
  return {};
}

Result<void> needs_text(const Arguments& arguments) {
  for (const FlagInfo& flag : text_flags().flags)
    if (flag.name != "text" && flag.name != "graph" && arguments.has(flag.name))
      return fail(ErrorCode::usage, "--" + flag.name, "no column of documents was named", "add --text COL");
  return {};
}

} // namespace

FlagGroup text_flags() {
  return {
      "Text",
      {{.name = "text",
        .kind = FlagKind::columns,
        .value = "COL,...",
        .summary = "columns of documents: how often each word occurs is a feature"},
       {.name = "graph",
        .kind = FlagKind::columns,
        .value = "COL",
        .summary = "a column of graphs, a-b;b-c with labels a:C, for the kernels graph: or as counts of features; of "
                   "nodes for graph:diffusion"},
       {.name = "graph-terms",
        .kind = FlagKind::choice,
        .value = "WORD",
        .summary = "features of graphs: those of the kernel graph:wl or graph:shortest-path",
        .choices = kGraphTerms,
        .initial = "wl"},
       {.name = "graph-rounds",
        .kind = FlagKind::count,
        .value = "N",
        .summary = "of --graph-terms wl, rounds of relabelling",
        .lowest = 0,
        .highest = 100,
        .initial = "3"},
       {.name = "text-dir",
        .summary = "DATA is a folder with a folder of documents for each class: --text text --target label"},
       {.name = "text-unit",
        .kind = FlagKind::choice,
        .value = "WORD",
        .summary = "what terms are made of; sequence, bytes: the text itself, for kernels of texts",
        .choices = kTextUnits,
        .initial = "words; sequence for a kernel of texts"},
       {.name = "text-ngrams",
        .kind = FlagKind::text,
        .value = "LOW:HIGH",
        .summary = "terms are runs of so many words or characters, as 1:2",
        .initial = "1"},
       {.name = "text-tokens",
        .kind = FlagKind::choice,
        .value = "WORD",
        .summary = "words by the letters of all scripts, or as scikit-learn finds them",
        .choices = kTextTokens,
        .initial = "unicode"},
       {.name = "text-shortest",
        .kind = FlagKind::count,
        .value = "N",
        .summary = "leave out words with fewer characters",
        .lowest = 1,
        .highest = 1000,
        .initial = "1"},
       {.name = "text-folding",
        .kind = FlagKind::choice,
        .value = "WORD",
        .summary = "of letters: all scripts (NFKC and case folding), A to Z alone, or none",
        .choices = kTextFoldings,
        .initial = "unicode"},
       {.name = "stop-words",
        .kind = FlagKind::text,
        .value = "LIST",
        .summary = "words left out: english, spanish, russian, or a file with a word per line"},
       {.name = "stem", .kind = FlagKind::text, .value = "LANGUAGE", .summary = "cut words to their stems (Snowball)"},
       {.name = "min-df",
        .kind = FlagKind::text,
        .value = "N",
        .summary = "leave out terms in fewer documents: a number of them, or with a point a share, as 0.01",
        .initial = "1"},
       {.name = "max-df",
        .kind = FlagKind::text,
        .value = "N",
        .summary = "leave out terms in more documents",
        .initial = "1.0"},
       {.name = "max-terms",
        .kind = FlagKind::count,
        .value = "N",
        .summary = "keep only the most frequent terms",
        .lowest = 1,
        .highest = 2e9},
       {.name = "text-values",
        .kind = FlagKind::choice,
        .value = "WORD",
        .summary = "of a term: how often it occurs, 1 if it does, or 1 + log of how often",
        .choices = kTextValues,
        .initial = "count"},
       {.name = "tfidf", .summary = "times inverse document frequency, rows of length 1"},
       {.name = "text-norm",
        .kind = FlagKind::choice,
        .value = "WORD",
        .summary = "divide rows of terms by their sum or length",
        .choices = kTextNorms,
        .initial = "none; l2 with --tfidf"},
       {.name = "hash-terms",
        .kind = FlagKind::count,
        .value = "N",
        .summary = "hash terms into so many features",
        .lowest = 1,
        .highest = 1 << 30},
       {.name = "vocabulary",
        .kind = FlagKind::file,
        .value = "FILE",
        .summary = "the terms, one per line, in the order of the features"}}};
}

Result<void> text_options(const Arguments& arguments, FitOptions& options) {
  std::vector<std::string> columns = arguments.list("text");
  const std::vector<std::string> graphs = arguments.list("graph");
  if (arguments.has("text-dir")) {
    if (columns.empty() && graphs.empty()) columns.emplace_back("text");
    if (options.target.empty()) options.target.emplace_back("label");
  }
  if (columns.empty() && graphs.empty()) return needs_text(arguments);
  TextOptions text;
  if (kernel_reads_texts(arguments.text("kernel", ""))) text.unit = TermUnit::sequence;
  text.unit = text_choice(arguments, "text-unit", kTextUnits, text.unit);
  text.tokens = text_choice(arguments, "text-tokens", kTextTokens, text.tokens);
  text.shortest_token = arguments.count("text-shortest", text.shortest_token);
  text.folding = text_choice(arguments, "text-folding", kTextFoldings, text.folding);
  text.stemmer = arguments.text("stem");
  text.most_terms = arguments.count("max-terms", 0);
  text.value = text_choice(arguments, "text-values", kTextValues, text.value);
  text.idf = arguments.has("tfidf");
  text.norm = text_choice(arguments, "text-norm", kTextNorms, text.idf ? TextNorm::l2 : TextNorm::none);
  text.buckets = arguments.count("hash-terms", 0);
  for (auto done : {run_lengths(arguments, text), word_lists(arguments, text),
                    document_bound(arguments, "min-df", text.least_documents),
                    document_bound(arguments, "max-df", text.most_documents)})
    if (!done) return done;
  for (const std::string& column : columns) options.text.push_back({.column = column, .options = text});
  if (graphs.empty()) return {};
  if (auto good = graph_options(arguments, !columns.empty(), text); !good) return good;
  for (const std::string& column : graphs) options.text.push_back({.column = column, .options = text});
  return {};
}

report::Section texts_lines(const Schema& schema) {
  report::Section out;
  for (const TextMap& map : schema.texts) {
    const bool hashed = map.options.buckets > 0;
    const char* key = map.is_sequence() ? "text.sequence" : hashed ? "text.buckets" : "text.terms";
    out.push_back(report::Sentence{key,
                                   {{"column", map.column},
                                    {"terms", map.features()},
                                    {"documents", map.documents},
                                    {"collisions", map.collisions}}});
  }
  return out;
}

report::Value texts_data(const Schema& schema) {
  report::Value::List out;
  for (const TextMap& map : schema.texts) {
    const TextOptions& options = map.options;
    const auto unit = static_cast<std::size_t>(options.unit);
    out.emplace_back(
        report::Group{{"column", map.column},
                      {"terms", map.features()},
                      {"documents", map.documents},
                      {"unit", options.of_graphs() ? "graph-" + kGraphTerms[unit - kFirstOfGraphs] : kTextUnits[unit]},
                      {"least_length", options.least_length},
                      {"most_length", options.most_length},
                      {"tokens", kTextTokens[static_cast<std::size_t>(options.tokens)]},
                      {"folding", kTextFoldings[static_cast<std::size_t>(options.folding)]},
                      {"stemmer", options.stemmer},
                      {"values", kTextValues[static_cast<std::size_t>(options.value)]},
                      {"idf", options.idf},
                      {"norm", kTextNorms[static_cast<std::size_t>(options.norm)]},
                      {"buckets", options.buckets},
                      {"collisions", map.collisions}});
  }
  return out.empty() ? report::Value() : report::Value(std::move(out));
}

void text_settings_field(Json& json, const FitOptions& options) {
  const auto word = [](std::string text) {
    std::ranges::replace(text, '-', '_');
    return text;
  };
  json.key("text").array();
  for (const TextMap& map : options.text) {
    const TextOptions& text = map.options;
    const auto unit = static_cast<std::size_t>(text.unit);
    json.object().field("column", map.column);
    json.field("unit", word(text.of_graphs() ? "graph-" + kGraphTerms[unit - kFirstOfGraphs] : kTextUnits[unit]));
    json.field("tokens", word(kTextTokens[static_cast<std::size_t>(text.tokens)]));
    json.field("folding", kTextFoldings[static_cast<std::size_t>(text.folding)]);
    json.field("value", kTextValues[static_cast<std::size_t>(text.value)]);
    json.field("norm", kTextNorms[static_cast<std::size_t>(text.norm)]);
    json.field("least_length", text.least_length).field("most_length", text.most_length);
    json.field("shortest_token", text.shortest_token).field("stemmer", text.stemmer);
    json.list("stop_words", text.stop_words).list("vocabulary", text.vocabulary);
    for (const auto& [name, bound] :
         {std::pair{"least_documents", text.least_documents}, std::pair{"most_documents", text.most_documents}})
      json.key(name).array().value(bound.amount).value(bound.share).end();
    json.field("most_terms", text.most_terms).field("buckets", text.buckets).field("idf", text.idf);
    json.field("rounds", text.rounds).end();
  }
  json.end();
}

bool has_unknown(const UnknownTerms& terms) {
  return terms.unknown > 0 || terms.without_any_known > 0;
}

report::Sentence unknown_sentence(const UnknownTerms& terms) {
  const Index without = terms.without_any_known;
  return {"terms.unknown",
          {{"unknown", terms.unknown},
           {"terms", terms.terms},
           {"without", without > 0 ? report::Value(without) : report::Value()}}};
}

report::Group unknown_data(const UnknownTerms& terms) {
  return {{"terms", terms.terms},
          {"unknown", terms.unknown},
          {"rows", terms.documents},
          {"rows_without_known", terms.without_any_known}};
}

} // namespace recta::cli
