// Fitting nearest-centroid, and proving it again.
#pragma once

#include "family/first_pass.hpp"

namespace recta::nearest_centroid {

Result<Model> fit_centroids(const Request& request, Schema schema, const Rows& rows, const Clock& clock);
Result<Certificate> verify_centroids(const Model& model, const Rows& rows, const Clock& clock);

} // namespace recta::nearest_centroid
