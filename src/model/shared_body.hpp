#pragma once

#include <recta/model.hpp>

namespace recta {

// An error for a model that was never fitted, or was moved from.
Result<void> check_fitted(const Model& model);

} // namespace recta
