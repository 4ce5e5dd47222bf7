#include "text/term_table.hpp"

#include <new>

namespace recta::text {

std::uint32_t TermTable::insert(const TermKey& key) {
  if (2 * (places_.size() + 1) > slots_.size()) grow();
  if (places_.size() >= 0x7FFFFFFF) throw std::bad_alloc(); // numbers of features have 31 bits
  const std::uint32_t number = size();
  slots_[slot(key, key.hash())] = {key.low, key.high, number, static_cast<std::uint32_t>(key.text.size())};
  places_.push_back(bytes_.size());
  bytes_.append(key.text);
  return number;
}

void TermTable::grow() {
  slots_.assign(std::max<std::size_t>(1024, 2 * slots_.size()), {});
  const std::size_t mask = slots_.size() - 1;
  for (std::uint32_t number = 0; number < size(); ++number) {
    const TermKey key((*this)[number]);
    std::size_t at = key.hash() & mask;
    while (slots_[at].number != kNone) at = (at + 1) & mask;
    slots_[at] = {key.low, key.high, number, static_cast<std::uint32_t>(key.text.size())};
  }
}

// The first bytes of a term stand beside its number, so that the terms themselves are rarely looked at.
void sort_by_text(const TermTable& terms, std::vector<std::uint32_t>& numbers) {
  struct Key {
    std::uint64_t first, second;
    std::uint32_t number;
  };
  std::vector<Key> keys;
  keys.reserve(numbers.size());
  const auto in_order = [](std::string_view bytes) {
    std::uint64_t word = 0;
    for (std::size_t i = 0; i < 8; ++i)
      word = word << 8 | (i < bytes.size() ? static_cast<unsigned char>(bytes[i]) : 0);
    return word;
  };
  for (const std::uint32_t number : numbers) {
    const std::string_view term = terms[number];
    keys.push_back({in_order(term), in_order(term.substr(std::min<std::size_t>(8, term.size()))), number});
  }
  std::ranges::sort(keys, [&](const Key& a, const Key& b) {
    if (a.first != b.first) return a.first < b.first;
    if (a.second != b.second) return a.second < b.second;
    return terms[a.number] < terms[b.number];
  });
  std::ranges::transform(keys, numbers.begin(), &Key::number);
}

} // namespace recta::text
