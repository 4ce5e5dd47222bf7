// Classes by least squares on targets of -1 and 1: one for two classes, else one for each class against the rest.
#pragma once

#include "family/first_pass.hpp"

namespace recta {

Result<Model> fit_ridge_classifier(const Request& request, Schema schema, const Rows& rows, const Clock& clock);
Result<Certificate> verify_ridge_classifier(const Model& model, const Rows& rows, const Clock& clock);

} // namespace recta
