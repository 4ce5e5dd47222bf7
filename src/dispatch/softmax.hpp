// fit and verify for softmax regression: several classes, one weight vector each.
#pragma once

#include "dispatch/first_pass.hpp"

namespace recta {

Result<Model> fit_softmax(const Order& order, Schema schema, const Rows& rows, const Clock& clock);
Result<Certificate> verify_softmax(const Model& model, const Rows& rows, const Clock& clock);

} // namespace recta
