// Group lasso and multi-task lasso from any rows to a model, and from a model and any rows back to its certificate.
#pragma once

#include "driver/procedure.hpp"

namespace recta {

const Procedure& group_norm_procedure();

} // namespace recta
