// The rows of the parts of a combined model, labelled 1 and -1: gathered in memory once, or read in place for every
// part if they stream past or stand on other machines.
#pragma once

#include "combine/code.hpp"
#include "combine/table.hpp"

#include <memory>
#include <optional>

namespace recta::combine {

// The names of the two sides of a part; the first is the side 1.
std::vector<std::string> sides_of(const Code& code, const Classes& classes, Index part);

// The rows that a part sees, with the schema of its two classes.
struct PartRows {
  Schema schema;
  Table some = {}; // if the part sees not all of the rows that were gathered
  std::vector<double> y = {};
  std::unique_ptr<RowSource> source = {};
};

// What a body says of rows whose classes are known.
struct Judged {
  Index rows = 0; // that weigh anything
  double weight = 0, right = 0;
  double log_likelihood = 0; // if the body has probabilities of its own
};

class RowsOfParts {
public:
  // Everything outlives it.
  static Result<RowsOfParts> in_place(const Schema& schema, const Rows& rows) { return RowsOfParts(schema, rows); }
  static Result<RowsOfParts> gathered(const Schema& schema, const Rows& rows);
  // In place if the rows stay where they are.
  static Result<RowsOfParts> as_they_stand(const Schema& schema, const Rows& rows);

  std::unique_ptr<PartRows> part(const Code& code, Index part) const;
  Rows rows_of(const PartRows& part) const; // the part outlives them
  // A row of the part among all rows of the data; both are counted from 0.
  Index number_of(const PartRows& part, Index row) const;
  bool go_side_by_side(Index parts, const Pool& pool) const;
  Index rows_gathered() const { return table_ ? table_->rows : 0; }
  Result<Judged> judged(const Body& body, Pool& pool, const Watch& watch) const;

private:
  RowsOfParts(const Schema& schema, const Rows& rows) : schema_(schema), rows_(rows) {}

  const Schema& schema_;
  const Rows& rows_;
  std::optional<Table> table_;
};

} // namespace recta::combine
