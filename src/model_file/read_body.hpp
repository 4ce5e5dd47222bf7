// The body of a model that is not linear, read by what wrote it (combine/multiclass.cpp): the family of the model's
// word, or what combines models. `kind`: Body::kind.
#pragma once

#include "model_file/field_reader.hpp"

#include <recta/model.hpp>

namespace recta {

Result<std::shared_ptr<const Body>> read_body_of(const std::string& kind, const std::string& word, FieldReader& in,
                                                 FitSummary summary, const Schema& schema);

} // namespace recta
