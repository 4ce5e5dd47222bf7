// The parts of a model in its file: each is a model file of its own.
#pragma once

#include "model_file/field_reader.hpp"

#include <recta/model.hpp>

#include <functional>
#include <span>

namespace recta::combine {

void write_parts(TensorWriter& out, std::span<const Model> parts);
// A part that `fits` does not accept is refused, with `what` it should be.
Result<std::vector<Model>> read_parts(FieldReader& in, const std::function<bool(const Model&, std::size_t)>& fits,
                                      const std::string& what);

} // namespace recta::combine
