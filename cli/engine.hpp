// recta fit --engine spark: the fit is made where the rows are, by recta.spark of Python, and comes back as a model.
#pragma once

#include "command.hpp"

#include <recta/recta.hpp>

namespace recta::cli {

FlagGroup engine_flags();

Result<Model> fit_by_engine(const Arguments& arguments, const FitOptions& options);

} // namespace recta::cli
