// learn_terms(), count_terms() and terms_of(): documents in the caller's memory.
#include "base/guard.hpp"
#include "base/numbers.hpp"
#include "base/pool.hpp"
#include "text/learn_terms.hpp"

#include <algorithm>
#include <atomic>
#include <fmt/format.h>

namespace recta {
namespace text {
namespace {

constexpr std::size_t kChunk = 256; // documents

Index chunks_of(Documents documents) {
  return static_cast<Index>((documents.size() + kChunk - 1) / kChunk);
}

Documents chunk_of(Documents documents, Index chunk) {
  const std::size_t first = at(chunk) * kChunk;
  return documents.subspan(first, std::min(kChunk, documents.size() - first));
}

// The first document that is not UTF-8, or no graph where graphs are asked for, is an error.
Result<void> check_documents(Documents documents, const TextOptions& options, Pool& pool) {
  std::atomic<std::size_t> first = documents.size();
  pool.run(chunks_of(documents), [&](Index chunk, int) {
    const Documents some = chunk_of(documents, chunk);
    for (std::size_t i = 0; i < some.size(); ++i) {
      const std::size_t number = at(chunk) * kChunk + i;
      if (number >= first) return;
      if (check_utf8(some[i], {}, {}) && check_graph(some[i], options, {})) continue;
      std::size_t known = first;
      while (number < known && !first.compare_exchange_weak(known, number)) {
      }
      return;
    }
  });
  if (first == documents.size()) return {};
  const std::string where = fmt::format("document {}", first + 1);
  auto good = check_utf8(documents[first], where, "write it in UTF-8, or replace the byte");
  return good ? check_graph(documents[first], options, where) : good;
}

// Rows of the chunks one after the other, with their values.
TermRows gathered(const std::vector<WorkerRows>& chunks, const TextMap& map, Pool& pool) {
  TermRows rows;
  std::size_t total = 0;
  for (const WorkerRows& chunk : chunks) {
    for (std::size_t i = 1; i < chunk.start.size(); ++i) {
      rows.start.push_back(static_cast<Index>(total) + chunk.start[i]);
      rows.empty += chunk.start[i] == chunk.start[i - 1];
    }
    total += chunk.counts.size();
  }
  rows.term.resize(total);
  rows.value.resize(total);
  pool.run(std::ssize(chunks), [&](Index c, int) {
    const WorkerRows& chunk = chunks[at(c)];
    const auto first = at(rows.start[at(c) * kChunk]);
    for (std::size_t k = 0; k < chunk.counts.size(); ++k)
      rows.term[first + k] = static_cast<std::int32_t>(chunk.counts[k].term);
    for (std::size_t i = 0; i + 1 < chunk.start.size(); ++i)
      weigh(std::span(chunk.counts).subspan(at(chunk.start[i]), at(chunk.start[i + 1] - chunk.start[i])), map,
            rows.value.data() + first + chunk.start[i]);
  });
  return rows;
}

Result<LearnedText> learn(Documents documents, const TextOptions& options, Pool& pool) {
  auto learner = TermLearner::make(options, pool.threads());
  if (!learner) return std::unexpected(learner.error());
  if (auto good = check_documents(documents, options, pool); !good) return std::unexpected(good.error());
  std::vector<WorkerRows> chunks(at(chunks_of(documents)));
  pool.run(std::ssize(chunks), [&](Index chunk, int worker) {
    for (const std::string_view document : chunk_of(documents, chunk))
      learner->add(worker, document, true, &chunks[at(chunk)]);
  });
  auto map = learner->finish("documents", pool);
  if (!map) return std::unexpected(map.error());
  std::vector<Index> occurrences(chunks.size()), dropped(chunks.size());
  pool.run(std::ssize(chunks), [&](Index chunk, int) {
    for (const TermCount& entry : chunks[at(chunk)].counts) occurrences[at(chunk)] += entry.count;
    dropped[at(chunk)] = learner->finish_rows(chunks[at(chunk)]);
  });
  LearnedText learned{*std::move(map), {}};
  learned.rows = gathered(chunks, learned.map, pool);
  for (std::size_t c = 0; c < chunks.size(); ++c) {
    learned.rows.occurrences += occurrences[c];
    learned.rows.dropped += dropped[c];
  }
  return learned;
}

Result<TermRows> count(const TextMap& map, Documents documents, Pool& pool) {
  const auto reader = TermReader::make(map);
  if (!reader) return std::unexpected(reader.error());
  if (auto good = check_documents(documents, map.options, pool); !good) return std::unexpected(good.error());
  std::vector<WorkerRows> chunks(at(chunks_of(documents)));
  std::vector<TermReader::ReadCounts> by_chunk(chunks.size());
  std::vector<TermScratch> scratch(at(pool.threads()));
  pool.run(std::ssize(chunks), [&](Index chunk, int worker) {
    std::vector<TermCount> row;
    WorkerRows& rows = chunks[at(chunk)];
    for (const std::string_view document : chunk_of(documents, chunk)) {
      const auto count = reader->read(document, scratch[at(worker)], row);
      by_chunk[at(chunk)].occurrences += count.occurrences;
      by_chunk[at(chunk)].dropped += count.dropped;
      rows.counts.insert(rows.counts.end(), row.begin(), row.end());
      rows.start.push_back(std::ssize(rows.counts));
    }
  });
  TermRows rows = gathered(chunks, map, pool);
  for (const TermReader::ReadCounts& counts : by_chunk) {
    rows.occurrences += counts.occurrences;
    rows.dropped += counts.dropped;
  }
  return rows;
}

} // namespace
} // namespace text

Result<LearnedText> learn_terms(Documents documents, const TextOptions& options, int threads) {
  return guarded("documents", cure::kFree, [&] {
    Pool pool(threads);
    return text::learn(documents, options, pool);
  });
}

Result<TermRows> count_terms(const TextMap& map, Documents documents, int threads) {
  return guarded("documents", cure::kFree, [&] {
    Pool pool(threads);
    return text::count(map, documents, pool);
  });
}

Result<std::vector<std::string>> terms_of(std::string_view document, const TextOptions& options) {
  const auto finder = text::TermFinder::make(options);
  if (!finder) return std::unexpected(finder.error());
  if (auto good = text::check_utf8(document, "document", "write it in UTF-8"); !good)
    return std::unexpected(good.error());
  for (const auto& good : {text::check_graph_terms(options), text::check_graph(document, options, "document")})
    if (!good) return std::unexpected(good.error());
  std::vector<std::string> terms;
  text::TermScratch scratch;
  finder->find(document, scratch, [&](std::string_view term) { terms.emplace_back(term); });
  return terms;
}

} // namespace recta
