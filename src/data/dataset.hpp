// What readers share when they make columns.
#pragma once

#include <recta/dataset.hpp>

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace recta {

// Levels in the order every front end shows them: numbers by value, then text by code point.
bool level_less(std::string_view a, std::string_view b);

// The numbers of distinct levels in that order.
std::vector<std::int32_t> level_order(std::span<const std::string_view> levels);

// Sorts the levels of a category column and renumbers its codes. Levels must be distinct.
void sort_levels(Column& column);

// Offset of the first byte that is not UTF-8, or npos.
std::size_t invalid_utf8(std::string_view text);

// Gives unnamed columns a name (V3) and later namesakes a suffix (x_2); what was changed is said in `notes`.
void finish_names(std::vector<std::string>& names, std::vector<std::string>& notes);

// The text of a value in a message: quoted, shortened, control characters escaped.
std::string shown(std::string_view text);

} // namespace recta
