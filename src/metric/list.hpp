// A list of the leaves, as types.
#pragma once

#include "metric/metric.hpp"

namespace recta::neighbours {

template <class... L>
struct List {};

} // namespace recta::neighbours
