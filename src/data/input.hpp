// The bytes of a file, whole or piece by piece. gzip and zstd are recognised by their first bytes, whatever the name
// says, and expanded within the limits of ReadOptions; "-" is standard input. Files are read and never mapped: another
// program may shorten a file at any time, and access to a mapped page that is gone ends the process.
#pragma once

#include "base/pool.hpp"

#include <recta/dataset.hpp>

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace recta {

using ByteVector = std::vector<char, UnsetAllocator<char>>;

// Bytes that stay where they are until this object ends: its own, or the caller's.
class Bytes {
public:
  Bytes() = default;
  explicit Bytes(ByteVector owned) : owned_(std::move(owned)), view_(owned_.data(), owned_.size()) {}
  static Bytes borrowed(std::string_view view);
  Bytes(Bytes&&) noexcept = default;
  Bytes& operator=(Bytes&&) noexcept = default;

  std::string_view view() const { return view_; }
  // These bytes are not looked at any more: their memory goes back to the system, as far as it is ours and fills pages.
  // Any thread may call this, once per byte.
  void release(std::string_view part) const;

private:
  ByteVector owned_; // a vector that is moved keeps its memory, so the view stays right
  std::string_view view_;
};

class Input {
public:
  // Opens a file or standard input ("-"). The errors name the file and say what is wrong with it.
  static Result<std::unique_ptr<Input>> open(const std::string& path, const ReadOptions& options = {});
  virtual ~Input() = default;

  const std::string& source() const { return source_; } // for messages
  // Fills the buffer. Fewer bytes than asked for, or none: the end was reached.
  virtual Result<std::size_t> read(std::span<char> buffer) = 0;
  // Fills the buffer on several threads if that is faster.
  virtual Result<std::size_t> read_parts(std::span<char> buffer, Pool&) { return read(buffer); }
  virtual std::size_t size() const { return 0; } // bytes in all; 0: not known
  // All bytes from the start (standard input: from where it stands). Refused above max_memory.
  virtual Result<Bytes> read_all();
  virtual Result<void> rewind() = 0;             // refused for standard input
  virtual bool rereads() const { return false; } // whether rewind() costs nothing but reading again

protected:
  Input(std::string source, std::uint64_t max_memory) : source_(std::move(source)), max_memory_(max_memory) {}

  std::string source_;
  std::uint64_t max_memory_; // 0: no limit
};

} // namespace recta
