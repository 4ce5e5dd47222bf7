// The layers of a picture by their kind, for tests.
#pragma once

#include <recta/plot.hpp>

#include <variant>
#include <vector>

namespace recta::plot {

template <class L>
std::vector<const L*> layers_of(const Picture& picture) {
  std::vector<const L*> out;
  for (const Layer& layer : picture.layers)
    if (const L* one = std::get_if<L>(&layer)) out.push_back(one);
  return out;
}

} // namespace recta::plot
