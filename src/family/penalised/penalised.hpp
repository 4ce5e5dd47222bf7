// Any loss with any penalty.
#pragma once

#include "family/first_pass.hpp"

namespace recta::penalised {

std::vector<ModelInfo> words();
Result<void> check(const Request& request);
Result<Model> fit(const Request& request, Schema schema, const Rows& rows, const Clock& clock);
Result<Certificate> verify(const Model& model, const Rows& rows, const Clock& clock);

} // namespace recta::penalised
