// Fits and proofs of nearest neighbours.
#pragma once

#include "family/first_pass.hpp"

namespace recta::neighbours {

Result<Model> fit(const Request& request, Schema schema, const Rows& rows, const Clock& clock);
Result<Certificate> verify(const Model& model, const Rows& rows, const Clock& clock);

} // namespace recta::neighbours
