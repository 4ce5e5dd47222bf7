// Where the columns of a table stand, by name. Tables may have a hundred thousand columns, so whoever looks up more
// than a few names asks once for all places.
#pragma once

#include <recta/dataset.hpp>

#include <string_view>
#include <unordered_map>

namespace recta::feature {

// Of equal names the first. Views into `data`, which outlives them.
using ColumnPlaces = std::unordered_map<std::string_view, Index>;

inline ColumnPlaces column_places(const Dataset& data) {
  ColumnPlaces places;
  places.reserve(data.columns.size());
  for (std::size_t j = 0; j < data.columns.size(); ++j) places.emplace(data.columns[j].name, static_cast<Index>(j));
  return places;
}

} // namespace recta::feature
