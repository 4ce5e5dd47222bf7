// The parts of a model file that say what its features and classes are made of.
#pragma once

#include "model_file/field_reader.hpp"

#include <recta/model.hpp>

namespace recta {

Schema read_schema(FieldReader& in, const ObjectReader& json);
Classes read_classes(FieldReader& in);
LabelSet read_labels(FieldReader& in);
ClassFit read_class_fit(FieldReader& in);
// Whether the body's scores and features are those of the schema.
void check_scores(FieldReader& in, const Model& model);
void check_features(FieldReader& in, const Model& model);

} // namespace recta
