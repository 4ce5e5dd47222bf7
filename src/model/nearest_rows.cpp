// The training rows nearest to the rows of a table or of arrays, for models that remember them.
#include "data/checked_table.hpp"
#include "design/array_source.hpp"
#include "design/compressed.hpp"
#include "feature/mapped_source.hpp"
#include "feature/table_source.hpp"
#include "stats/dense_copy.hpp"

#include <recta/neighbours.hpp>

#include <fmt/format.h>

namespace recta {
namespace {

Result<const RowMemory*> memory_of(const Model& model) {
  const auto* memory = dynamic_cast<const RowMemory*>(model.body.get());
  if (memory) return memory;
  return fail(ErrorCode::usage, model.word, "the model does not remember its training rows",
              "fit knn or knn-regression");
}

Result<void> check_query(const NeighbourQuery& query) {
  if (query.k >= 0 && query.radius >= 0) return {};
  return fail(ErrorCode::usage, "neighbours", fmt::format("k = {} and radius = {}", query.k, query.radius),
              "give a k or a radius that is not negative");
}

Result<NeighbourList> of_source(const RowMemory& memory, RowSource& source, const NeighbourQuery& query, int threads) {
  std::vector<double> rows;
  DenseCopy copy;
  const auto read = for_each_batch(source, [&](const Batch& batch) -> Result<void> {
    copy.take(batch);
    for (Index i = 0; i < batch.rows(); ++i)
      if (!batch.weight.empty() && !(batch.weight[static_cast<std::size_t>(i)] > 0))
        return fail(ErrorCode::bad_data, fmt::format("row {}", batch.first_row + i + 1),
                    "a number is missing, and no distance can be measured", "leave the row out");
    rows.insert(rows.end(), copy.x.begin(), copy.x.end());
    return {};
  });
  if (!read) return std::unexpected(read.error());
  return memory.nearest(rows, query, threads);
}

} // namespace

Result<NeighbourList> nearest_rows(const Model& model, const Dataset& data, const NeighbourQuery& query, int threads) {
  return guarded(data, cure::kFewerRows, [&]() -> Result<NeighbourList> {
    const auto memory = memory_of(model);
    if (!memory) return std::unexpected(memory.error());
    if (auto good = check_query(query); !good) return std::unexpected(good.error());
    auto binding = feature::bind(model.schema, data, feature::Need::features);
    if (!binding) return std::unexpected(binding.error());
    const feature::Encoder encoder(model.schema, *std::move(binding));
    feature::TableSource source(data, encoder);
    return of_source(**memory, source, query, threads);
  });
}

Result<NeighbourList> nearest_rows(const Model& model, const Arrays& rows, const NeighbourQuery& query, int threads) {
  return guarded("arrays", cure::kFewerRows, [&]() -> Result<NeighbourList> {
    const auto memory = memory_of(model);
    if (!memory) return std::unexpected(memory.error());
    if (auto good = check_query(query); !good) return std::unexpected(good.error());
    const bool sparse = rows.sparse.start != nullptr, mapped = !model.schema.maps.empty();
    const Index cols = sparse ? rows.sparse.cols : rows.dense.cols;
    const Index expected = mapped ? static_cast<Index>(model.schema.columns.size()) : (*memory)->remembered_columns();
    if (cols != expected || (mapped && sparse))
      return fail(ErrorCode::bad_data, "arrays", fmt::format("x has {} columns and the model {}", cols, expected),
                  "give the columns of training, in their order, as a dense array");
    if (sparse)
      if (auto good = check_sparse(rows.sparse, "arrays"); !good) return std::unexpected(good.error());
    if (!mapped) return of_source(**memory, *array_source(rows, {}), query, threads);
    auto maps = feature::Maps::make(model.schema);
    if (!maps) return std::unexpected(maps.error());
    feature::MappedSource source(rows.dense, {}, model.schema, *std::move(maps));
    return of_source(**memory, source, query, threads);
  });
}

} // namespace recta
