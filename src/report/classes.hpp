// The classes of a classifier, and how well it tells them apart.
#pragma once

#include <recta/model.hpp>
#include <recta/reports.hpp>

namespace recta::report {

Sentence classes_of(const Model& model);
// `by_class`: what the body says of each class.
void add_classes(const Model& model, Group by_class, ModelParts& parts);

} // namespace recta::report
