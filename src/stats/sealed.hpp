// Bytes that lie in a file or travel, with the SHA-256 of them at their end: a bit that flipped on the way is noticed
// before any of them is believed.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace recta {

std::string sealed(std::string bytes);
// The bytes without their checksum; nothing if it is not theirs.
std::optional<std::string_view> unsealed(std::string_view bytes);

} // namespace recta
