// Models that predict the same value for every row: the baselines that others should beat.
#pragma once

#include "family/first_pass.hpp"

namespace recta {

Result<Model> fit_constant(const Request& request, Schema schema, const Rows& rows, const Clock& clock);
Result<Certificate> verify_constant(const Model& model, const Rows& rows, const Clock& clock);

// The class of most weight, with the shares of the classes as probabilities.
Result<Model> fit_majority(const Request& request, Schema schema, const Rows& rows, const Clock& clock);
Result<Certificate> verify_majority(const Model& model, const Rows& rows, const Clock& clock);

} // namespace recta
