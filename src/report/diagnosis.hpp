// The tests of residuals, which stand beside the model too.
#pragma once

#include <recta/reports.hpp>

namespace recta::report {

std::vector<Section> tests_of(const Diagnosis& diagnosis);

} // namespace recta::report
