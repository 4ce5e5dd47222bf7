// A linear body in a model file: its summary in the metadata, its coefficients and figures as tensors.
#pragma once

#include "model_file/field_reader.hpp"

#include <recta/model.hpp>

namespace recta {

Json linear_json(const LinearSummary& linear);
LinearSummary read_linear(FieldReader& in, const ObjectReader& json, std::uint64_t file_size);

} // namespace recta
