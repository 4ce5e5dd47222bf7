// Rows of a .npy file in blocks. In C order rows lie one after the other and are read as they come; in Fortran order
// they lie all over the file, which is then mapped (or, from a pipe, kept).
#include "data/npy/array.hpp"
#include "data/npy/convert.hpp"
#include "data/npy/npy.hpp"

#include <algorithm>
#include <fmt/format.h>

namespace recta {
namespace {

using namespace npy;

class NpyReader final : public BlockReader {
public:
  NpyReader(std::unique_ptr<Input> input, Index block_rows) : BlockReader(block_rows), input_(std::move(input)) {}

  Result<void> open(const ReadOptions& options) {
    if (auto done = read_head(options); !done) return done;
    header_ = table_of(columns_of(head_), 0, input_->source());
    header_.notes.push_back(order_note(head_));
    return head_.fortran ? keep_all() : Result<void>{};
  }

  const Dataset& header() const override { return header_; }

  Result<bool> claim(RawBlock& block) override {
    block.rows = std::min(block_rows_, head_.rows - next_);
    block.first_row = next_;
    block.line = next_ + 1;
    block.size = 0;
    if (block.rows == 0) return false;
    next_ += block.rows;
    if (!head_.fortran)
      if (auto done = read_rows(block); !done) return std::unexpected(done.error());
    return true;
  }

  Result<void> parse(const RawBlock& block, Dataset& rows) const override {
    rows.source = input_->source();
    rows.rows = block.rows;
    rows.first_row = block.first_row;
    if (rows.columns.size() != header_.columns.size()) rows.columns = header_.columns;
    for (Column& column : rows.columns) column.values.resize(static_cast<std::size_t>(block.rows));
    const char* data = head_.fortran ? all_.view().data() + head_bytes_ : block.bytes.data();
    convert_rows(head_, data, {head_.fortran ? block.first_row : 0, block.rows, 0}, rows.columns);
    return check_finite(rows.columns, block.first_row, input_->source());
  }

  Result<void> restart() override {
    next_ = 0;
    if (head_.fortran) return {};
    if (auto done = input_->rewind(); !done) return done;
    ByteVector head(head_bytes_);
    auto size = input_->read(head);
    return size ? Result<void>{} : std::unexpected(size.error());
  }

private:
  Result<void> read_head(const ReadOptions& options) {
    ByteVector head(kPreamble);
    auto count = input_->read(head);
    if (!count) return std::unexpected(count.error());
    auto size = head_size({head.data(), *count}, input_->source());
    if (!size) return std::unexpected(size.error());
    head_bytes_ = *size;
    if (*size > kPreamble) {
      head.resize(*size);
      auto rest = input_->read(std::span<char>(head).subspan(kPreamble));
      if (!rest) return std::unexpected(rest.error());
      count = kPreamble + *rest;
    }
    if (*count < *size) return fail(ErrorCode::bad_data, input_->source(), "the file ends within its header");
    auto parsed = parse_head({head.data(), *size}, input_->source(), options);
    if (!parsed) return std::unexpected(parsed.error());
    head_ = std::move(*parsed);
    options_ = options;
    return {};
  }

  Result<void> keep_all() {
    if (input_->rewind()) {
      auto bytes = input_->read_all();
      if (!bytes) return std::unexpected(bytes.error());
      all_ = std::move(*bytes);
      auto array = open_array(all_.view(), input_->source(), options_);
      return array ? Result<void>{} : std::unexpected(array.error());
    }
    auto rest = input_->read_all();
    if (!rest) return std::unexpected(rest.error());
    all_ = std::move(*rest);
    head_bytes_ = 0; // what was read before is not in it
    if (all_.view().size() == static_cast<std::size_t>(head_.rows * head_.row_bytes())) return {};
    return cut_off(all_.view().size());
  }

  Result<void> read_rows(RawBlock& block) {
    block.size = static_cast<std::size_t>(block.rows * head_.row_bytes());
    if (block.bytes.size() < block.size) block.bytes.resize(block.size);
    auto size = input_->read(std::span<char>(block.bytes).first(block.size));
    if (!size) return std::unexpected(size.error());
    if (*size < block.size) return cut_off(static_cast<std::size_t>(block.first_row * head_.row_bytes()) + *size);
    char more;
    if (next_ < head_.rows) return {};
    auto extra = input_->read({&more, 1});
    if (!extra) return std::unexpected(extra.error());
    return *extra == 0 ? Result<void>{} : cut_off(static_cast<std::size_t>(head_.rows * head_.row_bytes()) + 1);
  }

  std::unexpected<Error> cut_off(std::size_t count) const {
    return fail(
        ErrorCode::bad_data, input_->source(),
        fmt::format("the header promises {} bytes of numbers and {} follow", head_.rows * head_.row_bytes(), count),
        "the file is cut off or damaged");
  }

  std::unique_ptr<Input> input_;
  ReadOptions options_;
  Header head_;
  std::size_t head_bytes_ = 0;
  Dataset header_;
  Bytes all_; // Fortran order
  Index next_ = 0;
};

} // namespace

Result<std::unique_ptr<BlockReader>> stream_npy(std::unique_ptr<Input> input, const ReadOptions& options,
                                                Index block_rows) {
  auto reader = std::make_unique<NpyReader>(std::move(input), block_rows);
  if (auto done = reader->open(options); !done) return std::unexpected(done.error());
  return reader;
}

} // namespace recta
