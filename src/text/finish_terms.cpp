// The end of learning a vocabulary: terms of all workers, which of them are kept, and their numbers as features.
#include "base/numbers.hpp"
#include "text/learn_terms.hpp"
#include "text/murmur.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <numeric>

namespace recta::text {
namespace {

// The bound in documents, of so many.
double in_documents(const DocumentBound& bound, Index documents) {
  return bound.share ? bound.amount * static_cast<double>(documents) : bound.amount;
}

std::unexpected<Error> nothing_kept(const JoinedTerms& all, const std::string& source) {
  for (std::uint32_t term = 0; term < all.size(); ++term)
    if (all.documents(term) > 0)
      return fail(ErrorCode::bad_data, source, "no term is left within the bounds of document frequency",
                  "lower the least or raise the largest document frequency");
  return fail(ErrorCode::bad_data, source, "no document has a term",
              "check whether this is the column of documents; shorter tokens, or fewer stop words");
}

} // namespace

Index TermLearner::taught() const {
  Index documents = 0;
  for (const Worker& worker : workers_) documents += worker.taught;
  return documents;
}

// The numbers of the terms within the bounds, by text; the most frequent ones if there are too many: of equal ones
// those that come first.
std::vector<std::uint32_t> TermLearner::kept(const JoinedTerms& all, Index documents, Pool& pool) const {
  const double least = in_documents(options_.least_documents, documents);
  const double most = in_documents(options_.most_documents, documents);
  std::vector<std::uint32_t> kept;
  for (std::uint32_t term = 0; term < all.size(); ++term)
    if (all.documents(term) > 0 && all.documents(term) >= least && all.documents(term) <= most) kept.push_back(term);
  all.sort_by_text(kept, pool);
  if (options_.most_terms == 0 || std::ssize(kept) <= options_.most_terms) return kept;
  std::vector<std::uint32_t> places(kept.size()), chosen;
  std::iota(places.begin(), places.end(), 0U);
  std::ranges::nth_element(places, places.begin() + options_.most_terms, [&](std::uint32_t a, std::uint32_t b) {
    const std::uint64_t of_a = all.occurrences(kept[a]), of_b = all.occurrences(kept[b]);
    return of_a != of_b ? of_a > of_b : a < b;
  });
  places.resize(at(options_.most_terms));
  std::ranges::sort(places);
  for (const std::uint32_t place : places) chosen.push_back(kept[place]);
  return chosen;
}

void TermLearner::translate_to(const std::vector<std::uint32_t>& feature, const JoinedTerms& all, Pool& pool) {
  translate_.assign(terms_.size(), {});
  pool.run(std::ssize(terms_), [&](Index w, int) {
    const WorkerTerms& worker = terms_[at(w)];
    translate_[at(w)].words.reserve(worker.words.size());
    translate_[at(w)].runs.reserve(worker.runs.size());
    for (std::uint32_t word = 0; word < worker.words.size(); ++word)
      translate_[at(w)].words.push_back(feature[all.word(at(w), word)]);
    for (std::uint32_t run = 0; run < worker.runs.size(); ++run)
      translate_[at(w)].runs.push_back(feature[all.run(at(w), run)]);
  });
}

TextMap TermLearner::finish_buckets(const JoinedTerms& all, TextMap map, Pool& pool) {
  const auto buckets = static_cast<std::uint32_t>(options_.buckets);
  std::vector<std::string> names(buckets);
  std::vector<std::uint32_t> feature(all.size()), sorted(all.size());
  std::vector<bool> negative(all.size());
  std::iota(sorted.begin(), sorted.end(), 0U);
  all.sort_by_text(sorted, pool);
  std::vector<std::uint32_t> inside(buckets);
  for (const std::uint32_t term : sorted) {
    const std::string text = all.text(term);
    const Bucket bucket = bucket_of(text, buckets);
    feature[term] = bucket.number;
    negative[term] = bucket.negative;
    if (all.documents(term) == 0) continue;
    std::string& name = names[bucket.number];
    constexpr std::uint32_t kNamed = 3;
    if (++inside[bucket.number] <= kNamed) name.append(name.empty() ? "" : "|").append(text);
    if (inside[bucket.number] == kNamed + 1) name += "|...";
  }
  for (const std::uint32_t count : inside)
    if (count > 1) map.collisions += count;
  for (std::uint32_t bucket = 0; bucket < buckets; ++bucket)
    if (names[bucket].empty()) names[bucket] = fmt::format("#{}", bucket);
  map.vocabulary = std::make_shared<const std::vector<std::string>>(std::move(names));
  translate_to(feature, all, pool);
  for (std::size_t w = 0; options_.signed_buckets && w < terms_.size(); ++w)
    for (std::uint32_t word = 0; word < terms_[w].words.size(); ++word)
      translate_[w].negative.push_back(negative[all.word(w, word)]);
  return map;
}

Result<void> TermLearner::learn_idf(const JoinedTerms& all, const std::vector<std::uint32_t>& order,
                                    const std::string& source, TextMap& map) const {
  const double more = options_.smooth_idf ? 1 : 0;
  map.idf.reserve(order.size());
  std::uint32_t documents = 0; // of the term before: most terms of a long vocabulary are in one or two
  double idf = 1 + std::log((static_cast<double>(map.documents) + more) / more);
  for (const std::uint32_t term : order) {
    if (all.documents(term) != documents) {
      documents = all.documents(term);
      idf = 1 + std::log((static_cast<double>(map.documents) + more) / (static_cast<double>(documents) + more));
    }
    map.idf.push_back(idf);
  }
  for (std::size_t j = 0; j < map.idf.size(); ++j)
    if (!std::isfinite(map.idf[j]))
      return fail(ErrorCode::bad_data, source, fmt::format("no document has the term \"{}\"", map.terms()[j]),
                  "smooth the inverse document frequencies, or leave it out of the vocabulary");
  return {};
}

Result<TextMap> TermLearner::finish(const std::string& source, Pool& pool) {
  TextMap map;
  map.options = options_;
  map.options.vocabulary.clear();
  map.documents = taught();
  if (sequences()) return map;
  const bool fixed = !options_.vocabulary.empty();
  const JoinedTerms all(terms_, fixed, pool);
  if (options_.buckets > 0) return finish_buckets(all, std::move(map), pool);
  std::vector<std::uint32_t> order;
  if (fixed) {
    order.resize(options_.vocabulary.size());
    std::iota(order.begin(), order.end(), 0U);
  } else {
    order = kept(all, map.documents, pool);
  }
  if (order.empty()) return nothing_kept(all, source);
  std::vector<std::uint32_t> feature(all.size(), TermTable::kNone);
  auto names = std::make_shared<std::vector<std::string>>(order.size());
  constexpr Index kPiece = 1 << 14, kAhead = 16;
  pool.run((std::ssize(order) + kPiece - 1) / kPiece, [&](Index piece, int) {
    const Index end = std::min(std::ssize(order), (piece + 1) * kPiece);
    for (Index j = piece * kPiece; j < end; ++j) {
      if (j + kAhead < end) all.prefetch(order[at(j + kAhead)]);
      feature[order[at(j)]] = static_cast<std::uint32_t>(j);
      (*names)[at(j)] = fixed ? options_.vocabulary[at(j)] : all.text(order[at(j)]);
    }
  });
  map.vocabulary = std::move(names);
  if (options_.idf)
    if (auto learned = learn_idf(all, order, source, map); !learned) return std::unexpected(learned.error());
  translate_to(feature, all, pool);
  return map;
}

Index TermLearner::finish_rows(WorkerRows& rows) const {
  if (sequences()) return 0;
  const Translation& numbers = translate_[static_cast<std::size_t>(rows.worker)];
  std::vector<TermCount> row;
  Index dropped = 0;
  std::size_t next = 0;
  for (std::size_t i = 0; i + 1 < rows.start.size(); ++i) {
    row.clear();
    for (Index k = rows.start[i]; k < rows.start[i + 1]; ++k) {
      TermCount entry = rows.counts[at(k)];
      if (entry.term != TermTable::kNone) {
        if (!numbers.negative.empty() && numbers.negative[entry.term]) entry.count = -entry.count;
        entry.term = entry.term & kIsRun ? numbers.runs[entry.term & ~kIsRun] : numbers.words[entry.term];
      }
      if (entry.term == TermTable::kNone) {
        dropped += entry.count;
        continue;
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
