#include "text/learn_terms.hpp"

#include "base/numbers.hpp"
#include "text/murmur.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <numeric>

namespace recta::text {
namespace {

std::unexpected<Error> refuse_learning(std::string_view option, const std::string& what, std::string_view advice) {
  return fail(ErrorCode::usage, fmt::format("text, {}", option), what, advice);
}

bool usable(const DocumentBound& bound) {
  return bound.amount >= 0 && (bound.share ? bound.amount <= 1 : bound.amount == std::floor(bound.amount));
}

// The bound in documents, of so many.
double in_documents(const DocumentBound& bound, Index documents) {
  return bound.share ? bound.amount * static_cast<double>(documents) : bound.amount;
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
  auto finder = TermFinder::make(options);
  if (!finder) return std::unexpected(finder.error());
  TermLearner learner(*std::move(finder), options);
  learner.workers_.resize(static_cast<std::size_t>(workers));
  if (options.vocabulary.empty()) return learner;
  auto given = folded_vocabulary(options.vocabulary, options.folding);
  if (!given) return std::unexpected(given.error());
  for (Worker& worker : learner.workers_) {
    worker.terms = *given;
    worker.documents.resize(given->size());
    worker.occurrences.resize(given->size());
    worker.last.resize(given->size());
  }
  return learner;
}

std::uint32_t TermLearner::number_of(Worker& worker, const TermKey& term, std::uint64_t hash) const {
  if (!options_.vocabulary.empty()) return worker.terms.find(term, hash);
  const std::uint32_t number = worker.terms.add(term, hash);
  if (number == worker.documents.size()) {
    worker.documents.push_back(0);
    worker.occurrences.push_back(0);
    worker.last.push_back(0);
  }
  return number;
}

void TermLearner::count_waiting(Worker& worker) const {
  worker.numbers.clear();
  for (const auto& [term, hash] : worker.waiting) {
    const std::uint32_t number = number_of(worker, term, hash);
    worker.numbers.push_back(number);
    if (number != TermTable::kNone) __builtin_prefetch(&worker.last[number], 1);
  }
  worker.waiting.clear();
  const std::uint64_t stamp = static_cast<std::uint64_t>(worker.document) << 32;
  for (const std::uint32_t term : worker.numbers) {
    if (term == TermTable::kNone) {
      worker.row.push_back({term, 1});
      continue;
    }
    std::uint64_t& last = worker.last[term];
    if (last >> 32 == worker.document) {
      ++worker.row[last & 0xFFFFFFFF].count;
      continue;
    }
    last = stamp | worker.row.size();
    worker.row.push_back({term, 1});
  }
}

void TermLearner::add(int number, std::string_view document, bool teaches, WorkerRows* rows) {
  Worker& worker = workers_[static_cast<std::size_t>(number)];
  worker.row.clear();
  if (++worker.document == 0) { // after 2^32 documents the numbers begin again
    std::ranges::fill(worker.last, 0);
    worker.document = 1;
  }
  if (sequences()) {
    worker.taught += teaches;
    if (!rows) return;
    rows->worker = number;
    read_sequence(document, options_.unit, worker.row);
    rows->counts.insert(rows->counts.end(), worker.row.begin(), worker.row.end());
    rows->start.push_back(std::ssize(rows->counts));
    return;
  }
  constexpr std::size_t kTogether = 64;
  finder_.find(document, worker.scratch, [&](std::string_view text) {
    const TermKey term = TermKey::padded(text);
    const std::uint64_t hash = term.hash();
    worker.terms.prefetch(hash);
    worker.waiting.emplace_back(term, hash);
    if (worker.waiting.size() == kTogether) count_waiting(worker);
  });
  count_waiting(worker);
  worker.taught += teaches;
  for (const TermCount& entry : worker.row)
    if (teaches && entry.term != TermTable::kNone) {
      ++worker.documents[entry.term];
      worker.occurrences[entry.term] += static_cast<std::uint64_t>(entry.count);
    }
  if (!rows) return;
  rows->worker = number;
  rows->counts.insert(rows->counts.end(), worker.row.begin(), worker.row.end());
  rows->start.push_back(std::ssize(rows->counts));
}

// The terms of all workers in the table of the first.
void TermLearner::join(Worker& all, Sums& sums) {
  sums = {std::move(all.documents), std::move(all.occurrences)};
  joined_.assign(workers_.size(), {});
  for (std::size_t w = 0; w < workers_.size(); ++w) {
    Worker& worker = workers_[w];
    joined_[w].resize(worker.terms.size());
    for (std::uint32_t own = 0; own < worker.terms.size(); ++own) {
      const std::uint32_t number = w == 0 ? own : all.terms.add(worker.terms[own]);
      joined_[w][own] = number;
      if (w == 0) continue;
      if (number == sums.documents.size()) {
        sums.documents.push_back(0);
        sums.occurrences.push_back(0);
      }
      sums.documents[number] += worker.documents[own];
      sums.occurrences[number] += worker.occurrences[own];
    }
    if (w > 0) worker.terms = {};
  }
}

// The numbers of the terms within the bounds, the most frequent ones if there are too many: of equal ones those that
// come first in the order of code points, which is that of the answer.
std::vector<std::uint32_t> TermLearner::kept(const Sums& sums, Index documents) const {
  const double least = in_documents(options_.least_documents, documents);
  const double most = in_documents(options_.most_documents, documents);
  std::vector<std::uint32_t> kept;
  for (std::uint32_t term = 0; term < sums.documents.size(); ++term)
    if (sums.documents[term] > 0 && sums.documents[term] >= least && sums.documents[term] <= most) kept.push_back(term);
  const TermTable& terms = workers_[0].terms;
  const auto by_text = [&](std::uint32_t a, std::uint32_t b) { return terms[a] < terms[b]; };
  if (options_.most_terms > 0 && std::ssize(kept) > options_.most_terms) {
    const auto frequent = [&](std::uint32_t a, std::uint32_t b) {
      return sums.occurrences[a] != sums.occurrences[b] ? sums.occurrences[a] > sums.occurrences[b] : by_text(a, b);
    };
    std::ranges::nth_element(kept, kept.begin() + options_.most_terms, frequent);
    kept.resize(at(options_.most_terms));
  }
  sort_by_text(terms, kept);
  return kept;
}

void TermLearner::translate_to(const std::vector<std::uint32_t>& feature) {
  translate_ = std::move(joined_);
  for (std::vector<std::uint32_t>& numbers : translate_)
    for (std::uint32_t& number : numbers) number = feature[number];
}

Result<TextMap> TermLearner::finish_buckets(const TermTable& terms, const Sums& sums, TextMap map) {
  const auto buckets = static_cast<std::uint32_t>(options_.buckets);
  std::vector<std::string> names(buckets);
  std::vector<std::uint32_t> feature(terms.size()), sorted(terms.size());
  std::iota(sorted.begin(), sorted.end(), 0U);
  sort_by_text(terms, sorted);
  std::vector<std::uint32_t> inside(buckets);
  for (const std::uint32_t term : sorted) {
    const Bucket bucket = bucket_of(terms[term], buckets);
    feature[term] = bucket.number;
    if (sums.documents[term] == 0) continue;
    std::string& name = names[bucket.number];
    constexpr std::uint32_t kNamed = 3;
    if (++inside[bucket.number] <= kNamed) name.append(name.empty() ? "" : "|").append(terms[term]);
    if (inside[bucket.number] == kNamed + 1) name += "|...";
  }
  for (const std::uint32_t count : inside)
    if (count > 1) map.collisions += count;
  negative_.resize(terms.size());
  for (std::uint32_t term = 0; options_.signed_buckets && term < terms.size(); ++term)
    negative_[term] = bucket_of(terms[term], buckets).negative;
  for (std::uint32_t bucket = 0; bucket < buckets; ++bucket)
    if (names[bucket].empty()) names[bucket] = fmt::format("#{}", bucket);
  map.vocabulary = std::make_shared<const std::vector<std::string>>(std::move(names));
  if (!options_.signed_buckets) {
    negative_.clear();
    translate_to(feature);
    return map;
  }
  // With signs, a worker's number is first that of all, so that its sign is known: see finish_rows().
  translate_ = std::move(joined_);
  joined_.assign(1, std::move(feature));
  return map;
}

Result<TextMap> TermLearner::finish(const std::string& source) {
  TextMap map;
  map.options = options_;
  map.options.vocabulary.clear();
  for (const Worker& worker : workers_) map.documents += worker.taught;
  if (sequences()) return map;
  Sums sums;
  join(workers_[0], sums);
  const TermTable& terms = workers_[0].terms;
  if (options_.buckets > 0) return finish_buckets(terms, sums, std::move(map));
  std::vector<std::uint32_t> order;
  if (options_.vocabulary.empty()) {
    order = kept(sums, map.documents);
  } else {
    order.resize(options_.vocabulary.size());
    std::iota(order.begin(), order.end(), 0U);
  }
  if (order.empty())
    return fail(ErrorCode::bad_data, source,
                terms.size() == 0 ? "no document has a term"
                                  : "no term is left within the bounds of document frequency",
                terms.size() == 0 ? "look whether this is the column of documents; shorter tokens, or fewer stop words"
                                  : "lower the least or raise the largest document frequency");
  std::vector<std::uint32_t> feature(terms.size(), TermTable::kNone);
  auto names = std::make_shared<std::vector<std::string>>();
  for (std::uint32_t j = 0; j < order.size(); ++j) {
    feature[order[j]] = j;
    names->emplace_back(options_.vocabulary.empty() ? terms[order[j]] : std::string_view(options_.vocabulary[j]));
  }
  map.vocabulary = std::move(names);
  if (options_.idf) {
    const double more = options_.smooth_idf ? 1 : 0;
    for (const std::uint32_t term : order)
      map.idf.push_back(1 + std::log((static_cast<double>(map.documents) + more) /
                                     (static_cast<double>(sums.documents[term]) + more)));
    for (std::size_t j = 0; j < map.idf.size(); ++j)
      if (!std::isfinite(map.idf[j]))
        return fail(ErrorCode::bad_data, source, fmt::format("no document has the term \"{}\"", map.terms()[j]),
                    "smooth the inverse document frequencies, or leave it out of the vocabulary");
  }
  translate_to(feature);
  return map;
}

Index TermLearner::finish_rows(WorkerRows& rows) const {
  if (sequences()) return 0;
  const std::vector<std::uint32_t>& numbers = translate_[static_cast<std::size_t>(rows.worker)];
  std::vector<TermCount> row;
  Index dropped = 0;
  std::size_t next = 0;
  for (std::size_t i = 0; i + 1 < rows.start.size(); ++i) {
    row.clear();
    for (Index k = rows.start[i]; k < rows.start[i + 1]; ++k) {
      TermCount entry = rows.counts[at(k)];
      if (entry.term != TermTable::kNone) entry.term = numbers[entry.term];
      if (entry.term == TermTable::kNone) {
        dropped += entry.count;
        continue;
      }
      if (!negative_.empty()) {
        if (negative_[entry.term]) entry.count = -entry.count;
        entry.term = joined_[0][entry.term];
      }
      row.push_back(entry);
    }
    sort_counts(row);
    rows.start[i] = static_cast<Index>(next); // read already: a row never grows
    std::ranges::copy(row, rows.counts.begin() + static_cast<std::ptrdiff_t>(next));
    next += row.size();
  }
  rows.start.back() = static_cast<Index>(next);
  rows.counts.resize(next);
  return dropped;
}

} // namespace recta::text
