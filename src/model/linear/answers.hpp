// From the scores of classes to probabilities and to classes.
//
// Of two classes, with the score z of the positive one: P = 1 / (1 + e^-z), and the positive class from z = 0 up. Of K
// classes P_k = e^(z_k - m) / sum_l e^(z_l - m), m the largest score. The class is that of the largest probability as
// it is written: so near a tie that both round to 1/2, that of the class not taken is the double below.
#pragma once

#include "base/pool.hpp"

#include <recta/model.hpp>

namespace recta {

// `scores`: rows x targets of the model; NaN where a row has none, and so is its answer.
Values class_answers(const Model& model, Values scores, Answer answer, Pool& pool);

} // namespace recta
