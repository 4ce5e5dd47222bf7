// What verify() cannot see from a model and one table: the file that the model came from, and rows of a calibration.
#pragma once

#include <recta/estimator.hpp>

namespace recta {

// An error if the file holds anything that is not in the model, which was read from it: a reader lets be what it does
// not know, and verify() judges models.
Result<void> check_file(const std::string& path, const Model& model);

// The proof of a calibrated model whose calibration was learned from other rows than the model was trained on.
Result<Certificate> verify_calibrated(const Model& model, const Dataset& trained_on, const Dataset& calibrated_on,
                                      const Watch& watch = {});

} // namespace recta
