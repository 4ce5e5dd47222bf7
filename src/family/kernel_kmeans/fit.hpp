// Clusters by a kernel: rows go to the nearest mean in the space of its features.
#pragma once

#include "family/first_pass.hpp"

namespace recta::kernel_kmeans {

Result<Model> fit(const Request& request, Schema schema, const Rows& rows, const Clock& clock);
Result<Certificate> verify(const Model& model, const Rows& rows, const Clock& clock);

} // namespace recta::kernel_kmeans
