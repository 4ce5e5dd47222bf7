// Classes that were fitted as their places 0, 1, ... get their names afterwards, as Python's do.
#pragma once

#include <recta/model.hpp>

namespace recta {

// The same model with other labels of its classes, in their order. What else is called by a class follows: scores, and
// what conditions quote. A score that is called otherwise keeps its name, which verify() then refutes.
Model with_class_labels(Model model, std::vector<std::string> labels, ColumnType type);

} // namespace recta
