// recta check --separable: the verdict, the hyperplane and what proves it.
#pragma once

#include "terminal.hpp"

#include <recta/separability.hpp>

namespace recta::cli {

// One answer for two classes, or one per class against the rest and one per pair of classes.
struct SeparableAnswers {
  std::vector<Separability> classes, pairs{};
};
std::string separable_text(const SeparableAnswers& answers, const Voice& voice);
std::string separable_json(const SeparableAnswers& separable);

} // namespace recta::cli
