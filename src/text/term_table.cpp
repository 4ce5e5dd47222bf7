#include "text/term_table.hpp"

#include <new>

namespace recta::text {

std::uint32_t TermTable::insert(const TermKey& key, std::uint64_t hash) {
  if (2 * (places_.size() + 1) > slots_.size()) grow();
  if (places_.size() >= 0x7FFFFFFF) throw std::bad_alloc(); // numbers of features have 31 bits
  const std::uint32_t number = size();
  slots_[slot(key, hash)] = {key.low, key.high, hash, number, static_cast<std::uint32_t>(key.text.size())};
  places_.push_back(bytes_.size());
  bytes_.append(key.text);
  return number;
}

void TermTable::grow() {
  std::vector<Slot> slots(std::max<std::size_t>(1024, 2 * slots_.size()));
  const std::size_t mask = slots.size() - 1;
  for (const Slot& slot : slots_) {
    if (slot.number == kNone) continue;
    std::size_t at = slot.hash & mask;
    while (slots[at].number != kNone) at = (at + 1) & mask;
    slots[at] = slot;
  }
  slots_.swap(slots);
}

} // namespace recta::text
