// Bytes that may be damaged, such as those of a mapped file, and are checked piece by piece when they are first read:
// each piece of 4096 bytes has its SHA-256, and its values may have to be of a certain kind. So the first answer from a
// large file costs the pieces that it needs, and no byte is used that was not checked.
#pragma once

#include <recta/error.hpp>

#include <atomic>
#include <functional>
#include <memory>
#include <string_view>

namespace recta {

class CheckedPieces {
public:
  static constexpr std::size_t kPiece = 4096, kDigest = 32; // bytes

  struct Values {
    std::function<bool(std::string_view piece, std::size_t first_byte)> good; // empty: any values are
    Error otherwise;
  };

  // `digests`: of all pieces, one after another. `owner` keeps both alive.
  CheckedPieces(std::string_view bytes, std::string_view digests, Error damaged, Values values,
                std::shared_ptr<const void> owner);

  static std::size_t count(std::size_t bytes) { return (bytes + kPiece - 1) / kPiece; }
  static std::string digests_of(std::string_view bytes);

  std::string_view unchecked() const { return bytes_; }
  // Checks what was not checked before; throws ErrorThrown if it is damaged. Any number of threads may call this.
  void check(std::size_t first, std::size_t size) const {
    if (all_good_.load(std::memory_order_relaxed) || size == 0) return;
    for (std::size_t piece = first / kPiece; piece <= (first + size - 1) / kPiece; ++piece)
      if (!good_[piece].load(std::memory_order_relaxed)) check_piece(piece);
  }
  void check_all() const;

private:
  void check_piece(std::size_t piece) const;

  std::string_view bytes_, digests_;
  Error damaged_;
  Values values_;
  std::shared_ptr<const void> owner_;
  std::unique_ptr<std::atomic<bool>[]> good_;
  mutable std::atomic<std::size_t> count_good_ = 0;
  mutable std::atomic<bool> all_good_ = false;
};

} // namespace recta
