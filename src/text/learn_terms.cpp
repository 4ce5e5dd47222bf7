#include "text/learn_terms.hpp"

#include "base/numbers.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <fmt/format.h>

namespace recta::text {
namespace {

std::unexpected<Error> refuse_learning(std::string_view option, const std::string& what, std::string_view advice) {
  return fail(ErrorCode::usage, fmt::format("text, {}", option), what, advice);
}

bool usable(const DocumentBound& bound) {
  return bound.amount >= 0 && (bound.share ? bound.amount <= 1 : bound.amount == std::floor(bound.amount));
}

constexpr Index kMostBuckets = Index{1} << 30;

Result<void> check_learning(const TextOptions& options) {
  for (const auto& [name, bound] :
       {std::pair{"least documents", options.least_documents}, std::pair{"most documents", options.most_documents}})
    if (!usable(bound))
      return refuse_learning(name, fmt::format("it is {}", bound.amount),
                             "give a whole number of documents, or a share from 0 to 1");
  if (options.most_terms < 0)
    return refuse_learning("most terms", fmt::format("it is {}", options.most_terms), "give 1 or more, or 0 for all");
  if (options.buckets < 0 || options.buckets > kMostBuckets)
    return refuse_learning("buckets", fmt::format("there are {}", options.buckets),
                           fmt::format("give 1 to {}, or 0 for a vocabulary", kMostBuckets));
  if (options.buckets > 0 && options.idf)
    return refuse_learning("buckets", "hashed terms have no document frequency of their own",
                           "leave out the buckets or the inverse document frequencies");
  if (options.buckets > 0 && !options.vocabulary.empty())
    return refuse_learning("buckets", "a vocabulary was given as well", "leave out one of the two");
  if (options.signed_buckets && options.value == TermValue::sublinear)
    return refuse_learning("buckets", "counts below zero have no logarithm", "leave out the signs, or sublinear");
  return {};
}

} // namespace

Result<TermLearner> TermLearner::make(const TextOptions& options, int workers) {
  if (auto good = check_learning(options); !good) return std::unexpected(good.error());
  if (TextMap{.column = {}, .options = options}.is_sequence())
    if (auto good = check_sequence(options); !good) return std::unexpected(good.error());
  if (auto good = check_graph_terms(options); !good) return std::unexpected(good.error());
  auto finder = TermFinder::make(options);
  if (!finder) return std::unexpected(finder.error());
  TermLearner learner(*std::move(finder), options);
  learner.workers_.resize(static_cast<std::size_t>(workers));
  learner.terms_.resize(static_cast<std::size_t>(workers));
  if (options.vocabulary.empty()) return learner;
  auto vocabulary = folded_vocabulary(options.vocabulary, options);
  if (!vocabulary) return std::unexpected(vocabulary.error());
  for (WorkerTerms& terms : learner.terms_) {
    terms.words = *vocabulary;
    terms.of_words.resize(vocabulary->size());
  }
  return learner;
}

// Terms of a given vocabulary and those that are hashed are looked up as they are spelled.
bool TermLearner::by_runs() const {
  return options_.unit == TermUnit::words && options_.most_length > 1 && options_.vocabulary.empty() &&
         options_.buckets == 0;
}

std::uint32_t TermLearner::number_of(WorkerTerms& terms, const TermKey& term, std::uint64_t hash) const {
  if (!options_.vocabulary.empty()) return terms.words.find(term, hash);
  const std::uint32_t number = terms.words.add(term, hash);
  if (number == terms.of_words.size()) terms.of_words.emplace_back();
  return number;
}

// The numbers of the terms that wait, until the next ones do.
std::span<const std::uint32_t> TermLearner::look_up_waiting(int number) {
  Worker& worker = workers_[static_cast<std::size_t>(number)];
  WorkerTerms& terms = terms_[static_cast<std::size_t>(number)];
  const std::size_t count = worker.waits;
  for (std::size_t i = 0; i < count; ++i) {
    const std::uint32_t known = number_of(terms, worker.waiting[i].term, worker.waiting[i].hash);
    worker.number_of_waiting[i] = known;
    if (known != TermTable::kNone) __builtin_prefetch(&terms.of_words[known], 1);
  }
  worker.waits = 0;
  return std::span(worker.number_of_waiting).first(count);
}

// One more occurrence of each in the row of the document. Whether it is the first there is not to be foretold, so
// nothing branches on it.
void TermLearner::count(Worker& worker, std::vector<Tally>& tallies, std::span<const std::uint32_t> terms,
                        std::uint32_t flag) {
  std::size_t size = worker.row.size();
  worker.row.resize(size + terms.size());
  TermCount* const row = worker.row.data();
  const std::uint64_t document = worker.document, teaches = worker.teaches;
  for (const std::uint32_t term : terms) {
    if (term == TermTable::kNone) {
      row[size++] = {term, 1};
      continue;
    }
    Tally& tally = tallies[term];
    const std::uint64_t is_new = tally.last >> 32 != document;
    const std::uint64_t place = is_new * size + (1 - is_new) * (tally.last & 0xFFFFFFFF);
    row[place] = {term | flag, row[place].count + 1};
    tally.last = document << 32 | place;
    tally.occurrences += teaches;
    tally.documents += static_cast<std::uint32_t>(teaches & is_new);
    size += is_new;
  }
  worker.row.resize(size);
}

void TermLearner::count_waiting(int number) {
  count(workers_[static_cast<std::size_t>(number)], terms_[static_cast<std::size_t>(number)].of_words,
        look_up_waiting(number), 0);
}

void TermLearner::find_words(int number, std::string_view document) {
  Worker& worker = workers_[static_cast<std::size_t>(number)];
  WorkerTerms& terms = terms_[static_cast<std::size_t>(number)];
  worker.words.clear();
  finder_.read_words(document, worker.scratch);
  const auto take = [&] {
    const auto numbers = look_up_waiting(number);
    if (options_.least_length == 1) count(worker, terms.of_words, numbers, 0);
    worker.words.insert(worker.words.end(), numbers.begin(), numbers.end());
  };
  for (std::size_t i = 0; i < worker.scratch.begin.size(); ++i) {
    worker.wait(TermFinder::word(worker.scratch, i), terms.words);
    if (worker.all_wait()) take();
  }
  take();
  worker.runs = worker.words;
}

// Runs of so many words from those that are one word shorter.
void TermLearner::find_runs(int number, std::size_t length) {
  Worker& worker = workers_[static_cast<std::size_t>(number)];
  WorkerTerms& terms = terms_[static_cast<std::size_t>(number)];
  const std::size_t runs = worker.words.size() - length + 1;
  constexpr std::size_t kLookedUp = Worker::kTogether;
  std::array<std::uint64_t, kLookedUp> hashes{};
  std::array<std::uint32_t, kLookedUp> numbers{};
  for (std::size_t from = 0; from < runs; from += kLookedUp) {
    const std::size_t end = std::min(runs, from + kLookedUp);
    const auto run = [&](std::size_t i) { return Run{worker.runs[i], worker.words[i + length - 1]}; };
    for (std::size_t i = from; i < end; ++i) {
      hashes[i - from] = RunTable::hash(run(i));
      terms.runs.prefetch(hashes[i - from]);
    }
    for (std::size_t i = from; i < end; ++i) { // places before i are known, those behind it are still those of prefixes
      const std::uint32_t known = terms.runs.add(run(i), hashes[i - from]);
      if (known == terms.of_runs.size()) terms.of_runs.emplace_back();
      __builtin_prefetch(&terms.of_runs[known], 1);
      worker.runs[i] = known | kIsRun;
      numbers[i - from] = known;
    }
    if (static_cast<Index>(length) < options_.least_length) continue;
    count(worker, terms.of_runs, std::span(numbers).first(end - from), kIsRun);
  }
}

void TermLearner::add(int number, std::string_view document, bool teaches, WorkerRows* rows) {
  Worker& worker = workers_[static_cast<std::size_t>(number)];
  WorkerTerms& terms = terms_[static_cast<std::size_t>(number)];
  worker.row.clear();
  if (++worker.document == 0) { // after 2^32 documents the numbers begin again
    for (auto* tallies : {&terms.of_words, &terms.of_runs})
      for (Tally& tally : *tallies) tally.last = 0;
    worker.document = 1;
  }
  worker.teaches = teaches ? 1 : 0;
  worker.taught += teaches;
  if (sequences()) {
    if (rows) read_sequence(document, options_.unit, worker.row);
  } else if (by_runs()) {
    find_words(number, document);
    const auto longest = std::min(static_cast<std::size_t>(options_.most_length), worker.words.size());
    for (std::size_t length = 2; length <= longest; ++length) find_runs(number, length);
  } else {
    finder_.find(document, worker.scratch, [&](std::string_view text) {
      worker.wait(text, terms.words);
      if (worker.all_wait()) count_waiting(number);
    });
    count_waiting(number);
  }
  if (!rows) return;
  rows->worker = number;
  if (rows->counts.empty()) rows->counts.reserve(worker.row_counts + worker.row_counts / 8);
  rows->counts.insert(rows->counts.end(), worker.row.begin(), worker.row.end());
  rows->start.push_back(std::ssize(rows->counts));
  worker.row_counts = rows->counts.size();
}

} // namespace recta::text
