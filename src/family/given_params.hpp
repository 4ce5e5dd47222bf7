// The parameters of a finished model as they were given: those that differ from their defaults.
#pragma once

#include <recta/params.hpp>

namespace recta {

Params given_params(const ModelInfo& info, const Params& all);

// Whether both ask for the same; a number that was not given is NaN.
bool same_params(const Params& a, const Params& b);

} // namespace recta
