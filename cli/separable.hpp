// recta check --separable: the verdict, the hyperplane and what proves it.
#pragma once

#include "terminal.hpp"

#include <recta/separability.hpp>

namespace recta::cli {

// One answer for two classes, or one per class against the rest.
std::string separable_text(const std::vector<Separability>& found, const Voice& voice);
std::string separable_json(const std::vector<Separability>& found);

} // namespace recta::cli
