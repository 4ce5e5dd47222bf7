// Nearest rows: of a model that remembers its training rows, and of any rows at all.
#pragma once

#include <recta/estimator.hpp>

#include <functional>
#include <memory>
#include <span>

namespace recta {

// The k nearest rows, of those within the radius; k = 0: all within it.
struct NeighbourQuery {
  double k = 5;
  double radius = std::numeric_limits<double>::infinity();
  bool own_rows = false; // the queries are the remembered rows, and none is its own neighbour
};

// Lists one after another, nearest first; that of query q is [start[q], start[q + 1]). Rows of equal distance are in
// the order of their labels or targets, then of their numbers.
struct NeighbourList {
  std::vector<Index> start, row; // row: its number in the data, from 0
  std::vector<double> distance;
};

// What a body that remembers its training rows can be asked.
class RowMemory {
public:
  virtual ~RowMemory() = default;
  virtual Index remembered_columns() const = 0;
  virtual Result<NeighbourList> nearest(std::span<const double> queries, const NeighbourQuery& query,
                                        int threads) const = 0; // queries by row
};

// The training rows nearest to each row. Refused for models that do not remember their rows.
Result<NeighbourList> nearest_rows(const Model& model, const Dataset& data, const NeighbourQuery& query,
                                   int threads = 0);
Result<NeighbourList> nearest_rows(const Model& model, const Arrays& rows, const NeighbourQuery& query,
                                   int threads = 0);

struct MetricOptions {
  std::string metric = "euclidean"; // a word of `recta models knn`
  double power = 2;                 // minkowski
  std::string index = "auto";       // auto, brute, kd-tree, ball-tree, hnsw
  Params more{};                    // other parameters of that word: links, ef-construction, ef-search
  std::uint64_t seed = 0;           // of hnsw
  // A distance of the caller's own in place of the metric, from any number of threads; all rows are compared with it.
  // It must give a number from zero up; otherwise, or if it throws, the search fails with its text.
  std::function<double(std::span<const double>, std::span<const double>)> distance{};
};
// An index over the rows of an array, without a model. The index copies them. All but hnsw are exact.
Result<std::shared_ptr<const RowMemory>> remember(const MatrixView& x, const MetricOptions& options = {},
                                                  int threads = 0);

// Rows with every missing number (NaN) filled in: by the mean of the nearest donors that have it, over the columns that
// both rows have, or by the mean of its column where none says more; a column without any number is 0. By row.
struct ImputeOptions {
  Index neighbours = 5;
  bool by_distance = false; // each donor by 1 / distance
};
Result<Values> impute(const MatrixView& donors, const MatrixView& rows, const ImputeOptions& options = {},
                      int threads = 0);

} // namespace recta
