// A perceptron or a delta rule learns from rows of two classes; what it learned is judged elsewhere.
#pragma once

#include "family/threshold_unit/claim.hpp"

namespace recta {

// Every `every`-th change of the weights is recorded; 0: none. The end is that of a fit or, unless `as_fitted`, an
// early one if no end is given.
struct Recorded {
  Index every = 0;
  bool as_fitted = true;
};

Result<Learned> learn(const Request& request, const TwoClasses& two, const Recorded& recorded, Pool& pool,
                      const Clock& clock);

// The steps of a fit, some hundreds of them: it is made once to count them.
Result<Recorded> evenly_recorded(const Request& request, const TwoClasses& two, Pool& pool, const Clock& clock);

// Offsets, columns about their means without an intercept, and rows that can be read once are refused.
Result<void> check_unit(const Request& request, const Schema& schema, const Rows& rows);

} // namespace recta
