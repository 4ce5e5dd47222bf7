#include "feature/text_columns.hpp"

#include "base/numbers.hpp"
#include "data/checked_table.hpp"
#include "feature/encode.hpp"
#include "stats/state_bytes.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <mutex>

namespace recta::feature {
namespace {

Index pieces_of(const TableView& data) {
  return (data.rows() + kTextRows - 1) / kTextRows;
}

Index rows_of_piece(const TableView& data, Index piece) {
  return std::min(kTextRows, data.rows() - piece * kTextRows);
}

// Calls task(piece, worker) for all pieces of a table; of several errors the first by number is returned.
template <class Task>
Result<void> for_each_piece(const TableView& data, Pool& pool, const Task& task) {
  std::mutex mutex;
  Index failed = pieces_of(data);
  Result<void> outcome;
  pool.run(failed, [&](Index piece, int worker) {
    Result<void> done = task(piece, worker);
    if (done) return;
    const std::lock_guard lock(mutex);
    if (piece >= failed) return;
    failed = piece;
    outcome = std::move(done);
  });
  return outcome;
}

std::shared_ptr<TextRows> room_for(const Schema& schema, const TableView& data) {
  auto rows = std::make_shared<TextRows>();
  rows->texts.resize(schema.texts.size());
  for (auto& pieces : rows->texts) pieces.resize(at(pieces_of(data)));
  return rows;
}

} // namespace

std::string_view document_of(const Column& column, Index row) {
  if (column.type == ColumnType::text) return column.levels[at(row)];
  const std::int32_t code = column.codes[at(row)];
  return code < 0 ? std::string_view() : std::string_view(column.levels[at(code)]);
}

Result<void> check_documents(const Dataset& header, const Column& column) {
  if (!column.numeric()) return {};
  return fail(ErrorCode::bad_data, fmt::format("{}, column {}", header.source, column.name),
              "this column of documents was read as numbers", fmt::format("pass --types {}=text", column.name));
}

Result<void> check_document(const Dataset& rows, const Column& column, Index row, const TextOptions& options) {
  const std::string_view document = document_of(column, row);
  if (text::is_ascii(document) && !options.of_graphs()) return {};
  const std::string where = fmt::format("{}, row {}, column {}", rows.source, rows.first_row + row + 1, column.name);
  if (auto good = text::check_utf8(document, where, "write it in UTF-8, or pass --bad-utf8 replace"); !good)
    return good;
  return text::check_graph(document, options, where);
}

void add(UnknownTerms& sums, const UnknownTerms& more) {
  sums.terms += more.terms;
  sums.unknown += more.unknown;
  sums.documents += more.documents;
  sums.without_any_known += more.without_any_known;
}

Result<TextLearner> TextLearner::make(const Schema& draft, const Roles& roles, int workers) {
  TextLearner out;
  out.columns_ = roles.texts;
  for (const TextMap& map : draft.texts) {
    auto learner = text::TermLearner::make(map.options, workers);
    if (!learner) return std::unexpected(learner.error());
    out.learners_.push_back(*std::move(learner));
  }
  return out;
}

Result<void> TextLearner::accumulate(int worker, const TableView& rows, Index first, Index count,
                                     std::span<const double> weights, std::span<text::WorkerRows*> keep) {
  for (std::size_t t = 0; t < learners_.size(); ++t) {
    const Column& column = rows.table().columns[at(columns_[t])];
    for (Index i = first; i < first + count; ++i) {
      const Index row = rows.row(i);
      if (auto good = check_document(rows.table(), column, row, learners_[t].options()); !good) return good;
      learners_[t].add(worker, document_of(column, row), weights[at(i)] > 0, keep.empty() ? nullptr : keep[t]);
    }
  }
  return {};
}

std::string TextLearner::to_bytes(bool only_kept, Pool& pool) const {
  StateWriter out("texts");
  for (const text::TermLearner& learner : learners_) {
    const text::CountedTerms counted = learner.counted(only_kept, pool);
    out.put(counted.documents);
    out.put(std::ssize(counted.terms));
    for (const auto& term : counted.terms) {
      out.put(std::string_view(term.text));
      out.put(term.documents);
      out.put(term.occurrences);
    }
  }
  return out.take();
}

Result<void> TextLearner::add_counts(std::string_view bytes) {
  StateReader in("texts", bytes);
  for (text::TermLearner& learner : learners_) {
    text::CountedTerms counted{.documents = in.index()};
    in.require(counted.documents >= 0);
    for (Index left = in.index(); in.good() && left > 0; --left) {
      auto& term = counted.terms.emplace_back(std::string(in.text()));
      term.documents = in.index(), term.occurrences = in.index();
      in.require(term.documents > 0 && term.documents <= counted.documents && term.occurrences >= term.documents);
    }
    in.require(in.good() && learner.add(counted));
  }
  if (!in.done()) return damaged_state("the terms of documents");
  return {};
}

Result<void> TextLearner::finish(Schema& schema, const std::string& source, Pool& pool) {
  for (std::size_t t = 0; t < learners_.size(); ++t) {
    TextMap& map = schema.texts[t];
    auto learned = learners_[t].finish(fmt::format("{}, column {}", source, map.column), pool);
    if (!learned) return std::unexpected(learned.error());
    learned->column = map.column;
    map = *std::move(learned);
  }
  return {};
}

Result<std::shared_ptr<const TextRows>> learn_texts(const TableView& data, const Roles& roles,
                                                    std::span<const double> weights, Pool& pool, Schema& schema) {
  auto learner = TextLearner::make(schema, roles, pool.threads());
  if (!learner) return std::unexpected(learner.error());
  auto rows = room_for(schema, data);
  auto read = for_each_piece(data, pool, [&](Index piece, int worker) {
    std::vector<text::WorkerRows*> keep;
    for (auto& pieces : rows->texts) keep.push_back(&pieces[at(piece)]);
    return learner->accumulate(worker, data, piece * kTextRows, rows_of_piece(data, piece), weights, keep);
  });
  if (!read) return std::unexpected(read.error());
  if (auto done = learner->finish(schema, data.table().source, pool); !done) return std::unexpected(done.error());
  pool.run(pieces_of(data), [&](Index piece, int) {
    for (std::size_t t = 0; t < rows->texts.size(); ++t) learner->finish_rows(t, rows->texts[t][at(piece)]);
  });
  return rows;
}

namespace {

// Calls take(text, place of the row in the piece, counts) for every document of a piece, text after text, and adds up
// the terms that the texts lack.
template <class Take>
Result<UnknownTerms> count_piece(const Binding& binding, const TableView& data, Index piece, text::TermScratch& scratch,
                                 const Take& take) {
  UnknownTerms sums;
  std::vector<bool> any_known(at(rows_of_piece(data, piece)));
  std::vector<text::TermCount> counts;
  for (std::size_t t = 0; t < binding.texts.size(); ++t) {
    const Column& column = data.table().columns[at(binding.texts[t].column)];
    const text::TermReader& reader = binding.texts[t].reader;
    for (Index i = 0; i < std::ssize(any_known); ++i) {
      const Index row = data.row(piece * kTextRows + i);
      if (auto good = check_document(data.table(), column, row, reader.map().options); !good)
        return std::unexpected(good.error());
      const auto read = reader.read(document_of(column, row), scratch, counts);
      sums.terms += read.occurrences;
      sums.unknown += read.dropped;
      if (!counts.empty() || reader.map().is_sequence()) any_known[at(i)] = true;
      take(t, counts);
    }
  }
  sums.documents = std::ssize(any_known);
  sums.without_any_known = std::ranges::count(any_known, false);
  return sums;
}

// The same of all pieces, by all threads: take(piece, text, counts).
template <class Take>
Result<UnknownTerms> count_pieces(const Schema& schema, const TableView& data, Pool& pool, const Take& take) {
  const auto binding = bind(schema, data.table(), Need::features);
  if (!binding) return std::unexpected(binding.error());
  std::vector<text::TermScratch> scratch(at(pool.threads()));
  std::vector<UnknownTerms> by_piece(at(pieces_of(data)));
  auto read = for_each_piece(data, pool, [&](Index piece, int worker) -> Result<void> {
    const auto sums = count_piece(*binding, data, piece, scratch[at(worker)],
                                  [&](std::size_t t, const auto& counts) { take(piece, t, counts); });
    if (!sums) return std::unexpected(sums.error());
    by_piece[at(piece)] = *sums;
    return {};
  });
  if (!read) return std::unexpected(read.error());
  UnknownTerms all;
  for (const UnknownTerms& terms : by_piece) add(all, terms);
  return all;
}

} // namespace

Result<std::shared_ptr<const TextRows>> count_texts(const Schema& schema, const TableView& data, Pool& pool,
                                                    UnknownTerms* unknown) {
  auto rows = room_for(schema, data);
  const auto sums = count_pieces(schema, data, pool, [&](Index piece, std::size_t t, const auto& counts) {
    text::WorkerRows& out = rows->texts[t][at(piece)];
    out.counts.insert(out.counts.end(), counts.begin(), counts.end());
    out.start.push_back(std::ssize(out.counts));
  });
  if (!sums) return std::unexpected(sums.error());
  if (unknown) add(*unknown, *sums);
  return rows;
}

} // namespace recta::feature

namespace recta {

Result<UnknownTerms> unknown_terms(const Schema& schema, const Dataset& data, int threads) {
  if (schema.texts.empty()) return UnknownTerms{};
  return guarded(data, cure::kFewerRows, [&] {
    Pool pool(threads);
    return feature::count_pieces(schema, data, pool, [](Index, std::size_t, const auto&) {});
  });
}

} // namespace recta
