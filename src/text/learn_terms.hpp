// Learning a vocabulary in one pass, by any number of workers at once.
//
// A worker numbers the terms it meets by itself and counts the documents each is in; in the end the numbers of all
// workers are added up and the terms are sorted by code point. Whole numbers are added, so which worker saw which
// document changes nothing.
#pragma once

#include "text/read_terms.hpp"

namespace recta::text {

// Rows of consecutive documents with the numbers of the worker that read them, until these are known for all.
struct WorkerRows {
  int worker = 0;
  std::vector<Index> start{0};
  std::vector<TermCount> counts;
};

class TermLearner {
public:
  static Result<TermLearner> make(const TextOptions& options, int workers);

  // A document that is valid UTF-8. `teaches`: it is counted; otherwise it only has a row. `rows`: gets its row, if
  // given.
  void add(int worker, std::string_view document, bool teaches, WorkerRows* rows);

  // The terms that the options keep. `source` is for messages.
  Result<TextMap> finish(const std::string& source);
  // After finish(): rows in the numbers of the vocabulary, sorted. Terms that were not kept are left out and counted.
  Index finish_rows(WorkerRows& rows) const;

private:
  struct Worker {
    TermTable terms;
    std::vector<std::uint32_t> documents;
    std::vector<std::uint64_t> occurrences;
    std::vector<std::uint64_t> last; // number of the last document with it, and its place in the row of that
    std::uint32_t document = 0;
    Index taught = 0;
    TermScratch scratch;
    std::vector<TermCount> row;
    // Terms that wait to be looked up together: while one is fetched from memory, the next is read.
    std::vector<std::pair<TermKey, std::uint64_t>> waiting; // and their hashes
    std::vector<std::uint32_t> numbers;
  };
  struct Sums {
    std::vector<std::uint32_t> documents;
    std::vector<std::uint64_t> occurrences;
  };
  explicit TermLearner(TermFinder finder, const TextOptions& options) : finder_(std::move(finder)), options_(options) {}

  bool sequences() const { return options_.unit == TermUnit::sequence || options_.unit == TermUnit::bytes; }
  std::uint32_t number_of(Worker& worker, const TermKey& term, std::uint64_t hash) const;
  void count_waiting(Worker& worker) const;
  void join(Worker& all, Sums& sums);
  std::vector<std::uint32_t> kept(const Sums& sums, Index documents) const;
  Result<TextMap> finish_buckets(const TermTable& terms, const Sums& sums, TextMap map);
  void translate_to(const std::vector<std::uint32_t>& feature);

  TermFinder finder_;
  TextOptions options_;
  std::vector<Worker> workers_;
  std::vector<std::vector<std::uint32_t>> translate_; // per worker: its numbers to features; kNone: not kept
  std::vector<bool> negative_;                        // of the terms of all workers, where buckets are signed
  std::vector<std::vector<std::uint32_t>> joined_;    // per worker: its numbers to those of all
};

} // namespace recta::text
