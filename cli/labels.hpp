// What mistakes cost, class by class.
#pragma once

#include "command.hpp"

namespace recta::cli {

// The costs of --costs: from a table in a file, or the cost of missing each class.
Result<Costs> costs_asked(const Model& model, const Arguments& arguments);

} // namespace recta::cli
