// Lasso and elastic net from any rows to a model, and from a model and any rows back to its certificate.
#pragma once

#include "driver/procedure.hpp"

namespace recta {

const Procedure& elastic_net_procedure();

} // namespace recta
