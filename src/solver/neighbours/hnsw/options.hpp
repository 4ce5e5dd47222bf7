// What can be asked of the graph of an approximate search.
#pragma once

#include <recta/error.hpp>

#include <cstdint>

namespace recta::neighbours {

struct GraphOptions {
  Index links = 16;            // M: of a node per layer, twice as many in layer 0
  Index ef_construction = 200; // nodes kept while the links of a new one are sought
  Index ef_search = 64;        // nodes kept while a query walks
  std::uint64_t seed = 0;      // of the layers and of the order in which nodes are added
  bool operator==(const GraphOptions&) const = default;
};

} // namespace recta::neighbours
