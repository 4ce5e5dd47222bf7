// Finds the first number below zero, for models that take none, and names its row and column.
#pragma once

#include "stats/row_check.hpp"

namespace recta {

// `who`: what takes no such number, "the kernel chi2".
Result<void> check_from_zero_up(const Batch& batch, const std::string& who, const Places& places = {});

} // namespace recta
