// P(class | row) at the steps of a descent of logistic or softmax regression.
#pragma once

#include "driver/first_pass.hpp"

#include <recta/estimator.hpp>

namespace recta {

Result<Posteriors> posteriors_of(const Trace& trace, const Request& request, const Schema& schema, const Rows& rows,
                                 const Clock& clock);

} // namespace recta
