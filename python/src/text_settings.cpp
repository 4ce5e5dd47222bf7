#include "text_settings.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

namespace recta::python {
namespace {

using Words = std::vector<std::string>;

const Words kUnits = {"words", "characters", "characters_in_words", "sequence",
                      "bytes", "graph_wl",   "graph_shortest_path"};
const Words kTokens = {"unicode", "word_characters"};
const Words kFoldings = {"none", "ascii", "unicode"};
const Words kValues = {"count", "binary", "sublinear"};
const Words kNorms = {"none", "l1", "l2"};

// Every setting with its name: what is written and what is read cannot differ.
template <class Options, class Visit>
void for_each_setting(Options& options, const Visit& visit) {
  visit("unit", options.unit, kUnits);
  visit("tokens", options.tokens, kTokens);
  visit("folding", options.folding, kFoldings);
  visit("value", options.value, kValues);
  visit("norm", options.norm, kNorms);
  visit("least_length", options.least_length);
  visit("most_length", options.most_length);
  visit("shortest_token", options.shortest_token);
  visit("stop_words", options.stop_words);
  visit("stemmer", options.stemmer);
  visit("least_documents", options.least_documents);
  visit("most_documents", options.most_documents);
  visit("most_terms", options.most_terms);
  visit("idf", options.idf);
  visit("smooth_idf", options.smooth_idf);
  visit("buckets", options.buckets);
  visit("signed_buckets", options.signed_buckets);
  visit("vocabulary", options.vocabulary);
  visit("rounds", options.rounds);
}

struct Writer {
  nb::dict& out;

  template <class Enum>
  void operator()(const char* name, Enum value, const Words& words) const {
    out[name] = words[static_cast<std::size_t>(value)];
  }
  template <class T>
  void operator()(const char* name, const T& value) const {
    out[name] = value;
  }
  // A number of documents, or a share of them, and which of both it is.
  void operator()(const char* name, const DocumentBound& bound) const {
    out[name] = nb::make_tuple(bound.amount, bound.share);
  }
};

struct Reader {
  const nb::dict& in;
  std::vector<std::string>& known;

  bool has(const char* name) const {
    known.emplace_back(name);
    return in.contains(name);
  }
  template <class T>
  T read(const char* name) const {
    T value{};
    if (!nb::try_cast<T>(in[name], value))
      refuse(ErrorCode::usage, fmt::format("text, {}", name),
             fmt::format("{} is not a value of this setting", nb::repr(in[name]).c_str()), "see docs/text.md");
    return value;
  }
  template <class Enum>
  void operator()(const char* name, Enum& value, const Words& words) const {
    if (!has(name)) return;
    const auto word = read<std::string>(name);
    const auto found = std::ranges::find(words, word);
    if (found == words.end())
      refuse(ErrorCode::usage, fmt::format("text, {}", name), fmt::format("there is no \"{}\"", word),
             fmt::format("there are {}", fmt::join(words, ", ")));
    value = static_cast<Enum>(found - words.begin());
  }
  template <class T>
  void operator()(const char* name, T& value) const {
    if (has(name)) value = read<T>(name);
  }
  void operator()(const char* name, DocumentBound& bound) const {
    if (!has(name)) return;
    const nb::object value = in[name];
    if (nb::isinstance<nb::sequence>(value) && nb::len(value) == 2)
      bound = {nb::cast<double>(value[0]), nb::cast<bool>(value[1])};
    else
      bound = {read<double>(name), nb::isinstance<nb::float_>(value)};
  }
};

} // namespace

nb::list texts_of(const FitOptions& options) {
  nb::list out;
  for (const TextMap& map : options.text) {
    nb::dict one;
    one["column"] = map.column;
    for_each_setting(map.options, Writer{one});
    out.append(one);
  }
  return out;
}

void set_texts(FitOptions& options, const nb::list& texts) {
  options.text.clear();
  for (const nb::handle each : texts) {
    const auto one = nb::cast<nb::dict>(each);
    std::vector<std::string> known = {"column"};
    TextMap& map = options.text.emplace_back();
    map.column = nb::cast<std::string>(one["column"]);
    for_each_setting(map.options, Reader{one, known});
    for (const nb::handle name : one.keys())
      if (const auto text = nb::cast<std::string>(name); std::ranges::find(known, text) == known.end())
        refuse(ErrorCode::usage, fmt::format("text of column {}", map.column),
               fmt::format("there is no setting {}", text),
               fmt::format("there are {}", fmt::join(known.begin() + 1, known.end(), ", ")));
  }
}

} // namespace recta::python
