// The procedure of regressions with a loss of their own.
#pragma once

#include "driver/procedure.hpp"
#include "objective/loss/objective.hpp"

namespace recta {

// An error names the first row whose target the loss has no value for.
Result<void> check_loss_target(const LossObjective& objective, const Schema& schema, const Rows& rows, Pool& pool,
                               const Watch& watch);

const Procedure& loss_procedure();

} // namespace recta
