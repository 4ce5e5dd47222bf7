// The rows of a table as a model's features, for pictures that need more than predictions.
#pragma once

#include "stats/gram/gram.hpp"

#include <recta/model.hpp>

namespace recta::plot {

// Means and products of features and targets over the rows, with twice the digits: features may be powers of a column.
Result<Gram> products(const Model& model, const Dataset& data);

// The distance of a row of `data` from the centre of the training rows: the variance of its fitted value in units of
// sigma^2,
//   1 / W + (x - m)' C^-1 (x - m),  or  x' (C + W m m')^-1 x  without an intercept.
// Features that depend on others are left out, as they are in the fit.
Result<std::vector<double>> variances(const Model& model, const Gram& training, const Dataset& data);

} // namespace recta::plot
