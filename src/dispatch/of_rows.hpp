// A fit and a proof of rows that are ready to be read, wherever they come from.
#pragma once

#include "family/first_pass.hpp"

namespace recta {

Result<Model> fit_rows(const Request& request, Schema schema, const Rows& rows, const Clock& clock);
Result<Certificate> verify_rows(const Model& model, const Rows& rows, const Clock& clock);

} // namespace recta
