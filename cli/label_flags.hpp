// Flags of recta fit about rows with several labels, and what they mean to the library.
#pragma once

#include "command.hpp"

namespace recta::cli {

FlagGroup label_flags();
Result<void> label_options(const Arguments& arguments, FitOptions& options);

} // namespace recta::cli
