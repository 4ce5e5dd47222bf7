#include "text/read_terms.hpp"

#include "base/numbers.hpp"
#include "data/dataset.hpp"
#include "text/graph_terms.hpp"
#include "text/murmur.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <fmt/format.h>
#include <limits>
#include <optional>

namespace recta::text {

namespace {

// By bytes of the number, the lowest first: a fifth of the time of comparing for rows of a hundred terms.
void sort_by_bytes(std::vector<TermCount>& row) {
  thread_local std::vector<TermCount> other;
  other.resize(row.size());
  std::uint32_t all = 0;
  for (const TermCount& entry : row) all |= entry.term;
  for (int shift = 0; shift < 32 && all >> shift != 0; shift += 8) {
    std::array<std::uint32_t, 257> start{};
    for (const TermCount& entry : row) ++start[(entry.term >> shift & 255) + 1];
    for (std::size_t byte = 1; byte < start.size(); ++byte) start[byte] += start[byte - 1];
    for (const TermCount& entry : row) other[start[entry.term >> shift & 255]++] = entry;
    row.swap(other);
  }
}

} // namespace

void sort_counts(std::vector<TermCount>& row) {
  constexpr std::size_t kFew = 48;
  if (row.size() < kFew)
    std::ranges::sort(row, {}, &TermCount::term);
  else
    sort_by_bytes(row);
  std::size_t last = 0;
  for (std::size_t i = 1; i < row.size(); ++i) {
    if (row[i].term == row[last].term)
      row[last].count += row[i].count;
    else
      row[++last] = row[i];
  }
  if (!row.empty()) row.resize(last + 1);
}

void weigh(std::span<const TermCount> row, const TextMap& map, double* out) {
  const TextOptions& options = map.options;
  double norm = 0;
  for (std::size_t i = 0; i < row.size(); ++i) {
    double value = row[i].count;
    if (options.value == TermValue::binary) value = 1;
    if (options.value == TermValue::sublinear) value = 1 + std::log(value);
    if (options.idf) value *= map.idf[row[i].term];
    norm += options.norm == TextNorm::l2 ? value * value : std::abs(value);
    out[i] = value;
  }
  if (options.norm == TextNorm::none || !(norm > 0)) return;
  if (options.norm == TextNorm::l2) norm = std::sqrt(norm);
  for (std::size_t i = 0; i < row.size(); ++i) out[i] /= norm;
}

void read_sequence(std::string_view document, TermUnit unit, std::vector<TermCount>& row) {
  row.clear();
  const char *next = document.data(), *const end = document.data() + document.size();
  while (next < end) {
    const char32_t code = unit == TermUnit::bytes ? static_cast<unsigned char>(*next++) : next_code(next);
    row.push_back({static_cast<std::uint32_t>(row.size()), static_cast<std::int32_t>(code) + 1});
  }
}

Result<void> check_sequence(const TextOptions& options) {
  const TextOptions plain{.unit = options.unit};
  const auto refuse = [](const char* option) {
    return fail(ErrorCode::usage, fmt::format("text, {}", option), "a sequence of characters has no terms",
                "leave it out, or take words or runs of characters");
  };
  if (options.idf) return refuse("tfidf");
  if (options.norm != plain.norm) return refuse("norm");
  if (options.value != plain.value) return refuse("values");
  if (options.buckets != 0) return refuse("buckets");
  if (!options.vocabulary.empty()) return refuse("vocabulary");
  if (!options.stop_words.empty()) return refuse("stop words");
  if (!options.stemmer.empty()) return refuse("stemmer");
  if (options.most_length != 1) return refuse("ngrams");
  return {};
}

Result<void> check_graph_terms(const TextOptions& options) {
  const auto refuse = [](const char* option) {
    return fail(ErrorCode::usage, fmt::format("text, {}", option), "the terms of graphs are not made of words",
                "leave it out, or take words or runs of characters");
  };
  if (!options.of_graphs()) return {};
  if (!options.stop_words.empty()) return refuse("stop words");
  if (!options.stemmer.empty()) return refuse("stemmer");
  if (options.most_length != 1) return refuse("ngrams");
  return {};
}

Result<void> check_utf8(std::string_view document, std::string_view where, std::string_view advice) {
  if (is_ascii(document)) return {};
  const std::size_t bad = invalid_utf8(document);
  if (bad == std::string_view::npos) return {};
  return fail(
      ErrorCode::bad_data, where,
      fmt::format("byte {} of the text, 0x{:02x}, is not UTF-8", bad + 1, static_cast<unsigned char>(document[bad])),
      advice);
}

Result<void> check_graph(std::string_view document, const TextOptions& options, std::string_view where) {
  if (!options.of_graphs()) return {};
  std::string fault = graph_fault(document, options.unit);
  if (fault.empty()) return {};
  return fail(ErrorCode::bad_data, where, std::move(fault), "correct the graph");
}

Result<TermTable> folded_vocabulary(const std::vector<std::string>& terms, const TextOptions& options) {
  const Folding folding = options.of_graphs() ? Folding::none : options.folding;
  TermTable table;
  for (std::size_t j = 0; j < terms.size(); ++j) {
    const std::uint32_t number = table.add(recta::folded(terms[j], folding));
    if (number == j) continue;
    return fail(
        ErrorCode::usage, "text, vocabulary",
        fmt::format("term {}, \"{}\", is the same as term {}, \"{}\"", j + 1, terms[j], number + 1, terms[number]),
        "leave out one of the two");
  }
  return table;
}

Result<TermReader> TermReader::make_checked(const TextMap& map) {
  auto finder = TermFinder::make(map.options);
  if (!finder) return std::unexpected(finder.error());
  if (map.is_sequence())
    if (auto good = check_sequence(map.options); !good) return std::unexpected(good.error());
  if (auto good = check_graph_terms(map.options); !good) return std::unexpected(good.error());
  return TermReader(map, *std::move(finder));
}

Result<TermReader> TermReader::make(const TextMap& map) {
  auto reader = make_checked(map);
  if (!reader || !reader->by_vocabulary()) return reader;
  auto terms = folded_vocabulary(map.terms(), map.options);
  if (!terms) return std::unexpected(terms.error());
  std::call_once(reader->vocabulary_->ready, [&] { reader->vocabulary_->terms = *std::move(terms); });
  return reader;
}

const TermTable& TermReader::vocabulary() const {
  std::call_once(vocabulary_->ready, [this] {
    if (!by_vocabulary()) return;
    if (auto terms = folded_vocabulary(map_->terms(), map_->options)) vocabulary_->terms = *std::move(terms);
  });
  return vocabulary_->terms;
}

TermReader::ReadCounts TermReader::read(std::string_view document, TermScratch& scratch,
                                        std::vector<TermCount>& row) const {
  ReadCounts out;
  row.clear();
  if (map_->is_sequence()) {
    read_sequence(document, map_->options.unit, row);
    return {std::ssize(row), 0};
  }
  const auto buckets = static_cast<std::uint32_t>(map_->options.buckets);
  constexpr std::size_t kTogether = 64; // looked up together: while one is fetched from memory, the next is read
  std::array<std::optional<TermKey>, kTogether> waiting;
  std::array<std::uint64_t, kTogether> hashes{};
  std::size_t count = 0;
  const TermTable& vocabulary = this->vocabulary();
  const auto look_up = [&] {
    for (std::size_t i = 0; i < count; ++i) {
      const std::uint32_t number = vocabulary.find(*waiting[i], hashes[i]);
      if (number == TermTable::kNone)
        ++out.dropped;
      else
        row.push_back({number, 1});
    }
    count = 0;
  };
  finder_.find(document, scratch, [&](std::string_view term) {
    ++out.occurrences;
    if (buckets > 0) {
      const Bucket bucket = bucket_of(term, buckets);
      row.push_back({bucket.number, bucket.negative && map_->options.signed_buckets ? -1 : 1});
      return;
    }
    waiting[count] = TermKey::padded(term);
    hashes[count] = waiting[count]->hash();
    vocabulary.prefetch(hashes[count]);
    if (++count == kTogether) look_up();
  });
  look_up();
  sort_counts(row);
  return out;
}

} // namespace recta::text

namespace recta {

Index TextMap::features() const {
  constexpr Index kLongestDocument = Index{1} << 28; // bytes of a row of a file
  return is_sequence() ? kLongestDocument : std::ssize(terms());
}

const std::vector<std::string>& TextMap::terms() const {
  static const std::vector<std::string> none;
  return vocabulary ? *vocabulary : none;
}

} // namespace recta
