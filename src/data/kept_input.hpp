// Input that can be read only once, read again: the bytes that came are held for as long as somebody may ask for them.
#pragma once

#include "data/input.hpp"

namespace recta {

class KeptInput final : public Input {
public:
  KeptInput(std::unique_ptr<Input> input, const ReadOptions& options)
      : Input(input->source(), options.max_memory), input_(std::move(input)) {}

  Result<std::size_t> read(std::span<char> buffer) override;
  Result<void> rewind() override; // refused once it was let go, and above max_memory
  void let_go();                  // the bytes read so far are not asked for again

private:
  void drop();

  std::unique_ptr<Input> input_;
  ByteVector held_;
  std::size_t at_ = 0; // of the next byte in held_
  bool keeping_ = true;
  bool too_long_ = false; // for max_memory
};

// open_stream() of a source that stays readable from its beginning: files are anyhow; for standard input and pipes all
// bytes are held until let_go().
struct KeptStream {
  std::unique_ptr<RowStream> rows;
  KeptInput* input = nullptr; // within `rows`; none if nothing needs to be held

  void let_go() {
    if (input) input->let_go();
  }
};
Result<KeptStream> open_kept_stream(const std::string& path, const ReadOptions& options = {}, Index block_rows = 1024);

} // namespace recta
