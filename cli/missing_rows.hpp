// Rows that a fit or an evaluation leaves out, and why.
#pragma once

#include <recta/model.hpp>
#include <recta/report.hpp>

#include <utility>

namespace recta::cli {

// Rows in which a value that the model reads is missing, and how many of them in each such column.
struct MissingRows {
  Index rows = 0;
  std::vector<std::pair<std::string, Index>> columns;
};
bool lacks_feature(const Schema& schema, const Dataset& data, Index row); // a value that the model reads is missing
MissingRows missing_rows(const Schema& schema, const Dataset& data);

// "12 of 300 rows: a value is missing in income (10 rows), y (3 rows)". Those without a missing value have weight zero.
struct LeftOut {
  Index rows = 0, of = 0;
  MissingRows missing;

  report::Group data() const;
  report::Sentence sentence() const;
};

} // namespace recta::cli
