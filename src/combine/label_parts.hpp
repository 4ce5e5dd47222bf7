// The parts of a model of label sets, fitted to the rows of its labels.
#pragma once

#include "combine/label_rows.hpp"
#include "family/family.hpp"

namespace recta::combine {

// Which labels are constant over these rows, and in which orders the others are chained, as the options say.
Result<LabelPlan> plan_of(const FitOptions& options, const LabelRows& rows);

Result<std::vector<Model>> fit_label_parts(const Request& request, const LabelPlan& plan, const LabelRows& rows,
                                           const Clock& clock);

// The thresholds of the options, one per label: NaN where none is asked for.
Result<std::vector<double>> given_thresholds(const FitOptions& options, const LabelSet& labels);
// Those of the best F1 on the rows held out, by a fit to the others; NaN for a label that either part of the rows has
// throughout or not at all. If several are equally good, the highest. The rows were gathered.
Result<std::vector<double>> chosen_thresholds(const Request& request, const LabelRows& rows, const Clock& clock);

} // namespace recta::combine
