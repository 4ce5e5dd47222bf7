// Sparse rows with far more columns than rows, in coordinates of the space that the rows span. Under a penalty of
// squares the answer lies in that space, and a step there moves n numbers instead of p:
//
//   A = (X - 1 m') U^-1/2,   A A' = L L',   w = U^-1/2 A' L^-T v
//
// Scores are L v, and the penalty sum_j u_j w_j^2 is v'v. The rows of L take the place of the rows: any solver can use
// them. L is made of the products of the rows, whose rounding w shares: a solver goes on from w with the rows
// themselves, where there is next to nothing left to do.
#pragma once

#include "design/view_source.hpp"
#include "solver/gradient_descent/held_rows.hpp"

#include <recta/dataset.hpp>

#include <memory>
#include <optional>
#include <span>
#include <vector>

namespace recta {

class RowCoordinates {
public:
  struct Columns {
    std::span<const double> unit; // u_j; zero: the weight stays zero
    std::span<const double> mean; // m_j
  };
  // Whether so many rows and columns can be worth it at all. If not, there is no need to hold the rows.
  static bool conceivable(std::optional<Index> rows, Index cols);
  // Nothing if the rows are better used as they are. classes: vectors of weights that will be looked for at once.
  static std::optional<RowCoordinates> find(HeldRows& rows, const Columns& columns, Index classes, Pool& pool);

  RowSource& rows() { return *source_; } // those of L, with the target, the weights and the offsets of the rows
  // w for v; both may be several vectors one after the other.
  std::vector<double> weights(std::vector<double> v, Pool& pool) const;

private:
  // A before its columns are centred, by column; the places of a row's numbers among them, by row.
  struct Stored {
    std::vector<std::int64_t> start, row_start{0}, place;
    std::vector<std::int32_t> row, column;
    std::vector<double> value;
  };
  RowCoordinates(HeldRows& rows, const Columns& columns);
  bool pay(Index classes) const;
  bool factor(Pool& pool);
  double multiply_rows(Pool& pool);

  Index n_;
  std::vector<double> root_, mean_; // sqrt(u_j), zero if the weight stays zero, and m_j / sqrt(u_j)
  Stored a_;
  Values l_; // n x n by row, zero above the diagonal
  std::vector<double> y_, weight_, offset_;
  std::unique_ptr<DenseSource> source_;
};

} // namespace recta
