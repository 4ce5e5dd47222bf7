// Helpers that readers share when they make columns.
#pragma once

#include "data/level_table.hpp"

#include <recta/dataset.hpp>

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace recta {

// Levels in the order every front end shows them: numbers by value, then text by code point.
bool level_less(std::string_view a, std::string_view b);

// The numbers of distinct levels in that order.
std::vector<std::int32_t> level_order(const LevelTable& levels);

// Sorts the levels of a category column and renumbers its codes. Levels must be distinct.
void sort_levels(Column& column);

// Makes `to` a table of the same columns as `from` that has no rows yet; its memory is kept.
void begin_like(const SparseColumns& from, SparseColumns& to);

// Offset of the first byte that is not UTF-8, or npos.
std::size_t invalid_utf8(std::string_view text);
std::string replaced_utf8(std::string_view text); // with U+FFFD for every such byte

// Gives unnamed columns a name (V3) and later namesakes a suffix (x_2); what was changed is said in `notes`.
void finish_names(std::vector<std::string>& names, std::vector<std::string>& notes);

// An error if the options give a type to a column that none of the names is.
Result<void> check_typed_names(const std::vector<std::string>& names, const ReadOptions& options,
                               const std::string& source);

// The most memory that a table may take, with all that reading it takes: the caller's limit, else what the size of its
// text can justify. A row of a million empty fields is a small file and a large table.
std::uint64_t memory_limit(std::size_t text, const ReadOptions& options);

// Beginning of a note on a column that may hold something other than what it was read as: dates, money, grouped digits.
inline constexpr std::string_view kFindingNote = "look at column ";

inline constexpr std::size_t kColumnBytes = sizeof(Column) + 96; // bytes that a column takes before it has any rows

// The text of a value in a message: quoted, shortened, control characters escaped.
std::string shown(std::string_view text);

} // namespace recta
