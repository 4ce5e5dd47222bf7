// Shared by the commands that fit: what their flags mean to the library.
#pragma once

#include "flags.hpp"
#include "option_flags.hpp"

namespace recta::cli {

Result<const ModelInfo*> known_model(const std::string& word);
// Work stops before there is anything to show because of Ctrl-C or the time limit; only the first is an interruption.
Error explained_stop(const Error& error, const Arguments& arguments, const std::string& thing);
Result<FitOptions> fit_options(const ModelInfo& model, const Arguments& arguments);

// Flags of calibration; `flag` names the method.
Result<CalibrateOptions> calibrate_options(const Arguments& arguments, const std::string& flag = "method");
// The same beside a fit, which is calibrated if --calibrate is given.
FlagGroup calibration_flags();
Result<void> check_calibration_flags(const Arguments& arguments);
Result<Model> fitted_model(const Arguments& arguments, const Dataset& data, const FitOptions& options,
                           const Watch& watch);

} // namespace recta::cli
