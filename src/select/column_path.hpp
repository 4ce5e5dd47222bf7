// Paths over columns in memory, with folds left out by giving their rows weight zero: no row is copied.
#pragma once

#include "select/elastic_net_path.hpp"

#include <recta/matrix.hpp>

#include <variant>

namespace recta::select {

struct ColumnProblem {
  std::variant<MatrixView, SparseView> x; // sparse: by column
  std::span<const double> y, weight;      // offsets taken off; empty: all one
};

struct HeldOut {
  std::vector<Index> rows;
  std::vector<double> training; // weights of all rows, with these at zero
  double weight = 0;
};
HeldOut hold_out(const ColumnProblem& data, std::span<const std::int32_t> fold_of, Index fold);

std::vector<double> dense_column(const MatrixView& x, Index j, Index rows);
std::vector<double> dense_column(const SparseView& x, Index j, Index rows);

std::unique_ptr<ElasticNetSolver> solver_over(const ColumnProblem& data, std::span<const double> weight, Pool& pool);

// Mean square of y - b - <w, x> over the rows named, by their weights.
double mean_square(const ColumnProblem& data, std::span<const Index> rows, const std::vector<double>& w, double b);

// Like solve_path() of elastic_net_path.hpp. `fold_of`: empty, or one number per row.
SolvedPath solve_path(const ElasticNetPathProblem& problem, const ColumnProblem& data,
                      std::span<const std::int32_t> fold_of, Index folds, Pool& pool, const Watch& watch);

} // namespace recta::select
