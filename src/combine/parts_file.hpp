// The parts of a model in its file: each is a model file of its own.
#pragma once

#include "model_file/field_reader.hpp"

#include <recta/model.hpp>

#include <functional>
#include <span>

namespace recta::combine {

void write_parts(TensorWriter& out, std::span<const Model> parts);
// Part `p` from its bytes. It takes values that training did not see if the whole does.
Result<Model> read_part(std::string_view bytes, std::size_t p, Unseen of_the_whole);
// A part that `fits` does not accept is refused, with `what` it should be.
Result<std::vector<Model>> read_parts(FieldReader& in, Unseen of_the_whole,
                                      const std::function<bool(const Model&, std::size_t)>& fits,
                                      const std::string& what);

} // namespace recta::combine
