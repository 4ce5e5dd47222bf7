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

class Search {
public:
  virtual ~Search() = default;
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

} // namespace recta::neighbours
