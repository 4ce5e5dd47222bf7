// The part of a tree that both kinds have, and that a file keeps.
#include "solver/neighbours/search.hpp"

#include <algorithm>
#include <cmath>

namespace recta::neighbours {

TreeLayout tree_layout(IndexWord index, Index rows) {
  if (index == IndexWord::kd_tree) return {kd_tree_nodes(rows), 3};
  if (index == IndexWord::ball_tree) return {ball_tree_nodes(rows), 4};
  return {};
}

bool same_tree(IndexWord index, const Points& points, const TreeParts& a, const TreeParts& b) {
  return index == IndexWord::kd_tree ? same_kd_tree(points, a, b) : a == b;
}

bool may_be_cuts(IndexWord index, Index cols, std::span<const double> numbers, std::size_t first) {
  if (index == IndexWord::kd_tree)
    for (std::size_t k = (3 - first % 3) % 3; k < numbers.size(); k += 3)
      if (!(numbers[k] >= 0 && numbers[k] < static_cast<double>(cols) && numbers[k] == std::floor(numbers[k])))
        return false;
  return std::ranges::none_of(numbers, [](double x) { return std::isnan(x); });
}

std::unique_ptr<Search> make_tree(IndexWord index, const Metric& metric, const Points& points, TreeParts parts) {
  return index == IndexWord::kd_tree ? make_kd_tree(metric, points, std::move(parts))
                                     : make_ball_tree(metric, points, std::move(parts));
}

} // namespace recta::neighbours
