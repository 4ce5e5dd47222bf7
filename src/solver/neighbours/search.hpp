// Search for the nearest rows: an index over points, asked for many queries at once.
//
// Every index but hnsw is exact: it returns the first rows of the order that objective/neighbours/metric.hpp defines,
// bit for bit. Answers depend neither on the number of threads nor on how the queries are batched, those of hnsw
// neither.
#pragma once

#include "base/pool.hpp"
#include "objective/neighbours/metric.hpp"
#include "solver/neighbours/hnsw/options.hpp"

#include <memory>

namespace recta::neighbours {

enum class IndexWord : std::uint8_t { brute, kd_tree, ball_tree, hnsw };

struct IndexChoice {
  IndexWord word = IndexWord::brute;
  std::string reason; // "10 columns are more than ..."
};
// `queries`: how many will be asked, 0 if unknown.
IndexChoice choose_index(const Metric& metric, Index rows, Index cols, Index queries = 0);
// Why an index cannot search by a metric; empty: it can.
std::string obstacle(IndexWord index, const Metric& metric);

// A tree: what it knows of its nodes, and the rows in its order. With these it need not be built again.
struct TreeParts {
  CheckedArray<double> cuts; // of every node (tree_layout)
  CheckedArray<Index> order; // the rows
  CheckedArray<double> rows; // their coordinates
  std::vector<double> box{}; // of a kd-tree: the least and then the largest coordinate of every column
  bool operator==(const TreeParts&) const = default;
};
// How many nodes the tree of so many rows has, and the numbers that it knows of each: of a kd-tree the column of the
// cut and the coordinates at its two sides, of a ball tree the least and largest distance to the centre in the ball and
// in the shell. Those of leaves are 0.
struct TreeLayout {
  Index nodes = 0, numbers = 0; // none: the index is no tree
};
TreeLayout tree_layout(IndexWord index, Index rows);
Index kd_tree_nodes(Index rows);
Index ball_tree_nodes(Index rows);
// Whether both are the tree of these points: the rows of a leaf of a kd-tree may lie in any order, which files of
// earlier versions make use of.
bool same_tree(IndexWord index, const Points& points, const TreeParts& a, const TreeParts& b);
bool same_kd_tree(const Points& points, const TreeParts& a, const TreeParts& b);
// Whether these may be numbers of nodes, from place `first` on: a walk along them stays inside the rows.
bool may_be_cuts(IndexWord index, Index cols, std::span<const double> numbers, std::size_t first);

class Search {
public:
  virtual ~Search() = default;
  virtual const TreeParts* tree() const { return nullptr; } // if it is one
  // Queries lie by row and are mapped as the points were. `self`: for every query the number of a row that is not its
  // neighbour, since it is the query itself; empty: none.
  virtual Neighbourhoods find(const double* queries, Index count, const Wanted& wanted, std::span<const Index> self,
                              Pool& pool) const = 0;
};

// The points must outlive the index; all numbers are finite, and every row takes places.
std::unique_ptr<Search> make_search(IndexWord index, const Metric& metric, const Points& points, Pool& pool,
                                    const GraphOptions& graph = {});
std::unique_ptr<Search> make_brute(const Metric& metric, const Points& points, Pool& pool);
std::unique_ptr<Search> make_kd_tree(const Metric& metric, const Points& points, Pool& pool);
std::unique_ptr<Search> make_ball_tree(const Metric& metric, const Points& points, Pool& pool);
// A tree built before, over the same points.
std::unique_ptr<Search> make_tree(IndexWord index, const Metric& metric, const Points& points, TreeParts parts);
std::unique_ptr<Search> make_kd_tree(const Metric& metric, const Points& points, TreeParts parts);
std::unique_ptr<Search> make_ball_tree(const Metric& metric, const Points& points, TreeParts parts);

} // namespace recta::neighbours
