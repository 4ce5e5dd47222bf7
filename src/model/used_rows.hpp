// The rows that a model is used on, as a source of its features.
#pragma once

#include "data/split/table_view.hpp"
#include "design/row_source.hpp"

#include <recta/estimator.hpp>

#include <functional>
#include <span>

namespace recta {

// Rows, and the number of the first: above 0 if they are one block of a stream.
struct UsedRows {
  RowSource& source;
  Index rows, first_row;
};
using UseOfRows = std::function<Result<void>(const UsedRows&)>;

// How often `use` reads the rows. The terms of documents that are read more than once are counted before, and kept.
enum class Reads : std::uint8_t { once, again };
// `unknown`: gets the terms of the documents that the model does not know, if it is given and the rows are a whole
// table.
Result<void> use_rows(const Model& model, const TableView& data, const UseOfRows& use, UnknownTerms* unknown = nullptr,
                      Reads reads = Reads::once);
Result<void> use_rows(const Model& model, const Arrays& rows, const UseOfRows& use);

// Model::predict() of some rows of a table.
Result<Values> predict(const Model& model, const TableView& rows, int threads = 0, Answer answer = Answer::prediction);
// The same, and the terms that the model does not know, if the rows are a whole table.
Result<Values> predict(const Model& model, const TableView& rows, UnknownTerms& unknown, int threads);
// Several answers, one after the other; documents are read once for all of them. `unknown` may be none.
Result<std::vector<Values>> predict(const Model& model, const TableView& rows, std::span<const Answer> answers,
                                    UnknownTerms* unknown, int threads);

} // namespace recta
