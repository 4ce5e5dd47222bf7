#include "text_flags.hpp"

#include "option_flags.hpp"

#include <recta/kernel.hpp>

#include <fmt/format.h>

namespace recta::cli {

namespace {

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
  const bool by_wl = arguments.text("graph-terms", "wl") == "wl";
  options.unit = by_wl ? TermUnit::graph_wl : TermUnit::graph_shortest_path;
  if (arguments.has("graph-rounds") && options.unit != TermUnit::graph_wl)
    return fail(ErrorCode::usage, "--graph-rounds", "shortest paths have no rounds", "leave it out");
  return {};
}

Result<void> needs_text(const Arguments& arguments) {
  for (const FlagInfo& flag : option_group(Heading::text, command::kEvery).flags)
    if (flag.name != "text" && flag.name != "graph" && arguments.has(flag.name))
      return fail(ErrorCode::usage, "--" + flag.name, "no column of documents was named", "add --text COL");
  return {};
}

} // namespace

Result<void> text_options(const Arguments& arguments, FitOptions& options) {
  const std::vector<std::string> graphs = arguments.list("graph");
  if (arguments.has("text-dir")) {
    if (options.text.empty() && graphs.empty()) options.text.push_back({.column = "text"});
    if (options.target.empty()) options.target.emplace_back("label");
  }
  if (options.text.empty() && graphs.empty()) return needs_text(arguments);
  TextOptions text;
  if (kernel_reads_texts(arguments.text("kernel", ""))) text.unit = TermUnit::sequence;
  for (const Option<TextOptions>& option : text_option_table())
    if (const auto given = arguments.given.find(option.flag()); given != arguments.given.end())
      if (Result<void> good = read_option(option, given->second, text); !good) return good;
  if (text.idf && !arguments.has("text-norm")) text.norm = TextNorm::l2;
  for (TextMap& map : options.text) map.options = text, map.options.rounds = TextOptions{}.rounds;
  if (graphs.empty()) return {};
  if (auto good = graph_options(arguments, !options.text.empty(), text); !good) return good;
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
    const auto word = [&](std::string_view name) { return word_of(text_option(name), options); };
    out.emplace_back(report::Group{{"column", map.column},
                                   {"terms", map.features()},
                                   {"documents", map.documents},
                                   {"unit", word("unit")},
                                   {"least_length", options.least_length},
                                   {"most_length", options.most_length},
                                   {"tokens", word("tokens")},
                                   {"folding", word("folding")},
                                   {"stemmer", options.stemmer},
                                   {"values", word("value")},
                                   {"idf", options.idf},
                                   {"norm", word("norm")},
                                   {"buckets", options.buckets},
                                   {"collisions", map.collisions}});
  }
  return out.empty() ? report::Value() : report::Value(std::move(out));
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
