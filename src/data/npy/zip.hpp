// The part of the ZIP format that .npz files use: the central directory, stored and deflated members, 64-bit sizes.
// Every offset and length is checked against the bytes there are before it is used.
#pragma once

#include "data/input.hpp"

#include <recta/dataset.hpp>

#include <string>
#include <string_view>
#include <vector>

namespace recta::npy {

struct Member {
  std::string name;
  std::uint16_t flags = 0, method = 0;
  std::uint32_t crc = 0;
  std::uint64_t packed = 0, size = 0; // bytes in the archive, bytes expanded
  std::uint64_t offset = 0;           // of the member's own header
};

Result<std::vector<Member>> list_members(std::string_view archive, const std::string& source);

// The member's bytes: a view into the archive if it is stored, otherwise into `room`.
Result<std::string_view> open_member(std::string_view archive, const Member& member, const std::string& source,
                                     const ReadOptions& options, ByteVector& room);

} // namespace recta::npy
