#include "data/csv/worker.hpp"

#include "base/listening.hpp"
#include "data/csv/rows.hpp"
#include "data/dataset.hpp"

#include <algorithm>

namespace recta::csv {
namespace {

// The levels of all workers in one table: that of the first, with the new ones of the others. `translate`: a worker's
// numbers to those of the table; empty: they are the same.
LevelTable join_levels(std::size_t category, std::span<Worker> workers,
                       std::vector<std::vector<std::int32_t>>& translate) {
  LevelTable all = std::move(workers[0].levels[category]);
  translate.resize(workers.size());
  for (std::size_t w = 1; w < workers.size(); ++w) {
    const LevelTable levels = std::move(workers[w].levels[category]);
    translate[w].reserve(static_cast<std::size_t>(levels.size()));
    for (std::int32_t k = 0; k < levels.size(); ++k) {
      if (k % 4096 == 0) keep_going();
      const std::int32_t known = all.find(levels[k]);
      translate[w].push_back(known == LevelTable::kUnknown ? all.add(levels[k]) : known);
      if (translate[w].back() == LevelTable::kFull) throw std::bad_alloc();
    }
  }
  all.close();
  return all;
}

} // namespace

std::size_t worker_bytes(const Layout& layout) {
  constexpr std::size_t kTable = 320; // of levels, when it has only a few
  const auto categories = std::count(layout.types.begin(), layout.types.end(), ColumnType::category);
  return RowParser::kColumnBytes * layout.types.size() + kTable * static_cast<std::size_t>(categories);
}

std::size_t level_bytes(const Worker& worker, bool alone) {
  const std::size_t level = sizeof(std::string) + (alone ? 2 : 6) * sizeof(std::int32_t);
  std::size_t bytes = 0;
  for (const LevelTable& table : worker.levels) bytes += table.bytes() + level * static_cast<std::size_t>(table.size());
  return bytes;
}

void merge_levels(Column& column, std::size_t category, std::span<Worker> workers, std::span<const WorkedRows> parts) {
  std::vector<std::vector<std::int32_t>> translate;
  const LevelTable all = join_levels(category, workers, translate);
  const std::vector<std::int32_t> order = level_order(all);
  {
    std::vector<std::int32_t> place(order.size());
    for (std::size_t k = 0; k < order.size(); ++k) place[order[k]] = static_cast<std::int32_t>(k);
    for (const WorkedRows& part : parts) {
      keep_going();
      const std::vector<std::int32_t>& known = translate[part.worker];
      for (Index i = part.first_row; i < part.first_row + part.rows; ++i)
        if (std::int32_t& code = column.codes[i]; code >= 0) code = place[known.empty() ? code : known[code]];
    }
    translate = {};
  }
  column.levels.reserve(order.size());
  for (const std::int32_t k : order) column.levels.emplace_back(all[k]);
}

} // namespace recta::csv
