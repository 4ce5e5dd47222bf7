// Models that predict the same value for every row: the baselines that others should beat.
#pragma once

#include "driver/procedure.hpp"

namespace recta {

const Procedure& constant_procedure();
// The class of most weight, with the shares of the classes as probabilities.
const Procedure& majority_procedure();

} // namespace recta
