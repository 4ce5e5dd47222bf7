#include "family/neighbours/tree_file.hpp"

#include "base/numbers.hpp"
#include "model_file/put.hpp"

#include <algorithm>
#include <cmath>

namespace recta::neighbours {

void write_tree(TensorWriter& out, const TreeParts& tree, Index cols) {
  const auto rows = static_cast<Index>(tree.order.size());
  const auto numbers = static_cast<Index>(tree.cuts.size());
  out.add_large("neighbours.tree.cuts", tree.cuts.all(), {numbers});
  out.add_large("neighbours.tree.order", tree.order.all(), {rows});
  out.add_large("neighbours.tree.points", tree.rows.all(), {rows, cols});
  put_vector(out, "neighbours.tree.box", tree.box);
}

std::optional<TreeParts> read_tree(FieldReader& in, IndexWord index, Index rows, Index cols) {
  const TreeLayout layout = tree_layout(index, rows);
  const auto cuts = in.shape("neighbours.tree.cuts");
  if (layout.nodes == 0 || cuts.size() != 1 || cuts[0] != layout.nodes * layout.numbers) return std::nullopt;
  TreeParts out;
  out.cuts = in.large_doubles("neighbours.tree.cuts", {[index, cols](std::span<const double> part, std::size_t first) {
                                                         return may_be_cuts(index, cols, part, first);
                                                       },
                                                       "a node of its tree is cut in no column"});
  out.order = in.large_counts("neighbours.tree.order", rows);
  out.rows = in.large_doubles("neighbours.tree.points",
                              {[](std::span<const double> part, std::size_t) {
                                 return std::ranges::none_of(part, [](double x) { return std::isnan(x); });
                               },
                               "a point of its tree has no place"});
  if (in.has("neighbours.tree.box")) out.box = in.doubles("neighbours.tree.box");
  in.require(out.order.size() == at(rows) && out.rows.size() == at(rows * cols) &&
                 out.box.size() == (index == IndexWord::kd_tree ? at(2 * cols) : 0),
             "its tree does not have one point per row");
  return out;
}

} // namespace recta::neighbours
