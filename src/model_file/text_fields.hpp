// The texts of a schema in a model file: settings as JSON, terms and frequencies as tensors.
#pragma once

#include "model_file/field_reader.hpp"

#include <recta/model.hpp>

namespace recta {

void put_texts(TensorWriter& out, const Schema& schema); // only if there are any
Json texts_json(const Schema& schema);
void read_texts(FieldReader& in, const ObjectReader& json, Schema& schema);

} // namespace recta
