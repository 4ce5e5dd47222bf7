// The rows of a table block by block. Memory holds the blocks that callers have claimed and the bytes read ahead, never
// the file: claim() cuts rows off a buffer that is refilled as it runs out.
#include "base/listening.hpp"
#include "data/csv/csv.hpp"
#include "data/csv/rows.hpp"
#include "data/csv/scan.hpp"
#include "data/dataset.hpp"

#include <algorithm>
#include <fmt/format.h>

namespace recta {
namespace csv {
namespace {

constexpr std::size_t kReadBytes = 1 << 18;
constexpr std::size_t kLongestRow = std::size_t{1} << 28;

class CsvStream final : public BlockReader {
public:
  CsvStream(std::unique_ptr<Input> input, const ReadOptions& options, Index block_rows)
      : BlockReader(block_rows), input_(std::move(input)), options_(options), scan_(Dialect{}) {}

  // Reads until the layout of the table is certain.
  Result<void> open() {
    for (std::size_t size = kSampleBytes;; size *= 4) {
      if (auto done = read_ahead(size); !done) return done;
      auto layout = detect_layout({buffer_.data(), end_}, ended_, input_->source(), options_);
      if (!layout) return std::unexpected(layout.error());
      layout_ = std::move(*layout);
      if (layout_.enough) break;
      if (ended_ || size > longest_row()) return too_long(begin_);
    }
    if (layout_.names.empty())
      return fail(ErrorCode::bad_data, input_->source(), "is empty", "give a table with at least one row");
    if (has_open() && input_->rereads())
      if (auto done = look_further(); !done) return done;
    describe_header();
    begin_rows();
    return {};
  }

  const Dataset& header() const override { return header_; }

  Result<bool> claim(RawBlock& block) override {
    auto rows_end = find_rows();
    if (!rows_end) return std::unexpected(rows_end.error());
    const std::size_t size = *rows_end;
    block.rows = scan_.rows() + (scan_.rows() < block_rows_ && size > scan_.state().line); // a last row without end
    if (block.rows == 0 && row_ == 0 && ended_)
      return fail(ErrorCode::bad_data, layout_.source, "there are no data rows", "a header alone is not a table");
    if (block.rows == 0) return false;
    hand_over(size, block);
    block.first_row = row_;
    block.line = line_;
    row_ += block.rows;
    line_ += count_lines(block.bytes.data(), block.bytes.data() + size);
    scan_ = RowScan(layout_.dialect);
    return true;
  }

  Result<void> parse(const RawBlock& block, Dataset& rows) const override {
    prepare(rows, block);
    std::vector<Target> targets;
    targets.reserve(rows.columns.size());
    for (Column& column : rows.columns)
      targets.push_back({column.type, column.values.data(), column.codes.data(), column.levels.data()});
    std::vector<LevelTable> levels(number_categories(targets));
    RowParser parser(layout_, targets, levels);
    const char* begin = block.bytes.data();
    const char* end = begin + block.size;
    if (auto failure = parser.parse(begin, end, 0))
      return std::unexpected(describe(*failure, layout_, begin, end, block.line));
    for (std::size_t j = 0; j < targets.size(); ++j) {
      Column& column = rows.columns[j];
      if (column.type == ColumnType::integer && parser.real()[j]) column.type = ColumnType::real;
      if (column.type != ColumnType::category) continue;
      const LevelTable& table = levels[targets[j].category];
      column.levels.resize(static_cast<std::size_t>(table.size()));
      for (std::int32_t k = 0; k < table.size(); ++k) column.levels[static_cast<std::size_t>(k)] = table[k];
      sort_levels(column);
    }
    return {};
  }

  Result<void> restart() override {
    if (auto done = input_->rewind(); !done) return done;
    begin_ = end_ = 0;
    ended_ = false;
    if (auto done = read_ahead(layout_.data_begin); !done) return done;
    begin_rows();
    return {};
  }

private:
  bool has_open() const { return std::ranges::find(layout_.open, true) != layout_.open.end(); }

  // Looks for the first values of columns that are empty in the sample. Errors in a row are reported when it is its
  // turn.
  Result<void> look_further() {
    begin_rows();
    RawBlock block;
    while (has_open()) {
      keep_going();
      const auto more = claim(block);
      if (!more || !*more) break;
      close_columns(block.view(), layout_);
    }
    return restart();
  }

  std::size_t longest_row() const {
    return options_.max_memory ? std::min<std::size_t>(kLongestRow, options_.max_memory) : kLongestRow;
  }

  // The error for the row that begins at `row` in the buffer.
  std::unexpected<Error> too_long(std::size_t row) const {
    const Index line = line_ + count_lines(buffer_.data() + begin_, buffer_.data() + row);
    return fail(ErrorCode::bad_data, fmt::format("{}:{}", input_->source(), line),
                fmt::format("a row is longer than {} MiB", longest_row() >> 20),
                "look for a quote that is never closed, or for a file that is not a table");
  }

  // The block takes the buffer and leaves its own in exchange: only what was read beyond its rows is copied.
  void hand_over(std::size_t size, RawBlock& block) {
    const auto at = [&](std::size_t i) { return buffer_.begin() + static_cast<std::ptrdiff_t>(i); };
    const std::size_t rest = end_ - begin_ - size;
    if (block.bytes.size() < rest) block.bytes.resize(rest);
    std::copy(at(begin_ + size), at(end_), block.bytes.begin());
    if (begin_ > 0) std::copy(at(begin_), at(begin_ + size), buffer_.begin());
    std::swap(buffer_, block.bytes);
    block.size = expected_ = size;
    begin_ = 0;
    end_ = rest;
  }

  // Makes `size` bytes of the file, from begin_ on, lie in the buffer; fewer at its end.
  Result<void> read_ahead(std::size_t size) {
    if (ended_ || end_ - begin_ >= size) return {};
    if (begin_ > 0) {
      std::copy(buffer_.begin() + static_cast<std::ptrdiff_t>(begin_),
                buffer_.begin() + static_cast<std::ptrdiff_t>(end_), buffer_.begin());
      end_ -= begin_;
      begin_ = 0;
    }
    if (buffer_.size() < size) buffer_.resize(size);
    auto count = input_->read(std::span(buffer_).subspan(end_, size - end_));
    if (!count) return std::unexpected(count.error());
    end_ += *count;
    ended_ = end_ < size;
    return {};
  }

  void begin_rows() {
    begin_ = std::min(layout_.data_begin, end_);
    line_ = layout_.data_line;
    row_ = 0;
    scan_ = RowScan(layout_.dialect);
  }

  // The size of the next block_rows_ rows, which lie at begin_ when this returns.
  Result<std::size_t> find_rows() {
    // Blocks are about as long as the one before, so one reading is enough for most and leaves little over.
    if (auto done = read_ahead(expected_ + expected_ / 64); !done) return std::unexpected(done.error());
    while (true) {
      // The byte after the last one scanned is there to be looked at, except at the end of the file.
      const std::size_t have = end_ - begin_, limit = ended_ || have == 0 ? have : have - 1;
      scan_.run(buffer_.data() + begin_, limit, ended_, block_rows_);
      const ScanState& state = scan_.state();
      if (scan_.rows() == block_rows_) {
        const char* next = buffer_.data() + begin_ + state.line; // \r\n is not torn apart: lines are counted by block
        return state.line + (state.line < have && next[-1] == '\r' && *next == '\n' ? 1 : 0);
      }
      if (ended_) return state.blank && !state.quoted ? state.line : have;
      if (have - state.line > longest_row()) return too_long(begin_ + state.line);
      if (auto done = read_ahead(
              have + (expected_ ? std::max<std::size_t>(kReadBytes / 16, have / 16) : std::max(kReadBytes, have / 2)));
          !done)
        return std::unexpected(done.error());
    }
  }

  void describe_header() {
    header_.source = layout_.source;
    header_.notes = layout_.notes;
    header_.columns.resize(layout_.names.size());
    for (std::size_t j = 0; j < layout_.names.size(); ++j) {
      header_.columns[j].name = layout_.names[j];
      header_.columns[j].type = layout_.types[j];
    }
  }

  void prepare(Dataset& rows, const RawBlock& block) const {
    if (rows.columns.size() != layout_.names.size()) rows = header_;
    rows.rows = block.rows;
    rows.first_row = block.first_row;
    const auto n = static_cast<std::size_t>(block.rows);
    for (std::size_t j = 0; j < layout_.names.size(); ++j) {
      Column& column = rows.columns[j];
      column.type = layout_.types[j];
      if (column.type == ColumnType::category)
        column.codes.resize(n);
      else if (column.type == ColumnType::text)
        column.levels.resize(n);
      else
        column.values.resize(n);
    }
  }

  std::unique_ptr<Input> input_;
  ReadOptions options_;
  Layout layout_;
  Dataset header_;
  ByteVector buffer_; // [begin_, end_) waits to be claimed
  std::size_t begin_ = 0, end_ = 0;
  std::size_t expected_ = 0; // bytes of the last block
  bool ended_ = false;       // the input has no more bytes
  RowScan scan_;             // offsets count from begin_
  Index row_ = 0, line_ = 1;
};

} // namespace
} // namespace csv

Result<std::unique_ptr<BlockReader>> stream_csv(std::unique_ptr<Input> input, const ReadOptions& options,
                                                Index block_rows) {
  auto stream = std::make_unique<csv::CsvStream>(std::move(input), options, block_rows);
  if (auto done = stream->open(); !done) return std::unexpected(done.error());
  return std::unique_ptr<BlockReader>(std::move(stream));
}

} // namespace recta
