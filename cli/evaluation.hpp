// The figures of a model on rows, as fit says them of those held out and eval of any.
#pragma once

#include <recta/evaluate.hpp>
#include <recta/report.hpp>

namespace recta::cli {

report::Document evaluation_of(const Model& model, const Evaluation& evaluation);

} // namespace recta::cli
