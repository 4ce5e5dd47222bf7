// LIBSVM rows in blocks. How many columns there are and where indices start is known only at the end of a file, so a
// file is read through once first; for standard input the first block has to tell.
#include "data/libsvm/fault.hpp"
#include "data/libsvm/label_words.hpp"
#include "data/libsvm/libsvm.hpp"
#include "data/line_cutter.hpp"
#include "data/table_reader.hpp"

#include <fmt/format.h>

namespace recta {
namespace {

using namespace libsvm;

class LibsvmReader final : public BlockReader {
public:
  LibsvmReader(std::unique_ptr<Input> input, const ReadOptions& options, Index block_rows)
      : BlockReader(block_rows), lines_(std::move(input)), options_(options), limits_(limits_of(options)) {}

  // Settles base, columns and the label's type.
  Result<void> survey(bool whole) {
    IndexRange range;
    Dataset scratch;
    std::size_t text = 0;
    do {
      auto more = claim(held_);
      if (!more) return std::unexpected(more.error());
      if (!*more) break;
      auto out = fill(held_, scratch);
      if (!out) return std::unexpected(out.error());
      range.add(*out);
      text += held_.view().size();
      has_rows_ = true;
    } while (whole);
    if (!has_rows_)
      return fail(ErrorCode::bad_data, lines_.source(), "there are no rows in it",
                  "a row is a label, then pairs like 3:0.5");
    settle(range);
    if (whole) {
      auto fits = check_columns(header_.sparse.cols, text, {lines_.source(), options_});
      return fits ? rewind() : fits;
    }
    holding_ = true;
    return {};
  }

  const Dataset& header() const override { return header_; }

  Result<bool> claim(RawBlock& block) override {
    if (holding_) {
      std::swap(block, held_);
      holding_ = false;
      return true;
    }
    return lines_.cut(block_rows_, row_line, block);
  }

  Result<void> parse(const RawBlock& block, Dataset& rows) const override {
    auto out = fill(block, rows);
    if (!out) return std::unexpected(out.error());
    rows.columns[0].type = out->integer_labels ? header_.columns[0].type : ColumnType::real;
    rows.sparse.index_base = limits_.base;
    rows.sparse.cols = std::max(header_.sparse.cols, out->highest - limits_.base + 1);
    return {};
  }

  Result<void> restart() override {
    holding_ = false;
    return lines_.rewind();
  }

private:
  Result<Outcome> fill(const RawBlock& block, Dataset& rows) const {
    const std::string_view text = block.view();
    const Bound most = bound(text);
    rows.source = lines_.source();
    rows.columns.resize(1);
    rows.columns[0].name = "label";
    rows.columns[0].values.resize(static_cast<std::size_t>(most.rows));
    rows.sparse.start.resize(static_cast<std::size_t>(most.rows) + 1);
    rows.sparse.start[0] = 0;
    rows.sparse.index.resize(static_cast<std::size_t>(most.numbers));
    rows.sparse.value.resize(static_cast<std::size_t>(most.numbers));
    const Outcome out = parse_lines(text, limits_,
                                    {rows.columns[0].values.data(), rows.sparse.start.data() + 1,
                                     rows.sparse.index.data(), rows.sparse.value.data()});
    if (out.fault != Fault::none) return std::unexpected(explain(out, text, block.line, {lines_.source(), options_}));
    rows.rows = out.rows;
    rows.first_row = block.first_row;
    rows.columns[0].values.resize(static_cast<std::size_t>(out.rows));
    rows.sparse.start.resize(static_cast<std::size_t>(out.rows) + 1);
    rows.sparse.index.resize(static_cast<std::size_t>(out.numbers));
    rows.sparse.value.resize(static_cast<std::size_t>(out.numbers));
    return out;
  }

  void settle(const IndexRange& range) {
    const Index base = options_.index_base.value_or(range.lowest == 0 ? 0 : 1);
    limits_ = {base, base, options_.max_columns - 1 + base};
    header_.source = lines_.source();
    Column& label = header_.columns.emplace_back();
    label.name = "label";
    label.type = range.integer_labels ? ColumnType::integer : ColumnType::real;
    header_.sparse.index_base = base;
    header_.sparse.cols = range.highest < 0 ? 0 : range.highest - base + 1;
    header_.sparse.start = {0};
    header_.notes = {base_note(range, options_)};
  }

  LineCutter lines_;
  const ReadOptions options_;
  Limits limits_;
  Dataset header_;
  RawBlock held_;        // first block of standard input, read for the header
  bool holding_ = false; // and not handed out yet
  bool has_rows_ = false;
};

} // namespace

Result<std::unique_ptr<BlockReader>> stream_libsvm(std::unique_ptr<Input> input, const ReadOptions& options,
                                                   Index block_rows) {
  if (auto good = check_base(options); !good) return std::unexpected(good.error());
  if (wants_label_words(options)) { // their words are known when all rows are
    const std::string source = input->source();
    const auto bytes = input->read_all();
    if (!bytes) return std::unexpected(bytes.error());
    auto table = read_libsvm(*bytes, source, options);
    if (!table) return std::unexpected(table.error());
    return stream_table(*std::move(table), block_rows);
  }
  const bool once = !input->rewind();
  auto reader = std::make_unique<LibsvmReader>(std::move(input), options, block_rows);
  if (auto done = reader->survey(!once); !done) return std::unexpected(done.error());
  return reader;
}

} // namespace recta
