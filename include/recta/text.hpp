// Documents as features: how a text becomes terms, which terms were learned, and rows that count them (docs/text.md).
#pragma once

#include <recta/dataset.hpp>

#include <span>
#include <string_view>

namespace recta {

// unicode: runs of letters, digits and marks of any script; ideographs and emoji one by one. word_characters: runs of
// letters, digits and underscores, as scikit-learn has them.
enum class TokenRule : std::uint8_t { unicode, word_characters };
// sequence, bytes: no terms, but the characters or bytes themselves in their order, for kernels of texts. graph_wl,
// graph_shortest_path: the documents are graphs, a-b;b-c;a:C, and terms the features of the kernels graph:wl and
// graph:shortest-path (docs/kernel_models.md).
enum class TermUnit : std::uint8_t {
  words,
  characters,
  characters_in_words,
  sequence,
  bytes,
  graph_wl,
  graph_shortest_path
};
// ascii: A to Z to small letters. unicode: NFKC and full case folding, without characters that are not shown.
enum class Folding : std::uint8_t { none, ascii, unicode };
enum class TermValue : std::uint8_t { count, binary, sublinear }; // sublinear: 1 + log(count)
enum class TextNorm : std::uint8_t { none, l1, l2 };

// A number of documents, or a share of all of them.
struct DocumentBound {
  double amount = 1;
  bool share = false;
};

struct TextOptions {
  TermUnit unit = TermUnit::words;
  Index least_length = 1, most_length = 1; // of a term in words or characters: n-grams
  TokenRule tokens = TokenRule::unicode;
  Index shortest_token = 1; // characters
  Folding folding = Folding::unicode;
  std::vector<std::string> stop_words{}; // words that are left out
  std::string stemmer{};                 // a language of Snowball: words are cut to their stems; empty: they are not
  DocumentBound least_documents{}, most_documents{1, true}; // that a term occurs in
  Index most_terms = 0;                                     // the most frequent ones; 0: all
  TermValue value = TermValue::count;
  bool idf = false, smooth_idf = true; // times log((1 + n) / (1 + df)) + 1; not smooth: log(n / df) + 1
  TextNorm norm = TextNorm::none;
  Index buckets = 0;                     // terms are hashed into so many features; 0: each is a feature of its own
  bool signed_buckets = false;           // half of the terms of a bucket count as negative
  std::vector<std::string> vocabulary{}; // the terms, in this order; empty: learned
  Index rounds = 3;                      // of graph_wl: rounds of relabelling

  bool of_graphs() const { return unit == TermUnit::graph_wl || unit == TermUnit::graph_shortest_path; }
};

// A column of documents with what was learned from it.
struct TextMap {
  std::string column;
  TextOptions options{};                                        // without the vocabulary, once it was learned
  std::shared_ptr<const std::vector<std::string>> vocabulary{}; // shared by copies, which may be many
  std::vector<double> idf{};                                    // one per feature, if options.idf
  Index documents = 0;                                          // that it was learned from
  Index collisions = 0;                                         // hashed: terms that share a bucket with another

  // One per feature; hashed: the terms of training that fell into the bucket.
  const std::vector<std::string>& terms() const;
  Index features() const; // of a sequence: as many as a document may have characters
  bool is_sequence() const { return options.unit == TermUnit::sequence || options.unit == TermUnit::bytes; }
};

// Compressed rows: the numbers of the terms of each document, ascending, and their values.
struct TermRows {
  std::vector<Index> start{0};
  std::vector<std::int32_t> term;
  Values value;
  Index occurrences = 0, dropped = 0; // of terms in all documents; and of those that the vocabulary does not have
  Index empty = 0;                    // documents without a term of the vocabulary
};
struct LearnedText {
  TextMap map;
  TermRows rows; // of the documents it was learned from
};

using Documents = std::span<const std::string_view>; // in UTF-8

Result<LearnedText> learn_terms(Documents documents, const TextOptions& options = {}, int threads = 0);
Result<TermRows> count_terms(const TextMap& map, Documents documents, int threads = 0);
// The terms of one document, in its order, before any vocabulary.
Result<std::vector<std::string>> terms_of(std::string_view document, const TextOptions& options = {});
// The text that terms are found in.
std::string folded(std::string_view text, Folding folding);

// Stop words of "english", "spanish" or "russian"; and languages that have stems.
Result<std::vector<std::string>> stop_words(const std::string& language);
std::vector<std::string> stemmers();

} // namespace recta
