// Bytes below 0x80 leave the highest bit of theirs free: adding 0x80 - c to each of eight bytes sets it in those from c
// on, and no carry leaves a byte.
#include "text/ascii_words.hpp"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstring>

namespace recta::text {
namespace {

constexpr std::uint64_t kEachByte = 0x0101010101010101, kHighBits = 0x80 * kEachByte;

// The highest bit of every byte from `first` to `last`.
std::uint64_t between(std::uint64_t bytes, unsigned char first, unsigned char last) {
  return (bytes + (0x80U - first) * kEachByte) & ~(bytes + (0x7FU - last) * kEachByte) & kHighBits;
}

// The highest bits of eight bytes as one byte, that of the first byte lowest: multiplying brings bit 8 i to bit 56 + i.
std::uint64_t gathered_bits(std::uint64_t high_bits) {
  return (high_bits >> 7) * 0x0102040810204080 >> 56;
}

std::uint64_t first_lowest(std::uint64_t bytes) { // the first byte in memory is the lowest
  return std::endian::native == std::endian::big ? std::byteswap(bytes) : bytes;
}

class EightBytes {
public:
  explicit EightBytes(AsciiRule rule) : rule_(rule) {}

  // Folds them, and returns a bit for each that is in a word.
  std::uint64_t take(const char* from, std::size_t count, char* out) {
    std::uint64_t bytes = 0;
    std::memcpy(&bytes, from, count);
    all_ |= bytes;
    bytes = first_lowest(bytes);
    std::uint64_t in_word = between(bytes | 0x20 * kEachByte, 'a', 'z') | between(bytes, '0', '9');
    if (rule_.underscore) in_word |= between(bytes, '_', '_');
    if (rule_.folds) bytes |= between(bytes, 'A', 'Z') >> 2; // 0x80 to 0x20, by which small letters differ
    bytes = first_lowest(bytes);
    std::memcpy(out, &bytes, 8);
    return gathered_bits(in_word);
  }
  bool ascii() const { return (all_ & kHighBits) == 0; }

private:
  AsciiRule rule_;
  std::uint64_t all_ = 0;
};

} // namespace

std::ptrdiff_t find_ascii_words(std::string_view text, AsciiRule rule, char* out, std::size_t* edges) {
  EightBytes eight(rule);
  std::size_t* edge = edges;
  std::uint64_t before = 0; // whether the last byte was in a word
  for (std::size_t at = 0; at < text.size(); at += 64) {
    const std::size_t count = std::min<std::size_t>(64, text.size() - at);
    std::uint64_t in_word = 0;
    std::size_t k = 0;
    for (; k + 8 <= count; k += 8) in_word |= eight.take(text.data() + at + k, 8, out + at + k) << k;
    if (k < count) in_word |= eight.take(text.data() + at + k, count - k, out + at + k) << k;
    if (!eight.ascii()) return -1;
    for (std::uint64_t changes = in_word ^ (in_word << 1 | before); changes != 0; changes &= changes - 1)
      *edge++ = at + static_cast<std::size_t>(std::countr_zero(changes));
    before = in_word >> 63;
  }
  if ((edge - edges) % 2 != 0) *edge++ = text.size();
  return edge - edges;
}

} // namespace recta::text
