// recta check --separable: the verdict, the hyperplane and what proves it.
#pragma once

#include "terminal.hpp"

#include <recta/separability.hpp>

namespace recta::cli {

std::string separable_text(const Separability& found, const Voice& voice);
std::string separable_json(const Separability& found);

} // namespace recta::cli
