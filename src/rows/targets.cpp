#include "rows/targets.hpp"

#include "base/numbers.hpp"
#include "stats/rows.hpp"

namespace recta {

Result<std::vector<double>> targets_of(const Schema& schema, const Dataset& data) {
  std::vector<double> out(at(data.rows), kNaN);
  const auto table = TableRows::make(schema, data);
  if (!table) return std::unexpected(table.error());
  RowSource& source = (*table)->rows().source;
  const auto scratch = source.scratch();
  while (true) {
    const auto block = source.claim(*scratch);
    if (!block) return std::unexpected(block.error());
    if (!*block) return out;
    const auto batch = source.load(*scratch);
    if (!batch) return std::unexpected(batch.error());
    for (Index i = 0; i < batch->rows(); ++i)
      if (batch->weight.empty() || batch->weight[at(i)] > 0)
        out[at(batch->first_row + i)] = element(batch->target, i, 0);
  }
}

} // namespace recta
