// Documents to counts of terms. What is a parameter of scikit-learn's vectorizers is settled in Python; here are plain
// settings and a list of texts.
#include "arrays_out.hpp"
#include "bindings.hpp"

#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

namespace recta::python {
namespace {

// Python's own UTF-8 of each text, which lives as long as the list. A text that has none, for a lone surrogate, raises
// UnicodeEncodeError.
std::vector<std::string_view> documents_of(const nb::list& texts) {
  std::vector<std::string_view> views;
  views.reserve(nb::len(texts));
  for (const nb::handle text : texts) {
    Py_ssize_t size = 0;
    const char* const bytes = PyUnicode_Check(text.ptr()) ? PyUnicode_AsUTF8AndSize(text.ptr(), &size) : nullptr;
    if (!bytes && PyErr_Occurred()) throw nb::python_error();
    if (!bytes) refuse(ErrorCode::usage, "documents", "one of them is not a str", "decode it first");
    views.emplace_back(bytes, static_cast<std::size_t>(size));
  }
  return views;
}

template <class T>
nb::ndarray<nb::numpy, T> handed_over(std::vector<T> values) {
  auto* kept = new std::vector<T>(std::move(values));
  const nb::capsule owner(kept, [](void* p) noexcept { delete static_cast<std::vector<T>*>(p); });
  return nb::ndarray<nb::numpy, T>(kept->data(), {kept->size()}, owner);
}

using Rows = std::tuple<nb::ndarray<nb::numpy, Index>, nb::ndarray<nb::numpy, std::int32_t>, Numbers>;

Rows rows_out(TermRows rows) {
  return {handed_over(std::move(rows.start)), handed_over(std::move(rows.term)), array(std::move(rows.value))};
}

// The settings of scikit-learn's words.
TextOptions options_of(const std::string& analyzer, Index least, Index most, Index shortest, bool lowercase,
                       std::vector<std::string> stop_words, Index rounds) {
  TextOptions options;
  options.unit = analyzer == "char"                  ? TermUnit::characters
                 : analyzer == "char_wb"             ? TermUnit::characters_in_words
                 : analyzer == "graph-wl"            ? TermUnit::graph_wl
                 : analyzer == "graph-shortest-path" ? TermUnit::graph_shortest_path
                                                     : TermUnit::words;
  options.rounds = rounds;
  options.least_length = least;
  options.most_length = most;
  options.tokens = TokenRule::word_characters;
  options.shortest_token = shortest;
  options.folding = lowercase ? Folding::ascii : Folding::none;
  options.stop_words = std::move(stop_words);
  return options;
}

std::tuple<std::vector<std::string>, Rows> learn(const nb::list& texts, const TextOptions& options) {
  const auto views = documents_of(texts);
  Result<LearnedText> learned;
  {
    const nb::gil_scoped_release release;
    learned = learn_terms(views, options);
  }
  LearnedText made = unwrap(std::move(learned));
  return {made.map.terms(), rows_out(std::move(made.rows))};
}

Rows count(const nb::list& texts, const TextOptions& options, std::vector<std::string> terms, Index buckets,
           bool alternate_sign) {
  const auto views = documents_of(texts);
  Result<TermRows> rows;
  {
    const nb::gil_scoped_release release;
    TextMap map{.column = "", .options = options};
    map.options.buckets = buckets;
    map.options.signed_buckets = alternate_sign;
    map.vocabulary = std::make_shared<const std::vector<std::string>>(std::move(terms));
    rows = count_terms(map, views);
  }
  return rows_out(unwrap(std::move(rows)));
}

} // namespace

void bind_text(nb::module_& m) {
  nb::class_<TextOptions>(m, "TextOptions")
      .def(
          "__init__",
          [](TextOptions* self, const std::string& analyzer, Index least, Index most, Index shortest, bool lowercase,
             std::vector<std::string> stop_words, Index rounds) {
            new (self)
                TextOptions(options_of(analyzer, least, most, shortest, lowercase, std::move(stop_words), rounds));
          },
          nb::arg("analyzer"), nb::arg("least"), nb::arg("most"), nb::arg("shortest"), nb::arg("lowercase"),
          nb::arg("stop_words"), nb::arg("rounds") = 3);
  m.def("learn_terms", &learn, nb::arg("documents"), nb::arg("options"));
  m.def("count_terms", &count, nb::arg("documents"), nb::arg("options"), nb::arg("terms"), nb::arg("buckets") = 0,
        nb::arg("alternate_sign") = false);
}

} // namespace recta::python
