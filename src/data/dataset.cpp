#include "data/dataset.hpp"

#include "base/listening.hpp"
#include "data/number.hpp"

#include <recta/params.hpp>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <fmt/format.h>
#include <unordered_map>
#include <unordered_set>

namespace recta {

Index Column::rows() const {
  if (type == ColumnType::category) return static_cast<Index>(codes.size());
  return static_cast<Index>(type == ColumnType::text ? levels.size() : values.size());
}

const Column* Dataset::find(std::string_view name) const {
  const auto at =
      std::find_if(columns.begin(), columns.end(), [&](const Column& column) { return column.name == name; });
  return at == columns.end() ? nullptr : &*at;
}

namespace {

std::size_t heap_bytes(const std::string& text) {
  return text.capacity() > std::string().capacity() ? text.capacity() + 1 : 0;
}

struct LevelKey {
  std::string_view text;
  double value;
  bool number;
};

LevelKey level_key(std::string_view text) {
  const Number number = parse_number(text);
  return {text, number.value, number.status == NumberStatus::ok};
}

bool operator<(const LevelKey& a, const LevelKey& b) {
  if (a.number != b.number) return a.number;
  if (a.number && a.value != b.value) return a.value < b.value;
  return a.text < b.text;
}

} // namespace

std::size_t Dataset::bytes() const {
  std::size_t total = sizeof(Dataset) + sparse.start.capacity() * sizeof(Index) +
                      sparse.index.capacity() * sizeof(Index) + sparse.value.capacity() * sizeof(double);
  for (const Column& column : columns) {
    total += sizeof(Column) + heap_bytes(column.name) + column.values.capacity() * sizeof(double) +
             column.codes.capacity() * sizeof(std::int32_t) + column.levels.capacity() * sizeof(std::string);
    for (const std::string& level : column.levels) total += heap_bytes(level);
  }
  return total;
}

bool level_less(std::string_view a, std::string_view b) {
  return level_key(a) < level_key(b);
}

namespace {

// The numbers 0 to count - 1 in the order of their texts. Columns may have millions of levels: texts are sorted as bare
// numbers, and only levels that are numbers get a value beside them.
template <class Text>
std::vector<std::int32_t> order_of(std::size_t count, Text text) {
  struct Key {
    double value;
    std::int32_t level;
  };
  std::vector<Key> numbers;
  std::vector<std::int32_t> order;
  order.reserve(count);
  std::size_t steps = 0;
  const auto step = [&] {
    if (++steps % 4096 == 0) keep_going(); // millions of levels take a while
  };
  for (std::int32_t k = 0; k < static_cast<std::int32_t>(count); ++k) {
    step();
    const LevelKey key = level_key(text(k));
    if (key.number)
      numbers.push_back({key.value, k});
    else
      order.push_back(k);
  }
  std::sort(order.begin(), order.end(), [&](std::int32_t a, std::int32_t b) { return step(), text(a) < text(b); });
  std::sort(numbers.begin(), numbers.end(), [&](const Key& a, const Key& b) {
    step();
    return a.value != b.value ? a.value < b.value : text(a.level) < text(b.level);
  });
  order.resize(count);
  std::move_backward(order.begin(), order.end() - static_cast<std::ptrdiff_t>(numbers.size()), order.end());
  std::transform(numbers.begin(), numbers.end(), order.begin(), [](const Key& key) { return key.level; });
  return order;
}

} // namespace

std::vector<std::int32_t> level_order(const LevelTable& levels) {
  return order_of(static_cast<std::size_t>(levels.size()), [&](std::int32_t k) { return levels[k]; });
}

void sort_levels(Column& column) {
  const std::vector<std::int32_t> order = order_of(column.levels.size(), [&](std::int32_t k) -> std::string_view {
    return column.levels[static_cast<std::size_t>(k)];
  });
  std::vector<std::int32_t> place(order.size());
  std::vector<std::string> sorted(order.size());
  for (std::size_t k = 0; k < order.size(); ++k) place[order[k]] = static_cast<std::int32_t>(k);
  for (std::size_t k = 0; k < order.size(); ++k) sorted[k] = std::move(column.levels[order[k]]);
  column.levels = std::move(sorted);
  for (std::int32_t& code : column.codes)
    if (code >= 0) code = place[code];
}

void begin_like(const SparseColumns& from, SparseColumns& to) {
  to.cols = from.cols;
  to.index_base = from.index_base;
  to.start.clear();
  to.index.clear();
  to.value.clear();
}

std::size_t invalid_utf8(std::string_view text) {
  const auto* bytes = reinterpret_cast<const unsigned char*>(text.data());
  const std::size_t size = text.size();
  for (std::size_t i = 0; i < size;) {
    const unsigned lead = bytes[i];
    if (lead < 0x80) {
      std::uint64_t eight = 0x80; // most text is ASCII: eight bytes of it at a time
      if (i + 8 <= size) std::memcpy(&eight, bytes + i, 8);
      i += (eight & 0x8080808080808080) == 0 ? 8 : 1;
      continue;
    }
    const std::size_t length = lead >= 0xC2 && lead < 0xE0   ? 2
                               : lead >= 0xE0 && lead < 0xF0 ? 3
                               : lead >= 0xF0 && lead < 0xF5 ? 4
                                                             : 0;
    if (length == 0 || i + length > size) return i;
    for (std::size_t k = 1; k < length; ++k)
      if ((bytes[i + k] & 0xC0) != 0x80) return i;
    const unsigned second = bytes[i + 1];
    const bool overlong = (lead == 0xE0 && second < 0xA0) || (lead == 0xF0 && second < 0x90);
    const bool surrogate = lead == 0xED && second >= 0xA0;
    if (overlong || surrogate || (lead == 0xF4 && second >= 0x90)) return i;
    i += length;
  }
  return std::string_view::npos;
}

std::string replaced_utf8(std::string_view text) {
  std::string out;
  for (std::size_t bad = invalid_utf8(text); bad != std::string_view::npos; bad = invalid_utf8(text)) {
    out.append(text.substr(0, bad)).append("\xEF\xBF\xBD");
    text.remove_prefix(bad + 1);
  }
  return out.append(text);
}

Result<void> check_typed_names(const std::vector<std::string>& names, const ReadOptions& options,
                               const std::string& source) {
  if (options.types.empty()) return {};
  const std::unordered_set<std::string_view> known(names.begin(), names.end());
  for (const auto& [name, type] : options.types) {
    if (known.contains(name)) continue;
    const std::string near = nearest(name, names);
    return fail(ErrorCode::usage, source, fmt::format("there is no column {} to give a type to", shown(name)),
                near.empty() ? "" : fmt::format("did you mean {}?", near));
  }
  return {};
}

std::uint64_t memory_limit(std::size_t text, const ReadOptions& options) {
  return options.max_memory ? options.max_memory : 16 * static_cast<std::uint64_t>(text) + (64 << 20);
}

// The names taken are views of the names themselves: the first of equal ones, and those made here.
void finish_names(std::vector<std::string>& names, std::vector<std::string>& notes) {
  std::unordered_set<std::string_view> in_use(names.begin(), names.end());
  std::unordered_map<std::string, Index> copies;
  const auto fresh = [&](const std::string& stem, Index& number) {
    std::string name;
    do name = fmt::format("{}_{}", stem, number++);
    while (in_use.contains(name));
    return name;
  };
  Index renamed = 0;
  for (std::size_t j = 0; j < names.size(); ++j) {
    if (!names[j].empty() && in_use.find(names[j])->data() == names[j].data()) continue;
    const std::string before = std::move(names[j]);
    if (before.empty()) {
      names[j] = fmt::format("x{}", j + 1);
      Index number = 2;
      if (in_use.contains(names[j])) names[j] = fresh(names[j], number);
    } else {
      names[j] = fresh(before, copies.try_emplace(before, 2).first->second);
    }
    in_use.insert(names[j]);
    if (++renamed <= 5)
      notes.push_back(before.empty() ? fmt::format("column {} has no name and is called {}", j + 1, names[j])
                                     : fmt::format("the name {} occurs twice; column {} is called {}", shown(before),
                                                   j + 1, names[j]));
  }
  if (renamed > 5) notes.push_back(fmt::format("{} more columns were given names", renamed - 5));
}

std::string shown(std::string_view text) {
  constexpr std::size_t kMost = 40;
  std::string out = "\"";
  std::size_t cut = std::min(text.size(), kMost);
  while (cut > 0 && cut < text.size() && (static_cast<unsigned char>(text[cut]) & 0xC0) == 0x80) --cut;
  const bool readable = invalid_utf8(text.substr(0, cut)) == std::string_view::npos;
  for (const char c : text.substr(0, cut)) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte < 0x20 || byte == 0x7F || (byte >= 0x80 && !readable))
      out += fmt::format("\\x{:02x}", byte);
    else
      out += c;
  }
  return out + (cut < text.size() ? "...\"" : "\"");
}

} // namespace recta
