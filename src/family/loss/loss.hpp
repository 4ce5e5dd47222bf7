// fit and verify for regressions with a loss of their own.
#pragma once

#include "family/first_pass.hpp"
#include "objective/loss/objective.hpp"

namespace recta {

// An error names the first row whose target the loss has no value for.
Result<void> check_loss_target(const LossObjective& objective, const Schema& schema, const Rows& rows, Pool& pool,
                               const Watch& watch);

Result<Model> fit_loss(const Request& request, Schema schema, const Rows& rows, const Clock& clock);
Result<Certificate> verify_loss(const Model& model, const Rows& rows, const Clock& clock);

} // namespace recta
