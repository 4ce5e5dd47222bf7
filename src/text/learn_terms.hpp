// Learning a vocabulary in one pass, by any number of workers at once.
//
// A worker numbers the terms it meets by itself and counts the documents each is in; in the end the numbers of all
// workers are added up and the terms are sorted by code point. Whole numbers are added, so which worker saw which
// document changes nothing. A run of words is known by the numbers of its words, and spelled out only if it is kept.
#pragma once

#include "text/join_terms.hpp"
#include "text/read_terms.hpp"

#include <array>
#include <span>

namespace recta::text {

// Rows of consecutive documents with the numbers of the worker that read them, until these are known for all.
struct WorkerRows {
  int worker = 0;
  std::vector<Index> start{0};
  std::vector<TermCount> counts;
};

// The documents that each term is in, and how often it occurs.
struct CountedTerms {
  struct Term {
    std::string text;
    Index documents = 0, occurrences = 0;
  };
  Index documents = 0; // all of them
  std::vector<Term> terms{};
};

class TermLearner {
public:
  static Result<TermLearner> make(const TextOptions& options, int workers);

  // A document that is valid UTF-8. `teaches`: it is counted; otherwise it only has a row. `rows`: gets its row, if
  // given.
  void add(int worker, std::string_view document, bool teaches, WorkerRows* rows);

  // What was counted, by text, for a learner of the same options that learns from other documents too: whole numbers
  // are added, so that it does not matter which learner saw which document. `only_kept`: the terms that finish() would
  // keep, from which it makes the same map.
  CountedTerms counted(bool only_kept, Pool& pool) const;
  bool add(const CountedTerms& counted); // false: a term is not one of the given vocabulary

  const TextOptions& options() const { return options_; }
  // The terms that the options keep. `source` is for messages.
  Result<TextMap> finish(const std::string& source, Pool& pool);
  // After finish(): rows in the numbers of the vocabulary, sorted. Terms that were not kept are left out and counted.
  Index finish_rows(WorkerRows& rows) const;

private:
  struct Worker {
    std::uint32_t document = 0;
    std::uint32_t teaches = 0; // 1: the document is counted
    Index taught = 0;
    std::size_t row_counts = 0; // of the rows that were read last, for the room that the next ones will need
    TermScratch scratch;
    std::vector<TermCount> row;
    std::vector<std::uint32_t> words, runs; // of the document: the numbers of its words, and of runs that begin there
    // Terms that wait to be looked up together: while one is fetched from memory, the next is read.
    struct Waiting {
      TermKey term;
      std::uint64_t hash = 0;
    };
    static constexpr std::size_t kTogether = 64;
    std::array<Waiting, kTogether> waiting;
    std::array<std::uint32_t, kTogether> number_of_waiting;
    std::size_t waits = 0;

    void wait(std::string_view text, const TermTable& known) {
      Waiting& next = waiting[waits++];
      next.term = TermKey::padded(text);
      next.hash = next.term.hash();
      known.prefetch(next.hash);
    }
    bool all_wait() const { return waits == kTogether; }
  };
  explicit TermLearner(TermFinder finder, const TextOptions& options) : finder_(std::move(finder)), options_(options) {}

  bool sequences() const { return options_.unit == TermUnit::sequence || options_.unit == TermUnit::bytes; }
  bool by_runs() const; // words are looked up one by one, and runs by the numbers of their words
  std::uint32_t number_of(WorkerTerms& terms, const TermKey& term, std::uint64_t hash) const;
  std::span<const std::uint32_t> look_up_waiting(int worker);
  static void count(Worker& worker, std::vector<Tally>& tallies, std::span<const std::uint32_t> terms,
                    std::uint32_t flag);
  void count_waiting(int worker);
  void find_words(int worker, std::string_view document);
  void find_runs(int worker, std::size_t length);
  Index taught() const; // documents
  std::vector<std::uint32_t> kept(const JoinedTerms& all, Index documents, Pool& pool) const;
  Result<void> learn_idf(const JoinedTerms& all, const std::vector<std::uint32_t>& order, const std::string& source,
                         TextMap& map) const;
  TextMap finish_buckets(const JoinedTerms& all, TextMap map, Pool& pool);
  void translate_to(const std::vector<std::uint32_t>& feature, const JoinedTerms& all, Pool& pool);

  TermFinder finder_;
  TextOptions options_;
  std::vector<Worker> workers_;
  std::vector<WorkerTerms> terms_; // of each worker
  struct Translation {             // per worker: its numbers to features; kNone: not kept
    std::vector<std::uint32_t> words, runs;
    std::vector<bool> negative; // words that count as negative, where buckets are signed
  };
  std::vector<Translation> translate_;
};

} // namespace recta::text
