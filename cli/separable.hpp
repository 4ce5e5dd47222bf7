// recta check --separable: the verdict, the hyperplane and what proves it.
#pragma once

#include <recta/report.hpp>
#include <recta/separability.hpp>

namespace recta::cli {

// One answer for two classes, or one per class against the rest and one per pair of classes.
struct SeparableAnswers {
  std::vector<Separability> classes, pairs{};
};
report::Document separable_document(const SeparableAnswers& answers);

} // namespace recta::cli
