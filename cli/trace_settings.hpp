// The three settings in which a perceptron or a delta rule shows what it can do: rows that can be separated, rows that
// cannot, and these at a rate that falls.
#pragma once

#include "terminal.hpp"

#include <recta/reports.hpp>

namespace recta::cli {

// The rows of --beside, those of the trace, and those again at the rate c / (c + t), c = 1000 if omitted. All have the
// same classes.
Result<std::vector<report::Setting>> trace_settings(const std::string& word, const Dataset& data, FitOptions options,
                                                    const Arguments& arguments, const Voice& voice);

} // namespace recta::cli
