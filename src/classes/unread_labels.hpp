// Labels of rows for pictures of models that have no target: a column of the data that the model does not read.
#pragma once

#include <recta/model.hpp>

namespace recta {

struct RowLabels {
  std::string column{}; // empty: there is none
  std::vector<std::string> names{};
  std::vector<Index> place{}; // of every row among the names; -1: it has none
};

// The first column that the model does not read and that has at most so many different values.
RowLabels unread_labels(const Model& model, const Dataset& data, Index most);

} // namespace recta
