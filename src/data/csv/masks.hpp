// 64 bytes at a time: one bit per byte for row ends, quotes and separators. In an unnamed namespace, because files
// compiled for different instruction sets include it.
#pragma once

#include <cstdint>
#include <cstring>
#if defined(__SSE2__)
#include <immintrin.h>
#elif defined(__ARM_NEON)
#include <arm_neon.h>
#endif

namespace recta::csv {
namespace {

struct Masks {
  std::uint64_t ends = 0, quotes = 0, separators = 0;
};

#if defined(__AVX512BW__)
// A character in every byte. The compiler must not know how it was made, or it makes it again for each 64 bytes.
[[gnu::always_inline]] inline __m512i repeated(char c) {
  __m512i bytes = _mm512_set1_epi8(c);
  asm("" : "+v"(bytes));
  return bytes;
}

[[gnu::always_inline]] inline Masks classify(const char* p, char separator) {
  const __m512i v = _mm512_loadu_si512(p);
  const auto equal = [&](char c) { return _mm512_cmpeq_epi8_mask(v, repeated(c)); };
  return {equal('\n') | equal('\r'), equal('"'), equal(separator)};
}
#elif defined(__AVX2__)
[[gnu::always_inline]] inline Masks classify(const char* p, char separator) {
  const __m256i lf = _mm256_set1_epi8('\n'), cr = _mm256_set1_epi8('\r'), qu = _mm256_set1_epi8('"'),
                se = _mm256_set1_epi8(separator);
  Masks masks;
  for (int k = 1; k >= 0; --k) {
    const __m256i v = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(p + 32 * k));
    const auto bits = [](__m256i m) {
      return static_cast<std::uint64_t>(static_cast<std::uint32_t>(_mm256_movemask_epi8(m)));
    };
    masks.ends = masks.ends << 32 | bits(_mm256_or_si256(_mm256_cmpeq_epi8(v, lf), _mm256_cmpeq_epi8(v, cr)));
    masks.quotes = masks.quotes << 32 | bits(_mm256_cmpeq_epi8(v, qu));
    masks.separators = masks.separators << 32 | bits(_mm256_cmpeq_epi8(v, se));
  }
  return masks;
}
#elif defined(__SSE2__)
[[gnu::always_inline]] inline Masks classify(const char* p, char separator) {
  const __m128i lf = _mm_set1_epi8('\n'), cr = _mm_set1_epi8('\r'), qu = _mm_set1_epi8('"'),
                se = _mm_set1_epi8(separator);
  Masks masks;
  for (int k = 3; k >= 0; --k) {
    const __m128i v = _mm_loadu_si128(reinterpret_cast<const __m128i*>(p + 16 * k));
    const auto bits = [](__m128i m) { return static_cast<std::uint64_t>(_mm_movemask_epi8(m)); };
    masks.ends = masks.ends << 16 | bits(_mm_or_si128(_mm_cmpeq_epi8(v, lf), _mm_cmpeq_epi8(v, cr)));
    masks.quotes = masks.quotes << 16 | bits(_mm_cmpeq_epi8(v, qu));
    masks.separators = masks.separators << 16 | bits(_mm_cmpeq_epi8(v, se));
  }
  return masks;
}
#elif defined(__ARM_NEON)
// Keeps one bit of each comparison byte and adds neighbours until 64 bytes have become 8.
[[gnu::always_inline]] inline std::uint64_t pack_bits(uint8x16_t a, uint8x16_t b, uint8x16_t c, uint8x16_t d) {
  const uint8x16_t weights = {1, 2, 4, 8, 16, 32, 64, 128, 1, 2, 4, 8, 16, 32, 64, 128};
  const uint8x16_t ab = vpaddq_u8(vandq_u8(a, weights), vandq_u8(b, weights));
  const uint8x16_t cd = vpaddq_u8(vandq_u8(c, weights), vandq_u8(d, weights));
  const uint8x16_t all = vpaddq_u8(ab, cd);
  return vgetq_lane_u64(vreinterpretq_u64_u8(vpaddq_u8(all, all)), 0);
}

[[gnu::always_inline]] inline Masks classify(const char* p, char separator) {
  const auto* bytes = reinterpret_cast<const std::uint8_t*>(p);
  const uint8x16_t v[4] = {vld1q_u8(bytes), vld1q_u8(bytes + 16), vld1q_u8(bytes + 32), vld1q_u8(bytes + 48)};
  const auto equal = [&](char c) {
    const uint8x16_t w = vdupq_n_u8(static_cast<std::uint8_t>(c));
    return pack_bits(vceqq_u8(v[0], w), vceqq_u8(v[1], w), vceqq_u8(v[2], w), vceqq_u8(v[3], w));
  };
  return {equal('\n') | equal('\r'), equal('"'), equal(separator)};
}
#else
inline Masks classify(const char* p, char separator) {
  Masks masks;
  for (int i = 0; i < 64; ++i) {
    masks.ends |= static_cast<std::uint64_t>(p[i] == '\n' || p[i] == '\r') << i;
    masks.quotes |= static_cast<std::uint64_t>(p[i] == '"') << i;
    masks.separators |= static_cast<std::uint64_t>(p[i] == separator) << i;
  }
  return masks;
}
#endif

// The number of whole blocks of 64 bytes from p on that hold nothing but characters above the quote: no row ends, no
// quotes.
inline std::size_t plain_bytes(const char* p, std::size_t size) {
  using Block = unsigned char __attribute__((vector_size(16)));
  std::size_t done = 0;
  for (; size - done >= 64; done += 64) {
    Block part[4];
    std::memcpy(part, p + done, 64);
    const Block low = (part[0] <= '"') | (part[1] <= '"') | (part[2] <= '"') | (part[3] <= '"');
    std::uint64_t words[2];
    std::memcpy(words, &low, 16);
    if (words[0] | words[1]) break;
  }
  return done;
}

// The masks where fewer than 64 bytes are left.
inline Masks classify_tail(const char* p, std::size_t size, char separator) {
  char copy[64] = {};
  std::memcpy(copy, p, size);
  Masks masks = classify(copy, separator);
  const std::uint64_t valid = (std::uint64_t{1} << size) - 1;
  return {masks.ends & valid, masks.quotes & valid, masks.separators & valid};
}

} // namespace
} // namespace recta::csv
