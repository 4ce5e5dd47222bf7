// From the maps a caller asks for to those of a schema: columns found, texts made canonical, columns replaced.
#pragma once

#include <recta/estimator.hpp>

namespace recta::feature {

inline constexpr std::size_t kLongestMap = 4096; // bytes of a text as a caller may give it

bool asks_for_maps(const FitOptions& options);

// Columns that the texts of the options read, each once.
Result<std::vector<std::string>> columns_read(const FitOptions& options);

// Adds the maps to a draft whose columns are known: those of `poly` first, then `basis`, then `feature`. Columns that a
// basis reads are features no longer; columns of `options.ignore` that a map reads are there, and are none.
Result<void> add_maps(Schema& draft, const FitOptions& options, const std::string& source);

// Which maps learn from rows: those whose knots or centres lie evenly between the least and the largest value of their
// column. place_knots() is told these of one column.
bool maps_need_rows(const Schema& draft);
struct ValueRange {
  double least, largest;
};
Result<void> place_knots(Schema& schema, const std::string& column, ValueRange range, const std::string& source);

} // namespace recta::feature
