#include "base/guard.hpp"
#include "design/array_source.hpp"
#include "design/compressed.hpp"
#include "stats/moments/moments.hpp"
#include "stats/reduce.hpp"

#include <recta/moments.hpp>

namespace recta {
namespace {

std::unique_ptr<RowSource> features_of(const Arrays& arrays) {
  const bool sparse = arrays.sparse.start != nullptr;
  const auto n = static_cast<std::size_t>(sparse ? arrays.sparse.rows : arrays.dense.rows);
  const Outcome outcome{.target = {}, .weight = {arrays.weights, arrays.weights ? n : 0}, .offset = {}};
  return array_source(arrays, outcome);
}

ColumnSummary summary_of(const ColumnMoments& column) {
  return {.count = column.count,
          .missing = column.missing,
          .infinite = column.infinite,
          .weight = column.weight.hi,
          .mean = column.mean.hi,
          .variance = column.variance(),
          .least = column.least,
          .largest = column.largest};
}

} // namespace

Result<std::vector<ColumnSummary>> column_moments(const Arrays& rows, int threads) {
  return guarded("arrays", cure::kFewerRows, [&]() -> Result<std::vector<ColumnSummary>> {
    if (rows.sparse.start)
      if (auto good = check_sparse(rows.sparse, "arrays"); !good) return std::unexpected(good.error());
    const auto source = features_of(rows);
    Pool pool(threads);
    auto moments = reduce(*source, Moments(source->cols(), 0), pool, {}, {.stage = "reading rows"});
    if (!moments) return std::unexpected(moments.error());
    std::vector<ColumnSummary> all;
    for (const ColumnMoments& column : moments->total(&pool).columns) all.push_back(summary_of(column));
    return all;
  });
}

} // namespace recta
