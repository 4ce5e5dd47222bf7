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

} // namespace recta::text
