#include "data/split/class_folds.hpp"

#include "data/split/row_hash.hpp"

#include <recta/split.hpp>

#include <algorithm>
#include <cmath>
#include <map>

namespace recta {

std::vector<std::int32_t> class_folds(const std::vector<double>& label, const std::vector<bool>& used, Folds how) {
  std::map<double, std::vector<std::size_t>> by_class;
  for (std::size_t i = 0; i < label.size(); ++i) {
    if (std::isnan(label[i])) continue;
    std::vector<std::size_t>& rows = by_class[label[i]]; // a class without used rows still has its seed
    if (used.empty() || used[i]) rows.push_back(i);
  }
  std::vector<std::int32_t> out(label.size(), -1);
  const std::uint64_t seed = how.seed;
  std::uint64_t k = 0;
  for (const auto& [name, rows] : by_class) {
    how.seed = seed + k++;
    how.rows = std::ssize(rows);
    const auto dealt = how.assign(0, std::ssize(rows));
    for (std::size_t i = 0; i < rows.size(); ++i) out[rows[i]] = dealt[i];
  }
  return out;
}

std::vector<PlacedRow> learning_order(const std::vector<double>& label, Index folds, std::uint64_t seed) {
  std::map<double, std::vector<Index>> by_class;
  for (const Index row : rows_by_hash(std::ssize(label), seed))
    if (const double y = label[static_cast<std::size_t>(row)]; !std::isnan(y)) by_class[y].push_back(row);
  std::vector<PlacedRow> order;
  for (const auto& [name, rows] : by_class)
    for (std::size_t k = 0; k < rows.size(); ++k)
      order.push_back({.row = rows[k],
                       .fold = std::ssize(order) % folds,
                       .at = (static_cast<double>(k) + 0.5) / static_cast<double>(rows.size())});
  std::ranges::sort(order, {}, [](const PlacedRow& placed) { return std::pair(placed.at, placed.row); });
  return order;
}

} // namespace recta
