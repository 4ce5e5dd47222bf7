// Rows copied for a linear machine: dense ones about the mean of every column if the intercept is free, which changes
// nothing but the intercept and keeps the digits of their products; sparse ones as they are. Sums over rows run over
// fixed chunks, which are added in order.
#pragma once

#include "base/numbers.hpp"
#include "base/pool.hpp"

#include <recta/dataset.hpp>
#include <recta/matrix.hpp>

#include <functional>
#include <span>
#include <vector>

namespace recta::svm {

class LinearRows {
public:
  LinearRows(Index cols, bool sparse) : cols_(cols), sparse_(sparse) {}

  Index rows() const { return rows_; }
  Index cols() const { return cols_; }
  Index numbers() const { return sparse_ ? std::ssize(value_) : rows_ * cols_; } // that are stored
  bool sparse() const { return sparse_; }
  const std::vector<double>& centre() const { return centre_; } // empty: none
  double at_centre(std::span<const double> w) const; // <w, centre>: scores of rows as they came are this much larger
  double square(Index i) const { return square_[at(i)]; }
  double longest() const; // no row, as it came, is longer

  void reserve(Index rows);        // memory for so many in all, so that it need not move
  void add_dense(const double* x); // `cols` numbers, finite
  using Write = std::function<void(Index i, double* x)>;
  void take_dense(Index rows, const Write& write, Pool& pool); // all there are, each written by a call of its own
  template <class Each>
  void add_sparse(const Each& each) { // each(f) calls f(column, number)
    double square = 0;
    each([&](Index j, double x) {
      index_.push_back(static_cast<std::int32_t>(j)), value_.push_back(x);
      square += x * x;
    });
    start_.push_back(std::ssize(index_));
    square_.push_back(square);
    ++rows_;
  }
  void move_to_centre(Pool& pool);                         // dense rows, once all are there
  LinearRows in_units(std::span<const double> unit) const; // the numbers of a column divided by its unit
  template <class Use>
  void each(Index i, const Use& use) const { // use(column, number), of sparse rows the stored ones
    if (!sparse_)
      for (Index j = 0; j < cols_; ++j) use(j, dense(i)[j]);
    else
      for (Index s = start_[at(i)]; s < start_[at(i) + 1]; ++s) use(Index{index_[at(s)]}, value_[at(s)]);
  }

  void prefetch(Index i) const; // sparse rows: they are read soon
  double dot(Index i, const double* w) const;
  void add_to(Index i, double by, double* w) const; // w += by x_i
  void write_out(Index i, double* x) const;
  const double* dense(Index i) const { return x_.data() + i * cols_; }

  void scores(std::span<const double> w, std::vector<double>& f, Pool& pool) const; // f = X w
  std::vector<double> combination(std::span<const double> beta, Pool& pool) const;  // X'beta
  // The same of some rows alone, whose scores and coefficients these are.
  void scores(std::span<const Index> rows, std::span<const double> w, std::vector<double>& f, Pool& pool) const;
  std::vector<double> combination(std::span<const Index> rows, std::span<const double> beta, Pool& pool) const;
  // X'turned, where a row of the score <w, x_i> has turn(i, score), in one pass over dense rows; w empty: no scores.
  using Turn = std::function<double(Index i, double score)>;
  std::vector<double> turned_scores(std::span<const double> w, const Turn& turn, Pool& pool) const;
  // w - X'beta, rounded once.
  std::vector<double> lacking(std::span<const double> w, std::span<const double> beta, Pool& pool) const;
  std::vector<double> column_squares(Pool& pool) const; // sum_i x_ij^2
  // Among themselves, by column: those of a row with the ones before it, and with itself.
  void products(std::span<const Index> rows, double* gram, Pool& pool) const;

private:
  MatrixView some(Index first, Index last) const; // dense rows
  void dense_products(std::span<const Index> rows, double* gram, Pool& pool) const;
  template <class Number, class Add>
  std::vector<std::vector<Number>> partial_sums(Pool& pool, const Add& add) const;

  Index cols_ = 0, rows_ = 0;
  bool sparse_ = false;
  Values x_;
  std::vector<double> value_, square_, centre_;
  std::vector<Index> start_{0};
  std::vector<std::int32_t> index_;
};

} // namespace recta::svm
