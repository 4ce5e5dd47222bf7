// Documents to numbers of terms, by a vocabulary that is known or by buckets; and from counts to values.
#pragma once

#include "text/find_terms.hpp"

#include <memory>
#include <mutex>
#include <span>

namespace recta::text {

struct TermCount {
  std::uint32_t term = 0;
  std::int32_t count = 0; // below zero where buckets are signed
};

// Sorts by term and adds up what is equal. What adds up to zero stays.
void sort_counts(std::vector<TermCount>& row);

// What the counts of one document are as features, by options.value, idf and norm. `out` has as many as `row`.
void weigh(std::span<const TermCount> row, const TextMap& map, double* out);

// A document as a sequence: entry j is its character (or byte) number j from 0, whose code plus one is the count.
void read_sequence(std::string_view document, TermUnit unit, std::vector<TermCount>& row);
// A sequence has nothing of what terms have: an error names the option that says otherwise.
Result<void> check_sequence(const TextOptions& options);

// Refuses what is said of words, which graphs do not have: folding, stems, stop words.
Result<void> check_graph_terms(const TextOptions& options);

// The error for a document that is not UTF-8. `where` names it.
Result<void> check_utf8(std::string_view document, std::string_view where, std::string_view advice);
// For one that is no graph, where the options ask for graphs; it is UTF-8.
Result<void> check_graph(std::string_view document, const TextOptions& options, std::string_view where);

class TermReader {
public:
  // Checks what the map holds. The map outlives the reader.
  static Result<TermReader> make(const TextMap& map);
  // A map that was learned, or checked before: its vocabulary is made ready by the first document that is read, if one
  // ever is.
  static Result<TermReader> make_checked(const TextMap& map);

  const TextMap& map() const { return *map_; }
  // The terms of a document that is valid UTF-8, ascending; returns how many occurrences were found and how many of
  // them the vocabulary does not have.
  struct ReadCounts {
    Index occurrences = 0, dropped = 0;
  };
  ReadCounts read(std::string_view document, TermScratch& scratch, std::vector<TermCount>& row) const;

private:
  TermReader(const TextMap& map, TermFinder finder)
      : map_(&map), finder_(std::move(finder)), vocabulary_(std::make_shared<Vocabulary>()) {}
  bool by_vocabulary() const { return map_->options.buckets == 0 && !map_->is_sequence(); }
  const TermTable& vocabulary() const;

  struct Vocabulary {
    std::once_flag ready;
    TermTable terms;
  };

  const TextMap* map_;
  TermFinder finder_;
  std::shared_ptr<Vocabulary> vocabulary_; // shared by copies
};

// The vocabulary of a user as it is looked up: folded as documents are, and as it is for graphs. Refused if two terms
// become the same.
Result<TermTable> folded_vocabulary(const std::vector<std::string>& terms, const TextOptions& options);

} // namespace recta::text
