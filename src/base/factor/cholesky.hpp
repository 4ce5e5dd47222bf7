// Cholesky factorisation A = R'R of a symmetric, positive semidefinite matrix, in double or in double-double, with
// dependent columns set aside.
//
// Columns are first scaled by powers of two, which is exact, so that the diagonal lies in [1/2, 2): within sqrt(p) of
// the best diagonal scaling (van der Sluis 1969). Columns are then taken in their own order, and a column whose
// remainder after projection on the earlier ones falls to `tolerance` of its diagonal is dependent: it gets no row
// of R, but keeps its column, from which its combination of the earlier ones is read. Taking columns in order names
// the later of two equal columns, as people expect. Cost p^3/3.
#pragma once

#include "base/double_double.hpp"
#include "base/pool.hpp"

#include <type_traits>
#include <vector>

namespace recta {

template <class T>
class Cholesky {
public:
  Cholesky() = default;
  // `a` is size x size by column and only its upper triangle (row <= column) is read. The pool is used above 1000
  // columns; the bits do not depend on its threads.
  Cholesky(std::vector<T> a, Index size, double tolerance, Pool* pool = nullptr);

  // Factors rows X, m x size by column, without forming X'X: it uses Householder reflections, so that the digits lost
  // are those of X and not of its square. `beside` are columns of equal length that undergo the same reflections; the
  // part that belongs to the basic columns is left in their first rank() rows.
  static Cholesky of_rows(std::vector<T> x, Index m, Index size, double tolerance, std::vector<T>& beside);

  Index size() const { return size_; }
  Index rank() const { return static_cast<Index>(basic_.size()); }
  const std::vector<Index>& basic() const { return basic_; } // columns with a row of R, ascending
  bool is_basic(Index column) const { return slot_[column] >= 0; }

  std::vector<T> forward(const std::vector<T>& rhs) const;   // R^-T rhs over the basic columns: rank numbers
  std::vector<T> backward(const std::vector<T>& rows) const; // R^-1: size numbers, 0 where not basic
  std::vector<T> solve(const std::vector<T>& rhs) const { return backward(forward(rhs)); }
  std::vector<T> combination(Index column) const; // of a column set aside: factors of the basic columns, size numbers
  std::vector<T> inverse_diagonal(Pool* pool = nullptr) const; // of A^-1 over the basic columns; 0 elsewhere

  double condition_estimate() const;          // of the scaled A in the 1-norm, by Hager and Higham's estimator
  std::vector<double> rows_in_double() const; // R in the units of A, all columns: rank x size by column
  double column_scale(Index column) const { return scale_[column]; }

private:
  void scale_and_mirror(Pool* pool);
  void restore_upper(const std::vector<T>& diagonal);
  void factor(double tolerance);
  bool factor_fast(double tolerance, Pool* pool);
  bool factor_blocked(double tolerance, Pool* pool)
    requires std::is_same_v<T, double>;

  Index size_ = 0;
  std::vector<T> r_; // size x size by column: rows are those of the basic columns in order
  std::vector<Index> basic_, slot_;
  std::vector<double> scale_; // powers of two: scaled column = scale * column
};

extern template class Cholesky<double>;
extern template class Cholesky<DoubleDouble>;

} // namespace recta
