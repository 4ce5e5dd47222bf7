// SHA-256 (FIPS 180-4), fed piece by piece: the fingerprint of training rows and the checksum of model files.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace recta {

class Sha256 {
public:
  using Digest = std::array<std::uint8_t, 32>;

  void add(const void* bytes, std::size_t count);
  void add(std::string_view bytes) { add(bytes.data(), bytes.size()); }
  Digest finish(); // the object is spent afterwards

private:
  void mix(const std::uint8_t* bytes, std::size_t blocks);

  std::array<std::uint32_t, 8> state_ = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                                         0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
  std::array<std::uint8_t, 64> buffer_{};
  std::size_t filled_ = 0;
  std::uint64_t length_ = 0; // bytes so far
};

Sha256::Digest sha256(std::string_view bytes);
std::string hex(std::span<const std::uint8_t> bytes);

} // namespace recta
