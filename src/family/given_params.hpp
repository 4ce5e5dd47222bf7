// The parameters of a finished model as they were given: those that differ from their defaults.
#pragma once

#include <recta/params.hpp>

namespace recta {

Params given_params(const ModelInfo& info, const Params& all);

// Whether a part of a model asks for what the whole asks for. A part may leave out what was not given, and has its own
// value of NAME where choose-NAME asks for a choice.
bool are_params_of_part(const ModelInfo& info, const Params& whole, const Params& part);

} // namespace recta
