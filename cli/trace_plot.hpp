// Pictures of recta trace: the cost, step by step; the ways of solvers over its contours; training curves.
#pragma once

#include "terminal.hpp"

#include <recta/curve.hpp>

namespace recta::cli {

FlagGroup trace_plot_flags();

bool learns(const std::string& word); // a perceptron or a delta rule, which have training curves

Result<void> check_trace_plot(const Arguments& arguments);

// One picture, or those to be set side by side: of more than two classes one each, against the rest.
Result<std::vector<plot::Picture>> trace_pictures(const std::vector<TrainingCurve>& found, const Dataset& data,
                                                  const FitOptions& options, const Arguments& arguments,
                                                  const Voice& voice);
Result<std::vector<plot::Picture>> curve_pictures(const std::vector<TrainingCurve>& curves);

} // namespace recta::cli
