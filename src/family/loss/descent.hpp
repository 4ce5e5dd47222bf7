// Gradient descent on a smooth cost other than squares, step by step, as it is taught: logistic and softmax regression,
// Huber's loss at a fixed distance, Poisson and gamma regression, with all rows per step, or one, or a few.
//
//   point <- point - rate * gradient of the printed objective over the step's rows
//
// The point is (w, b); for softmax it is (b_1, w_1, b_2, w_2, ...), one row of W^t after the other.
#pragma once

#include "driver/task_rows.hpp"
#include "objective/loss/objective.hpp"
#include "solver/gradient_descent/descend.hpp"

namespace recta {

// They follow those of the model itself. `bounded`: the curvature of its loss is.
std::vector<ParamInfo> loss_descent_params(const std::string& model, bool bounded);

// `record`: every so many steps; 0: none, and the point is then in the units of the data, even if the descent is on
// standardised columns. `gram`: of the features as they are, or null.
Result<DescentOutcome> descend_loss(const Request& request, const TaskRows& task, const LossObjective& objective,
                                    const Gram* gram, Index record);

Result<Trace> trace_loss(const Request& request, const Schema& schema, const Rows& rows, Index every,
                         const Clock& clock);

} // namespace recta
