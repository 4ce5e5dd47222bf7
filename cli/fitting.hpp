// Shared by the commands that fit: their flags, and what these mean to the library.
#pragma once

#include "flags.hpp"

namespace recta::cli {

FlagGroup column_flags();
FlagGroup map_flags();
FlagGroup many_fits_flags(); // those of fitting_flags that mean something when many fits are made
FlagGroup fitting_flags();   // intercept, tolerance, time limit, threads, rows held out
FitOptions row_options(const Arguments& arguments); // columns, maps, intercept, missing values, threads
Result<const ModelInfo*> known_model(const std::string& word);
// Work stops before there is anything to show because of Ctrl-C or the time limit; only the first is an interruption.
Error explained_stop(const Error& error, const Arguments& arguments, const std::string& thing);
Result<FitOptions> fit_options(const ModelInfo& model, const Arguments& arguments);

} // namespace recta::cli
