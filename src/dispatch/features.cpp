#include "base/guard.hpp"
#include "feature/mapped_source.hpp"
#include "model/score_rows.hpp"
#include "rows/sources.hpp"
#include "stats/rows.hpp"

#include <recta/estimator.hpp>

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace recta {
namespace {

// An error that names the first number that is not finite.
Result<void> check_finite(const Batch& block, const MatrixView& x, const Schema& schema) {
  for (Index i = 0; i < x.rows; ++i)
    for (Index j = 0; j < x.cols; ++j)
      if (const double value = element(x, i, j); !std::isfinite(value))
        return fail(ErrorCode::bad_data,
                    fmt::format("arrays, row {}, column {}", block.first_row + i + 1,
                                feature::feature_names(schema)[static_cast<std::size_t>(j)]),
                    fmt::format("the value is {}", std::isnan(value) ? "missing (NaN)" : "infinite"),
                    "remove the row or correct the value");
  return {};
}

// Writes by row from a block by column, square by square, so that either side stays in the cache. A number that is not
// finite was so already in a column that no map reads.
Result<void> write_rows(const Batch& block, const Schema& schema, double* out) {
  constexpr Index kSquare = 32;
  const auto& x = std::get<MatrixView>(block.x);
  bool finite = true;
  for (Index i0 = 0; i0 < x.rows; i0 += kSquare)
    for (Index j0 = 0; j0 < x.cols; j0 += kSquare)
      for (Index i = i0; i < std::min(x.rows, i0 + kSquare); ++i)
        for (Index j = j0; j < std::min(x.cols, j0 + kSquare); ++j) {
          const double value = out[i * x.cols + j] = element(x, i, j);
          finite = finite && value - value == 0;
        }
  return finite ? Result<void>{} : check_finite(block, x, schema);
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

Result<Schema> learned(const Arrays& rows, const FitOptions& options, Values* features) {
  if (!rows.names.empty() && std::ssize(rows.names) != rows.dense.cols)
    return fail(ErrorCode::bad_data, "arrays",
                fmt::format("{} names were given for {} columns", rows.names.size(), rows.dense.cols),
                "name every column");
  const auto named = array_options(rows, options);
  if (!named) return std::unexpected(named.error());
  return mapped_schema(rows, *named, features);
}

} // namespace

Result<Schema> learn_features(const Arrays& rows, const FitOptions& options) {
  return guarded("arrays", cure::kFewerRows, [&] { return learned(rows, options, nullptr); });
}

Result<LearnedFeatures> learn_and_make_features(const Arrays& rows, const FitOptions& options) {
  return guarded("arrays", cure::kFewerRows, [&]() -> Result<LearnedFeatures> {
    LearnedFeatures out;
    auto schema = learned(rows, options, &out.made);
    if (!schema) return std::unexpected(schema.error());
    out.schema = *std::move(schema);
    if (!out.made.empty()) return out;
    auto made = make_features(out.schema, rows.dense);
    if (!made) return std::unexpected(made.error());
    out.made = *std::move(made);
    return out;
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
