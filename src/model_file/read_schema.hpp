// The parts of a model file that say what its features and classes are made of.
#pragma once

#include "model_file/field_reader.hpp"

#include <recta/model.hpp>

namespace recta {

Schema read_schema(FieldReader& in, const ObjectReader& json);
void read_classes(FieldReader& in, Model& model); // after the targets
void check_features(FieldReader& in, const Model& model);

} // namespace recta
