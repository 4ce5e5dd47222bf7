// A regression with an intercept, on rows about a point m near their means (stats/shifted_rows) if columns are so far
// from zero that sums over them would lose digits; otherwise on the rows as they are.
#pragma once

#include "solver/newton/newton.hpp"
#include "stats/shifted_rows.hpp"

namespace recta {

class AboutMeans {
public:
  AboutMeans(const NewtonProblem& problem, RowSource& rows);

  const NewtonProblem& problem() const { return problem_; } // its start about m
  RowSource& rows() { return shifted_ ? static_cast<RowSource&>(*shifted_) : rows_; }
  void put_back(NewtonSolution& solution) const; // into the units of the data

private:
  NewtonProblem problem_;
  RowSource& rows_;
  std::vector<double> shift_;
  std::optional<ShiftedRows> shifted_;
};

} // namespace recta
