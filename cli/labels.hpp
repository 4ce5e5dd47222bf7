// Numbers that belong to classes: "yes=5,no=1".
#pragma once

#include "command.hpp"

#include <utility>

namespace recta::cli {

using LabelNumbers = std::vector<std::pair<std::string, double>>;

// Commas inside double quotes belong to the label.
Result<LabelNumbers> label_numbers(const std::string& flag, const std::string& text);

} // namespace recta::cli
