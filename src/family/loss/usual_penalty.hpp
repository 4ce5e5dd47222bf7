// The penalty of logistic and softmax regression that nobody spoke of: none, but where columns outnumber rows, or are
// more than can be fitted without one, tau = 1, the same as lambda2 = 1 / sum of weights. Without it a plane nearly
// always separates the classes there, and no coefficients are the best.
#pragma once

#include "driver/first_pass.hpp"

namespace recta {

Request copy_of(const Request& request);
// True: `request` has it now. Rows that are read in passes are counted by the first; before it their number is unknown.
bool take_usual_penalty(Request& request, Index cols, std::optional<Index> rows);
bool has_usual_penalty(const Request& request);
std::string usual_penalty_note(double weight, Index cols, Index rows);

} // namespace recta
