// Numbers that belong to classes: "yes=5,no=1".
#pragma once

#include "command.hpp"

#include <utility>

namespace recta::cli {

using LabelNumbers = std::vector<std::pair<std::string, double>>;

// Commas inside double quotes belong to the label.
Result<LabelNumbers> label_numbers(const std::string& flag, const std::string& text);

// The costs of --costs: from a table in a file, or the cost of missing each class.
Result<Costs> costs_asked(const Model& model, const Arguments& arguments);

} // namespace recta::cli
