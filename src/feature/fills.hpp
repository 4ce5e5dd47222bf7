// What a schema puts in the place of missing numbers, and which columns have an indicator, against the rows that it was
// learned from.
#pragma once

#include "feature/learn.hpp"

namespace recta::feature {

// Nothing is filled in unless the schema says so.
bool has_idle_fills(const Schema& schema);

class FillCheck {
public:
  // `header`: a table that has the columns of the schema.
  FillCheck(const Schema& schema, const Dataset& header);
  void accumulate(const Dataset& rows) { learner_.accumulate(rows); }
  // What differs, by column.
  Result<std::vector<std::string>> differences(const std::string& source) const;

private:
  const Schema& schema_;
  SchemaLearner learner_;
};

} // namespace recta::feature
