// A cross-validation for people and as JSON.
#pragma once

#include "terminal.hpp"

#include <recta/cross_validate.hpp>

namespace recta::cli {

std::string cv_text(const CrossValidation& search, const std::string& source, const Voice& voice);
std::string cv_json(const CrossValidation& search, const std::string& source);

} // namespace recta::cli
