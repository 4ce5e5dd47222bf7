// The parameters of a finished model as they were given: those that differ from their defaults.
#pragma once

#include <recta/model.hpp>

#include <optional>

namespace recta {

Params given_params(const ModelInfo& info, const Params& all);

// Whether a part of a model asks for what the whole asks for. A part may leave out what was not given, and has its own
// value of NAME where choose-NAME asks for a choice.
bool are_params_of_part(const ModelInfo& info, const Params& whole, const Params& part);

// The model with every parameter of its word: one that its file leaves out has its default. A copy in `room` if any is
// left out.
const Model& with_all_params(const Model& model, std::optional<Model>& room);

} // namespace recta
