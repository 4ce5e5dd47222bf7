#include "base/checked_pieces.hpp"

#include "base/guard.hpp"
#include "base/pool.hpp"
#include "base/sha256.hpp"

#include <algorithm>

namespace recta {
namespace {

std::string_view piece_of(std::string_view bytes, std::size_t piece) {
  return bytes.substr(piece * CheckedPieces::kPiece, CheckedPieces::kPiece);
}

std::string_view as_text(const Sha256::Digest& digest) {
  return {reinterpret_cast<const char*>(digest.data()), digest.size()};
}

} // namespace

CheckedPieces::CheckedPieces(std::string_view bytes, std::string_view digests, Error damaged, Values values,
                             std::shared_ptr<const void> owner)
    : bytes_(bytes), digests_(digests), damaged_(std::move(damaged)), values_(std::move(values)),
      owner_(std::move(owner)), good_(std::make_unique<std::atomic<bool>[]>(count(bytes.size()))) {}

std::string CheckedPieces::digests_of(std::string_view bytes) {
  constexpr std::size_t kPiecesOfATask = 256;
  const std::size_t pieces = count(bytes.size());
  std::string out(pieces * kDigest, '\0');
  Pool pool;
  pool.run(static_cast<Index>((pieces + kPiecesOfATask - 1) / kPiecesOfATask), [&](Index task, int) {
    const std::size_t first = static_cast<std::size_t>(task) * kPiecesOfATask;
    for (std::size_t piece = first; piece < std::min(pieces, first + kPiecesOfATask); ++piece)
      as_text(sha256(piece_of(bytes, piece))).copy(out.data() + piece * kDigest, kDigest);
  });
  return out;
}

// Two threads may check the same piece at once, and find the same. The flag orders nothing: the bytes were there before
// either of them.
void CheckedPieces::check_piece(std::size_t piece) const {
  const std::string_view bytes = piece_of(bytes_, piece);
  if (as_text(sha256(bytes)) != digests_.substr(piece * kDigest, kDigest)) throw ErrorThrown(damaged_);
  if (values_.good && !values_.good(bytes, piece * kPiece)) throw ErrorThrown(values_.otherwise);
  if (good_[piece].exchange(true, std::memory_order_relaxed)) return;
  if (count_good_.fetch_add(1, std::memory_order_relaxed) + 1 == count(bytes_.size()))
    all_good_.store(true, std::memory_order_relaxed);
}

void CheckedPieces::check_all() const {
  check(0, bytes_.size());
}

} // namespace recta
