// Products of chosen columns: out of the Gram of all of them, or gathered in a pass of their own.
#pragma once

#include "design/row_source.hpp"
#include "objective/elastic_net/objective.hpp"
#include "objective/least_squares/quadratic.hpp"

#include <recta/trace.hpp>

#include <memory>

namespace recta {

class Products {
public:
  Products(const ElasticNetObjective& objective, const Gram& gram); // of all columns
  // `chosen` ascend. One pass.
  static Result<Products> gather(const ElasticNetObjective& objective, RowSource& rows, std::vector<Index> chosen,
                                 Pool& pool, const Watch& watch);

  bool extended() const { return quadratic_->extended(); }
  double tolerance() const { return quadratic_->dependence_tolerance(); }
  DoubleDouble product(Index i, Index j) const { return quadratic_->product(place(i), place(j)); } // sum v x_i x_j
  // The products of some of the columns: upper triangle by column. T: double or DoubleDouble.
  template <class T>
  std::vector<T> among(const std::vector<Index>& columns) const;

private:
  Products() = default;
  Index place(Index j) const;

  std::vector<Index> chosen_; // empty: all
  std::unique_ptr<LeastSquaresObjective> plain_;
  std::shared_ptr<const Gram> gathered_;
  std::unique_ptr<Quadratic> quadratic_;
};

} // namespace recta
