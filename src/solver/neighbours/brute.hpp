// Parts of the brute-force search.
#pragma once

#include "solver/neighbours/nearest.hpp"
#include "solver/neighbours/search.hpp"

namespace recta::neighbours {

// Rows [first, last) of the points.
struct RowRange {
  Index first = 0, last = 0;
};

// Compares one block of queries with a range of rows by direct differences.
void compare_directly(const Measure& measure, const Points& points, RowRange rows, const double* queries,
                      std::span<Nearest> nearest);

// Single-precision copies of the rows, about their mean and in units of their largest coordinate, each followed by
// minus half its squared length; a product with a query (b, 1) is then b'a - |a|^2 / 2 = (|b|^2 - |b - a|^2) / 2.
class FloatRows {
public:
  FloatRows(const Points& points, Pool& pool);

  // False if products in single precision would say nothing: too many columns, or numbers beyond its range.
  bool usable() const { return usable_; }
  // Compares a block of queries with a range of rows. Rows that the error bound of the products does not rule out are
  // compared by direct differences.
  void compare(const Measure& measure, const Points& points, RowRange rows, const double* queries,
               std::span<Nearest> nearest, const Wanted& wanted) const;

private:
  struct Query;
  Query mapped(const double* query, float* out) const;

  Index cols_ = 0;
  bool usable_ = false;
  double scale_ = 1;
  std::vector<double> centre_;
  std::vector<float> rows_;     // cols_ + 1 numbers per row
  std::vector<double> longest_; // of every tile of rows: the largest |a|
};

} // namespace recta::neighbours
