// Points of a path of ridge whose penalty is too small for the decomposition that all points share: each is proved in a
// fresh pass over the rows and, if that fails, solved and proved as a fit of its own.
#pragma once

#include "certificate/least_squares/certify.hpp"
#include "driver/first_pass.hpp"
#include "select/ridge_path.hpp"

namespace recta {

class RidgeCheck {
public:
  RidgeCheck(const Request& request, const Rows& rows, Pool& pool, const Clock& clock)
      : request_(request), rows_(rows), pool_(pool), clock_(clock) {}

  // `gram`: of all rows, or none. `done`: as many of the first points stand, all of them unless it was stopped.
  Result<void> check(const select::RidgeDecomposition& whole, const LeastSquaresObjective& objective, const Gram* gram,
                     Path& path, std::size_t& done);

private:
  Result<Checked> certify_point(const PathPoint& point, const LeastSquaresObjective& objective, const Gram* gram,
                                Index passes);
  Result<Checked> solve_again(PathPoint& point, const LeastSquaresObjective& objective, Index passes);

  const Request& request_;
  const Rows& rows_;
  Pool& pool_;
  const Clock& clock_;
};

} // namespace recta
