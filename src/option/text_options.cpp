// The options of a column of documents, in the order of help.
#include "option/choice.hpp"

namespace recta {
namespace option::of_texts {
namespace {

using enum Heading;
using T = TextOptions;
using F = Option<TextOptions>;

constexpr F kTable[] = {
    F(text, "rounds", &T::rounds, "N", "for --graph-terms wl, rounds of relabelling",
      {.flag = "graph-rounds", .range = {0, 100}, .shown = "3"}),
    F(text, "unit", choice<&T::unit>, "WORD",
      "what terms are made of; sequence, bytes: the text itself, for kernels of texts",
      {.flag = "text-unit",
       .words = "words characters characters-in-words sequence bytes graph-wl graph-shortest-path",
       .offered = 5,
       .shown = "words; sequence for a kernel of texts"}),
    F(text, "least_length", &T::least_length, "LOW:HIGH",
      "terms are runs of this many words or characters, such as 1:2",
      {.flag = "text-ngrams", .shown = "1", .read = read_run_lengths}),
    F(none, "most_length", &T::most_length, "", "the longest of these runs"),
    F(text, "tokens", choice<&T::tokens>, "WORD", "words by the letters of all scripts, or as scikit-learn finds them",
      {.flag = "text-tokens", .words = "unicode word-characters"}),
    F(text, "shortest_token", &T::shortest_token, "N", "leave out words with fewer characters",
      {.flag = "text-shortest", .range = {1, 1000}, .shown = "1"}),
    F(text, "folding", choice<&T::folding>, "WORD",
      "how letters are folded: in all scripts (NFKC and case folding), A to Z alone, or not at all",
      {.flag = "text-folding", .words = "none ascii unicode"}),
    F(text, "stop_words", &T::stop_words, "LIST",
      "words left out: english, spanish, russian, or a file with a word per line", {.read = read_stop_words}),
    F(text, "stemmer", &T::stemmer, "LANGUAGE", "cut words to their stems (Snowball)", {.flag = "stem"}),
    F(text, "least_documents", &T::least_documents, "N",
      "leave out terms in fewer documents: a number of them, or with a point a share, such as 0.01",
      {.flag = "min-df", .shown = "1", .read = read_least_documents}),
    F(text, "most_documents", &T::most_documents, "N", "leave out terms in more documents",
      {.flag = "max-df", .shown = "1.0", .read = read_most_documents}),
    F(text, "most_terms", &T::most_terms, "N", "keep only the most frequent terms",
      {.flag = "max-terms", .range = {1, 2e9}}),
    F(text, "value", choice<&T::value>, "WORD",
      "value of a term: how often it occurs, 1 if it does, or 1 + log of how often",
      {.flag = "text-values", .words = "count binary sublinear"}),
    F(text, "idf", &T::idf, "", "times inverse document frequency, rows of length 1", {.flag = "tfidf"}),
    F(none, "smooth_idf", &T::smooth_idf, "", "log((1 + n) / (1 + df)) + 1 rather than log(n / df) + 1"),
    F(text, "norm", choice<&T::norm>, "WORD", "divide rows of terms by their sum or length",
      {.flag = "text-norm", .words = "none l1 l2", .shown = "none; l2 with --tfidf"}),
    F(text, "buckets", &T::buckets, "N", "hash terms into this many features",
      {.flag = "hash-terms", .range = {1, 1 << 30}}),
    F(none, "signed_buckets", &T::signed_buckets, "", "half of the terms of a bucket count as negative"),
    F(text, "vocabulary", &T::vocabulary, "FILE", "the terms, one per line, in the order of the features",
      {.read = read_vocabulary})};

} // namespace
} // namespace option::of_texts

std::span<const Option<TextOptions>> text_option_table() {
  return option::of_texts::kTable;
}

} // namespace recta
