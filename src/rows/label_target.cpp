#include "rows/label_target.hpp"

#include "stats/rows.hpp"

#include <fmt/format.h>

namespace recta {

Result<void> check_members(const Arrays& arrays) {
  for (Index i = 0; i < arrays.y.rows && arrays.y.data; ++i)
    for (Index k = 0; k < arrays.y.cols; ++k)
      if (const double y = element(arrays.y, i, k); y != 0 && y != 1)
        return fail(ErrorCode::bad_data, fmt::format("arrays, row {}, label {}", i + 1, k + 1),
                    fmt::format("y is {}", y), "give 1 for rows that have the label and 0 for the others");
  return {};
}

Result<Schema> label_schema(const Arrays& arrays, const FitOptions& options) {
  if (!options.label_set.empty())
    return fail(ErrorCode::usage, "arrays", "the labels of arrays are columns of 0 and 1",
                "name them by label_columns");
  if (std::ssize(options.label_columns) != arrays.y.cols)
    return fail(ErrorCode::bad_data, "arrays",
                fmt::format("y has {} columns, and {} labels are named", arrays.y.cols, options.label_columns.size()),
                "name one label per column");
  auto schema = checked_schema(arrays, options);
  if (!schema) return schema;
  if (auto good = check_members(arrays); !good) return std::unexpected(good.error());
  schema->labels.names = schema->targets = options.label_columns;
  return schema;
}

} // namespace recta
