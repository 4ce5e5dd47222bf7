// A diagnosis from a model, the statistics of its training rows and further passes over them.
#pragma once

#include "design/row_source.hpp"
#include "evaluate/diagnosis/whitening.hpp"
#include "stats/residual/residual.hpp"

#include <recta/diagnosis.hpp>

namespace recta::diagnosis {

LeastSquaresObjective objective_of(const LinearSummary& linear);
std::shared_ptr<const Predictor> predictor_of(const LinearSummary& linear);

Result<Diagnosis> study(const Model& model, const Gram& gram, std::shared_ptr<const Whitening> whitening,
                        RowSource& rows, Pool& pool, const Watch& watch);

} // namespace recta::diagnosis
