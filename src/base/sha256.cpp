#include "base/sha256.hpp"

#include "base/sha256_block.hpp"

#include <algorithm>

namespace recta {

void Sha256::mix(const std::uint8_t* bytes, std::size_t blocks) {
  static const auto step = sha256_block::has_instructions() ? sha256_block::by_instructions : sha256_block::plain;
  step(state_, bytes, blocks);
}

void Sha256::add(const void* data, std::size_t count) {
  const auto* bytes = static_cast<const std::uint8_t*>(data);
  length_ += count;
  if (filled_ > 0) {
    const std::size_t used = std::min(count, buffer_.size() - filled_);
    std::copy_n(bytes, used, buffer_.begin() + static_cast<std::ptrdiff_t>(filled_));
    filled_ += used, bytes += used, count -= used;
    if (filled_ < buffer_.size()) return;
    mix(buffer_.data(), 1);
    filled_ = 0;
  }
  const std::size_t blocks = count / buffer_.size(), used = blocks * buffer_.size();
  mix(bytes, blocks);
  bytes += used, count -= used;
  std::copy_n(bytes, count, buffer_.begin());
  filled_ = count;
}

Sha256::Digest Sha256::finish() {
  const std::uint64_t bits = length_ * 8;
  static constexpr std::array<std::uint8_t, 64> kPadding = {0x80};
  add(kPadding.data(), filled_ < 56 ? 56 - filled_ : 120 - filled_);
  std::array<std::uint8_t, 8> tail{};
  for (std::size_t k = 0; k < 8; ++k) tail[k] = static_cast<std::uint8_t>(bits >> (56 - 8 * k));
  add(tail.data(), tail.size());
  Digest digest{};
  for (std::size_t k = 0; k < 32; ++k) digest[k] = static_cast<std::uint8_t>(state_[k / 4] >> (24 - 8 * (k % 4)));
  return digest;
}

Sha256::Digest sha256(std::string_view bytes) {
  Sha256 hash;
  hash.add(bytes);
  return hash.finish();
}

std::string hex(std::span<const std::uint8_t> bytes) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  std::string out;
  for (std::uint8_t byte : bytes) {
    out += kDigits[byte >> 4];
    out += kDigits[byte & 15];
  }
  return out;
}

} // namespace recta
