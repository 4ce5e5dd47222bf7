#include "model/used_rows.hpp"

#include "design/array_source.hpp"
#include "design/compressed.hpp"
#include "feature/mapped_source.hpp"
#include "feature/table_source.hpp"

#include <fmt/format.h>

namespace recta {
namespace {

// Arrays hold the features; if maps make features, arrays hold the columns that the maps read.
Result<void> check_arrays(const Model& model, const Arrays& rows) {
  const bool mapped = !model.schema.maps.empty(), sparse = rows.sparse.start != nullptr;
  const Index cols = sparse ? rows.sparse.cols : rows.dense.cols;
  const Index expected = mapped ? static_cast<Index>(model.schema.columns.size()) : model.body->features();
  if (cols != expected)
    return fail(ErrorCode::bad_data, "arrays",
                fmt::format("x has {} columns and the model {} {}", cols, mapped ? "reads" : "has",
                            mapped ? fmt::format("{}", expected) : fmt::format("{} features", expected)),
                fmt::format("give the {} of training, in their order", mapped ? "columns" : "features"));
  if (model.schema.offset.empty() && rows.offset)
    return fail(ErrorCode::usage, "arrays", "there is an offset, and the model was fitted without one",
                "leave it out, or fit with one");
  if (!model.schema.offset.empty() && !rows.offset)
    return fail(ErrorCode::usage, "arrays", "the model was fitted with an offset, and there is none",
                "give one number per row, or predict from a table that has the offset's column");
  if (!sparse) return {};
  if (mapped)
    return fail(ErrorCode::usage, "arrays", "the model's maps read columns of numbers, and these are sparse",
                "give a dense array or a table");
  return check_sparse(rows.sparse, "arrays");
}

// The columns that maps make features of are read as they are.
Result<void> use_mapped(const Model& model, const MatrixView& x, const Outcome& offset, const UseOfRows& use) {
  auto maps = feature::Maps::make(model.schema);
  if (!maps) return std::unexpected(maps.error());
  for (const SchemaColumn& column : model.schema.columns)
    if (column.indicator || column.type == ColumnType::category)
      return fail(ErrorCode::usage, "arrays", fmt::format("the column {} is not read as it is", column.name),
                  "predict from a table with the columns of training");
  feature::MappedSource source(x, offset, model.schema, *std::move(maps));
  return use({source, x.rows, 0});
}

} // namespace

Result<void> use_rows(const Model& model, const TableView& data, const UseOfRows& use, UnknownTerms* unknown,
                      Reads reads) {
  auto binding = feature::bind(model.schema, data.table(), feature::Need::features);
  if (!binding) return std::unexpected(binding.error());
  std::shared_ptr<const feature::TextRows> texts;
  if ((!data.is_whole() || reads == Reads::again) && !model.schema.texts.empty()) {
    Pool pool;
    auto counted = feature::count_texts(model.schema, data, pool, data.is_whole() ? unknown : nullptr);
    if (!counted) return std::unexpected(counted.error());
    texts = *std::move(counted);
  }
  const feature::Encoder encoder(model.schema, *std::move(binding));
  feature::TableSource source(data, encoder, std::move(texts), unknown);
  return use({source, data.rows(), data.is_whole() ? data.table().first_row : 0});
}

Result<void> use_rows(const Model& model, const Arrays& rows, const UseOfRows& use) {
  const bool sparse = rows.sparse.start != nullptr;
  const Index count = sparse ? rows.sparse.rows : rows.dense.rows;
  if (auto good = check_arrays(model, rows); !good) return good;
  const Outcome offset{.offset = {rows.offset, rows.offset ? static_cast<std::size_t>(count) : 0}};
  if (!model.schema.maps.empty()) return use_mapped(model, rows.dense, offset, use);
  return use({*array_source(rows, offset), count, 0});
}

} // namespace recta
