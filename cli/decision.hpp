// The rule by which a model decides, as threshold chooses it and inspect shows it.
#pragma once

#include <recta/model.hpp>
#include <recta/report.hpp>

namespace recta::cli {

report::Group decision_data(const Model& model);

} // namespace recta::cli
