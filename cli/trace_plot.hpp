// Pictures of recta trace: the cost, step by step; the paths of solvers over its contours; training curves.
#pragma once

#include <recta/reports.hpp>

namespace recta::cli {

FlagGroup trace_plot_flags();

Result<void> check_trace_plot(const Arguments& arguments);

// One picture, or several to be set side by side: for more than two classes one per class, against the rest.
Result<std::vector<plot::Picture>> trace_pictures(const std::vector<TrainingCurve>& curves, const Dataset& data,
                                                  const FitOptions& options, const Arguments& arguments);
// Side by side; for more than two classes, each class has a row of pictures.
Result<std::vector<plot::Picture>> setting_pictures(const std::vector<report::Setting>& settings);
Result<std::vector<plot::Picture>> curve_pictures(const std::vector<TrainingCurve>& curves);

} // namespace recta::cli
