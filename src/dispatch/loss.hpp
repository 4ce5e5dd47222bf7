// fit and verify for regressions with a loss of their own.
#pragma once

#include "dispatch/first_pass.hpp"

namespace recta {

Result<Model> fit_loss(const Order& order, Schema schema, const Rows& rows, const Clock& clock);
Result<Certificate> verify_loss(const Model& model, const Rows& rows, const Clock& clock);

} // namespace recta
