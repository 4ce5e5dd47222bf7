// Any loss with any penalty.
#pragma once

#include "driver/procedure.hpp"

namespace recta::penalised {

std::vector<ModelInfo> words();
Result<void> check(const Request& request);
const Procedure& procedure();

} // namespace recta::penalised
