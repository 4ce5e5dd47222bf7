// The places of the columns of a table, by name. Tables may have a hundred thousand columns, so whoever looks up more
// than a few names asks once for all places.
#pragma once

#include <recta/dataset.hpp>

#include <algorithm>
#include <charconv>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace recta::feature {

// If names are equal, the first counts. The keys are views into `data`, which outlives them.
using ColumnPlaces = std::unordered_map<std::string_view, Index>;

inline ColumnPlaces column_places(const Dataset& data) {
  ColumnPlaces places;
  places.reserve(data.columns.size());
  for (std::size_t j = 0; j < data.columns.size(); ++j) places.emplace(data.columns[j].name, static_cast<Index>(j));
  return places;
}

// Names for a message: the first of very many.
inline std::string listed(const std::vector<std::string>& names) {
  constexpr std::size_t kShown = 20;
  const auto end = names.begin() + static_cast<std::ptrdiff_t>(std::min(names.size(), kShown));
  const std::string more = names.size() > kShown ? fmt::format(" and {} more", names.size() - kShown) : "";
  return fmt::format("{}{}", fmt::join(names.begin(), end, ", "), more);
}

// The place of a sparse column, whose name is its number; -1: there is none of that name among `cols` from `base` on.
inline Index sparse_place(std::string_view name, Index base, Index cols) {
  Index number = 0;
  const auto [end, error] = std::from_chars(name.data(), name.data() + name.size(), number);
  const bool whole = error == std::errc() && end == name.data() + name.size();
  return whole && number >= base && number - base < cols ? number - base : -1;
}

} // namespace recta::feature
