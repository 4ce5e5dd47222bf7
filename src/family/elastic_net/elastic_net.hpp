// Lasso and elastic net from any rows to a model, and from a model and any rows back to its certificate.
#pragma once

#include "family/first_pass.hpp"

namespace recta {

Result<Model> fit_elastic_net(const Request& request, Schema schema, const Rows& rows, const Clock& clock);
// fit_elastic_net() after the first pass.
Result<Model> fit_elastic_net(const Request& request, Schema schema, const Rows& rows, FirstPass pass,
                              const Clock& clock);

Result<Certificate> verify_elastic_net(const Model& model, const Rows& rows, const Clock& clock);

} // namespace recta
