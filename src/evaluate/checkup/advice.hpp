// Advice on the findings of a checkup, in sentences that name the columns and the flags.
#pragma once

#include <recta/evaluate.hpp>

namespace recta::checkup {

std::vector<std::string> advice(const Checkup& checkup, const std::vector<const Column*>& features);
std::vector<std::string> sparse_advice(const std::vector<ColumnCheck>& sparse, const Dataset& data);

} // namespace recta::checkup
