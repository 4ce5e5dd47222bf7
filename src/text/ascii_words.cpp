// Sixteen bytes at a time where every processor of the kind has registers of them, else eight in a number: bytes below
// 0x80 leave the highest bit of theirs free: adding 0x80 - c to each of eight bytes sets it in those from c
// on, and no carry leaves a byte.
#include "text/ascii_words.hpp"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstring>
#if defined(__SSE2__)
#include <emmintrin.h>
#endif

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

class ByteGroups {
public:
  explicit ByteGroups(AsciiRule rule) : rule_(rule) {}

#if defined(__SSE2__)
  static constexpr std::size_t kWide = 16;

  std::uint64_t take_wide(const char* from, char* out) {
    const auto each = [](int value) { return _mm_set1_epi8(static_cast<char>(value)); };
    const auto between = [&](__m128i bytes, int first, int last) { // bytes from 0x80 on are below zero, and in none
      return _mm_and_si128(_mm_cmpgt_epi8(bytes, each(first - 1)), _mm_cmplt_epi8(bytes, each(last + 1)));
    };
    const __m128i bytes = _mm_loadu_si128(reinterpret_cast<const __m128i*>(from));
    if (_mm_movemask_epi8(bytes) != 0) all_ = kHighBits;
    const __m128i small = _mm_or_si128(bytes, each(0x20));
    __m128i in_word = _mm_or_si128(between(small, 'a', 'z'), between(bytes, '0', '9'));
    if (rule_.underscore) in_word = _mm_or_si128(in_word, _mm_cmpeq_epi8(bytes, each('_')));
    const __m128i capital = rule_.folds ? between(bytes, 'A', 'Z') : _mm_setzero_si128();
    _mm_storeu_si128(reinterpret_cast<__m128i*>(out), _mm_or_si128(bytes, _mm_and_si128(capital, each(0x20))));
    return static_cast<std::uint32_t>(_mm_movemask_epi8(in_word));
  }
#else
  static constexpr std::size_t kWide = 8;

  std::uint64_t take_wide(const char* from, char* out) { return take(from, 8, out); }
#endif

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
  ByteGroups groups(rule);
  std::size_t* edge = edges;
  std::uint64_t before = 0; // whether the last byte was in a word
  for (std::size_t at = 0; at < text.size(); at += 64) {
    const std::size_t count = std::min<std::size_t>(64, text.size() - at);
    std::uint64_t in_word = 0;
    std::size_t k = 0;
    for (; k + ByteGroups::kWide <= count; k += ByteGroups::kWide)
      in_word |= groups.take_wide(text.data() + at + k, out + at + k) << k;
    for (; k < count; k += 8)
      in_word |= groups.take(text.data() + at + k, std::min<std::size_t>(8, count - k), out + at + k) << k;
    if (!groups.ascii()) return -1;
    for (std::uint64_t changes = in_word ^ (in_word << 1 | before); changes != 0; changes &= changes - 1)
      *edge++ = at + static_cast<std::size_t>(std::countr_zero(changes));
    before = in_word >> 63;
  }
  if ((edge - edges) % 2 != 0) *edge++ = text.size();
  return edge - edges;
}

} // namespace recta::text
