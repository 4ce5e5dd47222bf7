// The terms of several workers as one: numbers of their own become numbers of all.
//
// Terms are dealt to shards by their hash, and every shard is joined by itself, so that all threads join at once. The
// numbers depend on which worker saw which document; the order by text, in which features are numbered in the end, does
// not.
#pragma once

#include "base/pool.hpp"
#include "text/run_table.hpp"
#include "text/term_table.hpp"

namespace recta::text {

// A term as one worker counted it.
struct Tally {
  std::uint64_t last = 0; // number of the last document with it, and its place in the row of that
  std::uint64_t occurrences = 0;
  std::uint32_t documents = 0;
};

inline constexpr std::uint32_t kIsRun = 0x80000000; // in the numbers of a worker: the others are words

struct WorkerTerms {
  TermTable words; // and all terms that are no runs of words
  RunTable runs;   // whose prefix is a word or, with kIsRun, a run
  std::vector<Tally> of_words, of_runs;
};

class JoinedTerms {
public:
  // The workers outlive it. `same_words`: all have the same words in the same order.
  JoinedTerms(const std::vector<WorkerTerms>& workers, bool same_words, Pool& pool);

  std::uint32_t size() const { return static_cast<std::uint32_t>(documents_.size()); } // words first, then runs
  std::uint32_t documents(std::uint32_t term) const { return documents_[term]; }
  std::uint64_t occurrences(std::uint32_t term) const { return occurrences_[term]; }
  std::string text(std::uint32_t term) const;
  // Begins to fetch what text() will read.
  void prefetch(std::uint32_t term) const {
    if (is_run(term)) __builtin_prefetch(&parts(term));
  }
  // By code points, which is the order of bytes.
  void sort_by_text(std::vector<std::uint32_t>& terms, Pool& pool) const;

  // The number of a worker's word or run.
  std::uint32_t word(std::size_t worker, std::uint32_t local) const { return words_of_[worker][local]; }
  std::uint32_t run(std::size_t worker, std::uint32_t local) const { return runs_of_[worker][local]; }

private:
  void take_words(std::size_t worker);
  void take_runs(); // of the only worker
  void join_words(Pool& pool);
  void join_runs(Pool& pool);
  Run translated(std::size_t worker, Run run) const;
  template <class Table, class KeyOf, class TallyOf>
  auto join(const std::vector<std::vector<std::uint32_t>>& lists, const KeyOf& key_of, const TallyOf& tally_of,
            std::vector<std::vector<std::uint32_t>>& numbers, Pool& pool);
  std::size_t length(std::uint32_t term) const; // of its text
  void append_text(std::uint32_t term, std::string& text) const;
  bool is_run(std::uint32_t term) const { return term >= words_.size(); }
  const Run& parts(std::uint32_t run) const { return runs_[run - words_.size()]; }

  const std::vector<WorkerTerms>& workers_;
  std::vector<std::string_view> words_; // into the tables of the workers
  std::vector<Run> runs_;
  std::vector<std::uint32_t> documents_;
  std::vector<std::uint64_t> occurrences_;
  std::vector<std::vector<std::uint32_t>> words_of_, runs_of_; // per worker
};

} // namespace recta::text
