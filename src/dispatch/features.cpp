#include "base/guard.hpp"
#include "feature/mapped_source.hpp"
#include "model/score_rows.hpp"
#include "rows/sources.hpp"
#include "stats/rows.hpp"

#include <recta/estimator.hpp>

#include <cmath>
#include <fmt/format.h>

namespace recta {
namespace {

// Writes by row from a block by column. A number that is not finite was so already in a column that no map reads.
Result<void> write_rows(const Batch& block, const Schema& schema, double* out) {
  const auto& x = std::get<MatrixView>(block.x);
  for (Index i = 0; i < x.rows; ++i)
    for (Index j = 0; j < x.cols; ++j) {
      const double value = element(x, i, j);
      if (!std::isfinite(value))
        return fail(ErrorCode::bad_data,
                    fmt::format("arrays, row {}, column {}", block.first_row + i + 1,
                                feature::feature_names(schema)[static_cast<std::size_t>(j)]),
                    fmt::format("the value is {}", std::isnan(value) ? "missing (NaN)" : "infinite"),
                    "remove the row or correct the value");
      *out++ = value;
    }
  return {};
}

Result<Values> all_rows(RowSource& source, const Schema& schema, Index rows) {
  Pool pool;
  Values out(static_cast<std::size_t>(rows * source.cols()));
  const auto write = [&](const Batch& block, double* to) { return write_rows(block, schema, to); };
  const Written written{.out = out.data(), .columns = source.cols()};
  if (auto done = score_rows({source.cols(), write}, source, pool, written); !done)
    return std::unexpected(done.error());
  return out;
}

} // namespace

Result<Schema> learn_features(const Arrays& rows, const FitOptions& options) {
  return guarded("arrays", cure::kFewerRows, [&]() -> Result<Schema> {
    if (!rows.names.empty() && std::ssize(rows.names) != rows.dense.cols)
      return fail(ErrorCode::bad_data, "arrays",
                  fmt::format("{} names were given for {} columns", rows.names.size(), rows.dense.cols),
                  "name every column");
    return mapped_schema(rows, options);
  });
}

Result<Values> make_features(const Schema& schema, const MatrixView& x) {
  return guarded("arrays", cure::kFewerRows, [&]() -> Result<Values> {
    auto maps = feature::Maps::make(schema);
    if (!maps) return std::unexpected(maps.error());
    if (x.cols != std::ssize(schema.columns))
      return fail(ErrorCode::bad_data, "arrays",
                  fmt::format("x has {} columns and the maps read {}", x.cols, schema.columns.size()),
                  "give the columns they were learned from, in their order");
    feature::MappedSource source(x, Outcome{}, schema, *std::move(maps));
    return all_rows(source, schema, x.rows);
  });
}

Result<std::vector<std::string>> columns_read(const std::string& map) {
  auto text = feature::read_map(map);
  if (!text) return std::unexpected(text.error());
  return std::move(text->columns);
}

} // namespace recta
