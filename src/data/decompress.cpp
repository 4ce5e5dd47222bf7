// gzip and zstd. Both count what goes in and what comes out, so that a small file that expands without end is refused
// while it is being read, whatever it says about its size.
#include "data/decompress.hpp"

#include "base/listening.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <zlib.h>
#include <zstd.h>
#include <zstd_errors.h>

namespace recta {
namespace {

constexpr std::size_t kPiece = 1 << 16;
constexpr std::size_t kStep = 1 << 20; // bytes expanded between two questions whether to go on
constexpr double kFree = 1 << 20;      // bytes that are never too many

class Expander : public Input {
public:
  Expander(std::unique_ptr<Input> packed, const ReadOptions& options)
      : Input(packed->source(), options.max_memory), packed_(std::move(packed)), max_expansion_(options.max_expansion),
        piece_(kPiece) {}

  Result<std::size_t> read(std::span<char> buffer) override {
    std::size_t size = 0;
    while (size < buffer.size() && !ended_) {
      if (next_ == piece_end_ && !input_ended_)
        if (auto more = refill(); !more) return std::unexpected(more.error());
      keep_going();
      auto count = expand(buffer.subspan(size, std::min(buffer.size() - size, kStep)));
      if (!count) return count;
      size += *count;
      bytes_out_ += *count;
      if (static_cast<double>(bytes_out_) > max_expansion_ * static_cast<double>(bytes_in_) + kFree)
        return fail(ErrorCode::bad_data, source_, fmt::format("expands more than {} times", max_expansion_),
                    "raise --max-expansion if you trust the file");
    }
    return size;
  }

  bool rereads() const override { return packed_->rereads(); }
  Result<void> rewind() override {
    if (auto done = packed_->rewind(); !done) return done;
    next_ = piece_end_ = 0;
    bytes_in_ = bytes_out_ = 0;
    input_ended_ = ended_ = false;
    restart();
    return {};
  }

protected:
  virtual Result<std::size_t> expand(std::span<char> buffer) = 0; // sets ended_ at the end of the last member
  virtual void restart() = 0;

  std::unexpected<Error> corrupt(std::string_view why) const {
    return fail(ErrorCode::bad_data, source_, fmt::format("the compressed data are damaged: {}", why),
                "get the file again");
  }
  std::unexpected<Error> truncated() const {
    return fail(ErrorCode::bad_data, source_, "the compressed data end too early", "get the file again");
  }

  std::unique_ptr<Input> packed_;
  double max_expansion_;
  ByteVector piece_;
  std::size_t next_ = 0, piece_end_ = 0;
  bool input_ended_ = false, ended_ = false;
  std::uint64_t bytes_in_ = 0, bytes_out_ = 0;

private:
  Result<void> refill() {
    auto count = packed_->read(piece_);
    if (!count) return std::unexpected(count.error());
    next_ = 0;
    piece_end_ = *count;
    bytes_in_ += *count;
    input_ended_ = *count < piece_.size();
    return {};
  }
};

class GzipInput final : public Expander {
public:
  GzipInput(std::unique_ptr<Input> packed, const ReadOptions& options) : Expander(std::move(packed), options) {
    if (inflateInit2(&stream_, 15 + 16) != Z_OK) throw std::bad_alloc();
  }
  ~GzipInput() override { inflateEnd(&stream_); }

private:
  Result<std::size_t> expand(std::span<char> buffer) override {
    const bool dry = next_ == piece_end_ && input_ended_;
    if (dry && between_) {
      ended_ = true;
      return 0;
    }
    const std::size_t room = buffer.size();
    stream_.next_in = reinterpret_cast<Bytef*>(piece_.data() + next_);
    stream_.avail_in = static_cast<uInt>(piece_end_ - next_);
    stream_.next_out = reinterpret_cast<Bytef*>(buffer.data());
    stream_.avail_out = static_cast<uInt>(room);
    const int status = inflate(&stream_, Z_NO_FLUSH);
    next_ = piece_end_ - stream_.avail_in;
    if (status == Z_MEM_ERROR) throw std::bad_alloc();
    if (status != Z_OK && status != Z_STREAM_END && status != Z_BUF_ERROR)
      return corrupt(stream_.msg ? stream_.msg : "not in gzip format");
    const std::size_t count = room - stream_.avail_out;
    if (dry && count == 0 && status != Z_STREAM_END) return truncated();
    between_ = status == Z_STREAM_END;
    if (between_) inflateReset(&stream_); // another member may follow
    return count;
  }

  void restart() override {
    inflateReset(&stream_);
    between_ = false;
  }

  z_stream stream_{};
  bool between_ = false; // a member has just ended
};

class ZstdInput final : public Expander {
public:
  ZstdInput(std::unique_ptr<Input> packed, const ReadOptions& options)
      : Expander(std::move(packed), options), context_(ZSTD_createDCtx()) {
    if (!context_) throw std::bad_alloc();
  }
  ~ZstdInput() override { ZSTD_freeDCtx(context_); }

private:
  Result<std::size_t> expand(std::span<char> buffer) override {
    ZSTD_inBuffer in{piece_.data(), piece_end_, next_};
    ZSTD_outBuffer out{buffer.data(), buffer.size(), 0};
    const bool dry = next_ == piece_end_ && input_ended_;
    if (dry && frame_ended_) {
      ended_ = true;
      return 0;
    }
    const std::size_t status = ZSTD_decompressStream(context_, &out, &in);
    if (ZSTD_getErrorCode(status) == ZSTD_error_memory_allocation) throw std::bad_alloc();
    if (ZSTD_isError(status)) return corrupt(ZSTD_getErrorName(status));
    if (dry && out.pos == 0) return truncated();
    next_ = in.pos;
    frame_ended_ = status == 0;
    return out.pos;
  }

  void restart() override {
    ZSTD_DCtx_reset(context_, ZSTD_reset_session_only);
    frame_ended_ = false;
  }

  ZSTD_DCtx* context_;
  bool frame_ended_ = false;
};

} // namespace

std::unique_ptr<Input> gzip_input(std::unique_ptr<Input> packed, const ReadOptions& options) {
  return std::make_unique<GzipInput>(std::move(packed), options);
}

std::unique_ptr<Input> zstd_input(std::unique_ptr<Input> packed, const ReadOptions& options) {
  return std::make_unique<ZstdInput>(std::move(packed), options);
}

} // namespace recta
