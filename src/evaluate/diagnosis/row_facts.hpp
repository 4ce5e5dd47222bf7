// Facts that every row brings to a diagnosis: weight, target, residual (from a double-double sum) and leverage; and,
// since rows come by in their order, what the Durbin-Watson test needs of neighbours. One pass; memory of 3 + 2 k
// numbers per row.
//
// Neighbours. With e the weighted residuals, A = D'D for D the matrix of differences, and Q the n x q matrix of rows
// sqrt(v_i) z_i' (orthonormal columns if there is no penalty), d = e'Ae / e'e has under independence
//   mean P / (n - q),  variance 2 (S - P mean) / ((n - q)(n - q + 2)),
//   P = 2 (n - 1) - tr Q'AQ,   S = (6 n - 8) - 2 tr Q'A^2Q + tr (Q'AQ)^2          (Durbin and Watson 1971, section 3)
// gathered here are Q'AQ, the trace of Q'A^2Q over inner rows, and the two rows at either end.
#pragma once

#include "evaluate/diagnosis/whitening.hpp"
#include "stats/residual/residual.hpp"

#include <memory>

namespace recta::diagnosis {

// Consecutive rows of sqrt(v) z, present ones only.
struct Neighbours {
  Index rows = 0, size = 0;
  std::vector<double> first, last; // up to two rows each, in the order of the rows
  std::vector<double> differences; // q x q, lower triangle by column: sum (q_i - q_{i-1})(q_i - q_{i-1})'
  double seconds = 0;              // sum of |2 q_i - q_{i-1} - q_{i+1}|^2 over rows with a neighbour on either side

  void take(const std::vector<double>& q, Index rows, Index size); // into an empty one
  void merge(const Neighbours& other);

private:
  void bridge(const Neighbours& other);
};

struct RowFacts {
  struct Block {
    Index first_row = 0;    // of the rows seen, absent ones included
    std::vector<Index> row; // numbered from 0
    std::vector<double> weight, leverage;
    std::vector<double> target, residual; // k per row
  };
  std::shared_ptr<const Whitening> whitening;
  std::shared_ptr<const Predictor> predictor;
  std::vector<std::shared_ptr<const Block>> blocks; // in the order of the rows
  Neighbours neighbours;

  void accumulate(const Batch& batch);
  void merge(const RowFacts& other);
  std::string to_bytes() const;
  static Result<RowFacts> from_bytes(std::string_view bytes); // without whitening and predictor

  Block together() const;
};

// y - offset - b - <w, x> of rows that gather_rows() made, k per row.
std::vector<double> residuals_of(const Predictor& predictor, const Batch& batch, std::span<const Index> present,
                                 const std::vector<double>& x);

} // namespace recta::diagnosis
