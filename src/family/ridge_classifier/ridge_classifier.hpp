// Classes by least squares on targets of -1 and 1: one for two classes, else one for each class against the rest.
#pragma once

#include "driver/procedure.hpp"

namespace recta {

const Procedure& ridge_classifier_procedure();

} // namespace recta
