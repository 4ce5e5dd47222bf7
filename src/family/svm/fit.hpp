#pragma once

#include "family/first_pass.hpp"

namespace recta::svm {

Result<Model> fit_machine(const Request& request, Schema schema, const Rows& rows, const Clock& clock);
Result<Certificate> verify_machine(const Model& model, const Rows& rows, const Clock& clock);

} // namespace recta::svm
