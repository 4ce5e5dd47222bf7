// The passes over the rows that softmax regression's solvers need, one at a time: the loss with its slope, and the
// Hessian's product with a direction, both with the squares of the penalty, about the means of the columns.
#pragma once

#include "solver/softmax/class_vector.hpp"
#include "solver/softmax/softmax.hpp"
#include "stats/softmax/class_hessian.hpp"

#include <optional>

namespace recta {

class SoftmaxLooks {
public:
  SoftmaxLooks(const SoftmaxProblem& problem, RowSource& rows, Pool& pool, const Watch& watch);

  struct Look {
    double loss = 0, value = 0; // value: with the squares of the penalty
    ClassVector gradient = {};
  };
  Result<Look> at(const ClassVector& point);
  Result<ClassVector> curved(const ClassVector& point, const ClassVector& along);
  // Sums of another kind at this point.
  template <class Sums>
  Result<Sums> sums(const ClassVector& point, Index every);
  // The Hessian of the loss over these columns, by class, and the constants.
  Result<ClassHessian> hessian(const ClassVector& point, std::vector<std::vector<Index>> columns, Index every);

  const SoftmaxProblem& problem() const { return problem_; }
  Pool& pool() const { return pool_; }
  Index cols() const { return p_; }
  Index classes() const { return problem_.classes; }
  const std::vector<Index>& used() const { return used_; } // columns that are not constant
  ClassVector zero() const { return {p_, problem_.classes}; }
  std::vector<double> intercepts(const ClassVector& point) const; // of the columns as they are
  Index passes() const { return passes_; }

private:
  std::shared_ptr<SoftmaxPoint> placed(const ClassVector& point) const;
  template <class Sums, class Point>
  Result<Sums> pass(std::shared_ptr<Point> point);
  ClassVector centred(const SoftmaxSums& sums, const ClassVector& point) const;

  const SoftmaxProblem& problem_;
  RowSource& rows_;
  Pool& pool_;
  const Watch& watch_;
  Index p_, passes_ = 0;
  std::vector<double> mean_; // zero without an intercept
  std::vector<Index> used_;
  std::vector<double> shares_;      // P of every row at the last look; empty: too many, or the row count is unknown
  std::optional<ClassVector> kept_; // the point they belong to
};

} // namespace recta
