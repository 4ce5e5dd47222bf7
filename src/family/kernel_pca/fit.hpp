// Kernel principal components: the directions of most variance in the space of the kernel's features.
#pragma once

#include "family/first_pass.hpp"

namespace recta::kernel_pca {

Result<Model> fit(const Request& request, Schema schema, const Rows& rows, const Clock& clock);
Result<Certificate> verify(const Model& model, const Rows& rows, const Clock& clock);

} // namespace recta::kernel_pca
