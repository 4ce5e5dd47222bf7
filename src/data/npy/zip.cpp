#include "data/npy/zip.hpp"

#include "base/listening.hpp"
#include "data/dataset.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <limits>
#include <zlib.h>

namespace recta::npy {
namespace {

constexpr std::uint64_t kEndSize = 22, kLocatorSize = 20, kEnd64Size = 56, kEntrySize = 46, kLocalSize = 30;
constexpr std::uint64_t kFree = 1 << 20; // bytes that may come out of any member, whatever its size

// Little-endian numbers at checked places: beyond the end everything reads as 0, and `good` says so.
class Fields {
public:
  explicit Fields(std::string_view bytes) : bytes_(bytes) {}

  std::uint64_t number(std::uint64_t at, unsigned width) {
    if (at > bytes_.size() || bytes_.size() - at < width) {
      good = false;
      return 0;
    }
    std::uint64_t value = 0;
    for (unsigned k = 0; k < width; ++k)
      value |= static_cast<std::uint64_t>(static_cast<unsigned char>(bytes_[at + k])) << (8 * k);
    return value;
  }
  std::uint64_t u16(std::uint64_t at) { return number(at, 2); }
  std::uint64_t u32(std::uint64_t at) { return number(at, 4); }
  std::uint64_t u64(std::uint64_t at) { return number(at, 8); }
  std::string_view text(std::uint64_t at, std::uint64_t size) {
    if (at > bytes_.size() || bytes_.size() - at < size) {
      good = false;
      return {};
    }
    return bytes_.substr(at, size);
  }

  bool good = true;

private:
  std::string_view bytes_;
};

std::unexpected<Error> damaged(const std::string& source, std::string_view what) {
  return fail(ErrorCode::bad_data, source, what, "the archive is cut off or damaged");
}

struct Directory {
  std::uint64_t entries = 0, size = 0, offset = 0;
};

// The record at the end of the archive; it may be followed by a comment of up to 65535 bytes.
Result<Directory> find_directory(std::string_view archive, const std::string& source) {
  if (archive.empty()) return fail(ErrorCode::bad_data, source, "is empty", "give a table with at least one row");
  if (archive.size() < kEndSize) return damaged(source, "it is too short for an archive");
  const std::uint64_t last = archive.size() - kEndSize;
  const std::size_t end = archive.rfind("PK\x05\x06", last);
  if (end == archive.npos || last - end > 65535) return damaged(source, "the archive's directory is missing");
  Fields in(archive);
  Directory directory{in.u16(end + 10), in.u32(end + 12), in.u32(end + 16)};
  if (end >= kLocatorSize && archive.substr(end - kLocatorSize).starts_with("PK\x06\x07")) {
    const std::uint64_t at = in.u64(end - kLocatorSize + 8);
    if (in.text(at, kEnd64Size).substr(0, 4) != "PK\x06\x06") return damaged(source, "its 64-bit directory is missing");
    directory = {in.u64(at + 32), in.u64(at + 40), in.u64(at + 48)};
  }
  if (directory.offset > archive.size() || directory.size > archive.size() - directory.offset ||
      directory.entries > directory.size / kEntrySize)
    return damaged(source, "the archive's directory lies outside the file");
  return directory;
}

// Sizes that do not fit into 32 bits stand in an extra field, in a fixed order, only those that are needed.
bool read_extra(std::string_view extra, Member& member) {
  constexpr std::uint64_t kFull = 0xFFFFFFFF;
  Fields in(extra);
  for (std::uint64_t at = 0; at + 4 <= extra.size();) {
    const std::uint64_t id = in.u16(at), size = in.u16(at + 2);
    Fields field(in.text(at + 4, size));
    if (!in.good) return false;
    if (id == 1) {
      std::uint64_t next = 0;
      for (std::uint64_t* number : {&member.size, &member.packed, &member.offset})
        if (*number == kFull) {
          *number = field.u64(next);
          next += 8;
        }
      return field.good;
    }
    at += 4 + size;
  }
  return true;
}

Result<std::string_view> member_bytes(std::string_view archive, const Member& member, const std::string& source) {
  Fields in(archive);
  if (in.text(member.offset, kLocalSize).substr(0, 4) != "PK\x03\x04")
    return damaged(source, fmt::format("member {} is not where the directory says", shown(member.name)));
  const std::uint64_t data = member.offset + kLocalSize + in.u16(member.offset + 26) + in.u16(member.offset + 28);
  const std::string_view bytes = in.text(data, member.packed);
  if (!in.good) return damaged(source, fmt::format("member {} ends beyond the file", shown(member.name)));
  return bytes;
}

class Inflater {
public:
  Inflater() { good_ = inflateInit2(&stream_, -MAX_WBITS) == Z_OK; }
  ~Inflater() { inflateEnd(&stream_); }
  Inflater(const Inflater&) = delete;
  Inflater& operator=(const Inflater&) = delete;

  // True when the whole of `packed` expands to exactly `out`. In pieces: zlib counts in 32 bits, and someone may want
  // it to stop.
  bool run(std::string_view packed, std::span<char> out) {
    constexpr std::size_t kPiece = 1 << 20;
    const auto whole = static_cast<double>(out.size());
    int status = good_ ? Z_OK : Z_MEM_ERROR;
    while (status == Z_OK) {
      keep_going(1 - static_cast<double>(out.size()) / whole);
      const std::size_t in = std::min(packed.size(), kPiece), room = std::min(out.size(), kPiece);
      stream_.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(packed.data()));
      stream_.avail_in = static_cast<uInt>(in);
      stream_.next_out = reinterpret_cast<Bytef*>(out.data());
      stream_.avail_out = static_cast<uInt>(room);
      status = inflate(&stream_, Z_NO_FLUSH);
      packed.remove_prefix(in - stream_.avail_in);
      out = out.subspan(room - stream_.avail_out);
    }
    return status == Z_STREAM_END && out.empty();
  }

private:
  z_stream stream_{};
  bool good_ = false;
};

std::uint32_t checksum(std::string_view bytes) {
  constexpr std::size_t kPiece = 1 << 24;
  uLong sum = 0;
  for (; !bytes.empty(); bytes.remove_prefix(std::min(bytes.size(), kPiece))) {
    keep_going();
    sum = crc32_z(sum, reinterpret_cast<const Bytef*>(bytes.data()), std::min(bytes.size(), kPiece));
  }
  return static_cast<std::uint32_t>(sum);
}

Result<void> check_size(const Member& member, const std::string& source, const ReadOptions& options) {
  if (static_cast<double>(member.size) > options.max_expansion * static_cast<double>(member.packed) + kFree)
    return fail(ErrorCode::bad_data, source,
                fmt::format("member {} expands more than {} times", shown(member.name), options.max_expansion),
                "raise --max-expansion if you trust the file");
  if (options.max_memory && member.size > options.max_memory)
    return fail(ErrorCode::bad_data, source,
                fmt::format("member {} has {} bytes, more than the limit of {}", shown(member.name), member.size,
                            options.max_memory),
                "raise --max-memory");
  return {};
}

} // namespace

Result<std::vector<Member>> list_members(std::string_view archive, const std::string& source) {
  auto directory = find_directory(archive, source);
  if (!directory) return std::unexpected(directory.error());
  Fields in(archive.substr(directory->offset, directory->size));
  std::vector<Member> members;
  std::uint64_t at = 0;
  for (std::uint64_t k = 0; k < directory->entries; ++k) {
    if (in.text(at, kEntrySize).substr(0, 4) != "PK\x01\x02")
      return damaged(source, fmt::format("entry {} of the archive's directory is unreadable", k + 1));
    Member member;
    member.flags = static_cast<std::uint16_t>(in.u16(at + 8));
    member.method = static_cast<std::uint16_t>(in.u16(at + 10));
    member.crc = static_cast<std::uint32_t>(in.u32(at + 16));
    member.packed = in.u32(at + 20);
    member.size = in.u32(at + 24);
    member.offset = in.u32(at + 42);
    const std::uint64_t name = in.u16(at + 28), extra = in.u16(at + 30), comment = in.u16(at + 32);
    member.name = in.text(at + kEntrySize, name);
    const bool sizes = read_extra(in.text(at + kEntrySize + name, extra), member);
    if (!in.good || !sizes)
      return damaged(source, fmt::format("entry {} of the archive's directory is unreadable", k + 1));
    members.push_back(std::move(member));
    at += kEntrySize + name + extra + comment;
  }
  return members;
}

Result<std::string_view> open_member(std::string_view archive, const Member& member, const std::string& source,
                                     const ReadOptions& options, ByteVector& room) {
  if (member.flags & 1) return fail(ErrorCode::bad_data, source, shown(member.name) + " is encrypted");
  if (member.method != 0 && member.method != 8)
    return fail(ErrorCode::bad_data, source,
                fmt::format("member {} is compressed by method {}", shown(member.name), member.method),
                "write it with numpy.savez or numpy.savez_compressed");
  auto packed = member_bytes(archive, member, source);
  if (!packed) return packed;
  std::string_view bytes = *packed;
  if (member.method == 8) {
    if (auto good = check_size(member, source, options); !good) return std::unexpected(good.error());
    room.resize(member.size);
    if (!Inflater().run(*packed, room)) return damaged(source, shown(member.name) + " cannot be expanded");
    bytes = {room.data(), room.size()};
  }
  if (bytes.size() != member.size || checksum(bytes) != member.crc)
    return damaged(source, fmt::format("the checksum of {} is wrong", shown(member.name)));
  return bytes;
}

} // namespace recta::npy
