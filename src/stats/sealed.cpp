#include "stats/sealed.hpp"

#include "base/sha256.hpp"

#include <cstring>

namespace recta {

std::string sealed(std::string bytes) {
  const Sha256::Digest digest = sha256(bytes);
  bytes.append(reinterpret_cast<const char*>(digest.data()), digest.size());
  return bytes;
}

std::optional<std::string_view> unsealed(std::string_view bytes) {
  constexpr std::size_t kDigest = sizeof(Sha256::Digest);
  if (bytes.size() < kDigest) return {};
  const std::string_view body = bytes.substr(0, bytes.size() - kDigest);
  const Sha256::Digest digest = sha256(body);
  if (std::memcmp(digest.data(), bytes.data() + body.size(), kDigest) != 0) return {};
  return body;
}

} // namespace recta
