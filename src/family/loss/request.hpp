// The request for a regression with a loss of its own: from the user's words to the objective.
#pragma once

#include "driver/first_pass.hpp"
#include "objective/loss/objective.hpp"

namespace recta {

std::vector<ModelInfo> loss_words();
ModelInfo softmax_word();
bool loss_is_penalised(const Params& params);

// From the parameters of a fit or of a finished model; `weight` is the sum of the weights.
Result<LossObjective> loss_objective(const std::string& word, const Params& params, double weight, bool intercept,
                                     bool standardise);

std::string loss_objective_text(const LossObjective& objective, bool offset);

} // namespace recta
