// Flags of recta fit about what a fit says and which columns it takes, and what they mean to the library.
#pragma once

#include "command.hpp"

namespace recta::cli {

FlagGroup diagnosis_flags();
Result<void> diagnosis_options(const Arguments& arguments, FitOptions& options);
const char* errors_name(StandardErrors errors);

} // namespace recta::cli
