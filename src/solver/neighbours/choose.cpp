#include "solver/neighbours/hnsw/hnsw.hpp"
#include "solver/neighbours/search.hpp"

#include <bit>
#include <fmt/format.h>

namespace recta::neighbours {
namespace {

// Trees win in few columns, and the more rows there are the more columns they bear. As measured on independent normal
// columns, where a tree has the least to hold on to: half of log2(rows) against products of matrices, three quarters of
// it against direct differences.
Index columns_for_a_tree(const Metric& metric, Index rows) {
  const auto doublings = static_cast<Index>(std::bit_width(static_cast<std::uint64_t>(rows))) - 1;
  if (rows < 256) return 0;
  return std::holds_alternative<Euclidean>(measure_of(metric)) ? doublings / 2 : 3 * doublings / 4;
}

} // namespace

std::string obstacle(IndexWord index, const Metric& metric) {
  if (index == IndexWord::kd_tree && !has_boxes(metric))
    return fmt::format("no box of a kd-tree bounds the metric {} from below", name(metric.word));
  if (index == IndexWord::ball_tree && !obeys_triangle(metric))
    return fmt::format("the metric {} breaks the triangle inequality, on which a ball tree rests", name(metric.word));
  return {};
}

IndexChoice choose_index(const Metric& metric, Index rows, Index cols, Index queries) {
  const bool boxes = has_boxes(metric);
  if (!boxes && !obeys_triangle(metric)) return {IndexWord::brute, obstacle(IndexWord::ball_tree, metric)};
  const Index most = columns_for_a_tree(metric, rows);
  if (queries > 0 && queries < 16)
    return {IndexWord::brute, fmt::format("{} queries do not pay for building a tree over {} rows", queries, rows)};
  if (cols > most)
    return {IndexWord::brute,
            most == 0
                ? fmt::format("{} rows are compared faster than a tree is built", rows)
                : fmt::format("a tree over {} rows would visit most of its leaves in {} columns: it pays up to {}",
                              rows, cols, most)};
  std::string reason = fmt::format("{} rows in {} columns: a tree visits few of its leaves", rows, cols);
  if (boxes) return {IndexWord::kd_tree, std::move(reason)};
  return {IndexWord::ball_tree, reason + ", and " + obstacle(IndexWord::kd_tree, metric)};
}

std::unique_ptr<Search> make_search(IndexWord index, const Metric& metric, const Points& points, Pool& pool,
                                    const GraphOptions& graph) {
  switch (index) {
  case IndexWord::brute:
    return make_brute(metric, points, pool);
  case IndexWord::kd_tree:
    return make_kd_tree(metric, points, pool);
  case IndexWord::ball_tree:
    return make_ball_tree(metric, points, pool);
  case IndexWord::hnsw:
    return make_hnsw(metric, points, graph, pool);
  }
  return nullptr;
}

} // namespace recta::neighbours
