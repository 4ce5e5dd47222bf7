// recta curve over a parameter in the place of the rows.
#pragma once

#include "terminal.hpp"

namespace recta::cli {

std::vector<FlagInfo> over_flags();
bool over_parameter(const Arguments& arguments); // whether they ask for it
Result<void> check_over_flags(const Arguments& arguments);
Result<int> run_curve_over(const Dataset& data, const FitOptions& options, const Arguments& arguments,
                           const Voice& voice);

} // namespace recta::cli
