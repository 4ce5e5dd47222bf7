// The fits of a search: every point on the rows that every split trains on, scored on those it leaves out.
#pragma once

#include "driver/clock.hpp"
#include "search/label_cells.hpp"
#include "search/record.hpp"

namespace recta::search {

struct Task {
  const std::string& word;
  const ModelInfo& model;
  const Dataset& data;
  const FitOptions& options;
  const CrossValidationOptions& how;
  const Splits& splits;
  const LabelCells& labels;
  const Clock& clock;
};

// Fills in the scores of all points, or of those there is time for.
Result<void> run_search(const Task& task, Record& record, CrossValidation& out);

} // namespace recta::search
