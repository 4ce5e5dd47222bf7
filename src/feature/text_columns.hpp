// Columns of documents: their vocabularies learned from rows, and their counts kept so that no document of a table is
// read twice.
#pragma once

#include "base/pool.hpp"
#include "data/split/table_view.hpp"
#include "feature/schema.hpp"
#include "text/learn_terms.hpp"

#include <memory>
#include <span>

namespace recta::feature {

// The document of a row; empty if there is none.
std::string_view document_of(const Column& column, Index row);
// Whether documents can be read from a column; if not, an error with the cure.
Result<void> check_documents(const Dataset& header, const Column& column);
// That it is UTF-8, and a graph if the options ask for graphs.
Result<void> check_document(const Dataset& rows, const Column& column, Index row, const TextOptions& options);

void add(UnknownTerms& sums, const UnknownTerms& more);

// Rows that are counted together; every block of rows begins at a multiple.
inline constexpr Index kTextRows = 256;

// The terms of all documents of a view: for every text of a schema, one piece per kTextRows rows.
struct TextRows {
  std::vector<std::vector<text::WorkerRows>> texts;
};

class TextLearner {
public:
  static Result<TextLearner> make(const Schema& draft, const Roles& roles, int workers);

  // Rows [first, first + count), any number of workers at once. `weights`: one per row of the view; rows without
  // weight teach nothing. `keep`: gets the counts of each text, if given.
  Result<void> accumulate(int worker, const TableView& rows, Index first, Index count, std::span<const double> weights,
                          std::span<text::WorkerRows*> keep);
  // What was counted, for a learner of the same schema (text/learn_terms.hpp).
  std::string to_bytes(bool only_kept, Pool& pool) const;
  Result<void> add_counts(std::string_view bytes);
  // Sets the terms of the schema.
  Result<void> finish(Schema& schema, const std::string& source, Pool& pool);
  void finish_rows(std::size_t text, text::WorkerRows& rows) const { learners_[text].finish_rows(rows); }

private:
  std::vector<Index> columns_; // of the table
  std::vector<text::TermLearner> learners_;
};

// Learns the texts of a schema from all rows and keeps their counts.
Result<std::shared_ptr<const TextRows>> learn_texts(const TableView& data, const Roles& roles,
                                                    std::span<const double> weights, Pool& pool, Schema& schema);
// The counts by texts that were learned before. `unknown`: gets the terms that these lack, if given.
Result<std::shared_ptr<const TextRows>> count_texts(const Schema& schema, const TableView& data, Pool& pool,
                                                    UnknownTerms* unknown = nullptr);

} // namespace recta::feature
