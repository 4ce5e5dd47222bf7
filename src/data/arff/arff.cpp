#include "data/arff/arff.hpp"

#include "data/arff/rows.hpp"
#include "data/dataset.hpp"
#include "data/line_cutter.hpp"

#include <algorithm>
#include <limits>

namespace recta {
namespace {

using namespace arff;

// The most memory that the rows may take: what the text and the declarations leave of the limit of the table.
std::uint64_t most_row_bytes(std::size_t text, const Declarations& declared, const ReadOptions& options) {
  std::uint64_t used = text;
  for (const Attribute& attribute : declared.attributes) {
    used += kColumnBytes;
    if (!attribute.nominal) continue;
    const LevelTable& values = attribute.nominal->values;
    used +=
        values.bytes() + (sizeof(std::string) + 2 * sizeof(std::int32_t)) * static_cast<std::uint64_t>(values.size());
  }
  const std::uint64_t most = memory_limit(text, options);
  return most > used ? most - used : 0;
}

// Room for as many rows as there are lines, so that columns need not move while they grow.
void reserve_rows(std::string_view lines, std::uint64_t most, std::uint64_t row, Dataset& table) {
  const auto count = static_cast<std::uint64_t>(std::ranges::count(lines, '\n')) + 1;
  const auto rows = static_cast<std::size_t>(std::min(count, most / row));
  for (Column& column : table.columns) {
    if (column.numeric()) column.values.reserve(rows);
    if (column.type == ColumnType::category) column.codes.reserve(rows);
    if (column.type == ColumnType::text) column.levels.reserve(rows);
  }
}

void clear_rows(Dataset& table) {
  table.rows = 0;
  for (Column& column : table.columns) {
    column.values.clear();
    column.codes.clear();
    if (column.type == ColumnType::text) column.levels.clear();
  }
}

class ArffReader final : public BlockReader {
public:
  ArffReader(std::unique_ptr<Input> input, const ReadOptions& options, Index block_rows)
      : BlockReader(block_rows), lines_(std::move(input)), options_(options) {}

  Result<void> open() {
    std::string text;
    if (auto done = read_declarations(text); !done) return done;
    auto declared = parse_declarations(text, lines_.source(), options_);
    if (!declared) return std::unexpected(declared.error());
    declared_ = std::move(*declared);
    header_ = empty_table(declared_, lines_.source());
    return {};
  }

  const Dataset& header() const override { return header_; }
  Result<bool> claim(RawBlock& block) override { return lines_.cut(block_rows_, is_row, block); }

  Result<void> parse(const RawBlock& block, Dataset& rows) const override {
    if (rows.columns.size() != header_.columns.size()) rows = header_;
    for (std::size_t j = 0; j < rows.columns.size(); ++j) rows.columns[j].type = header_.columns[j].type;
    clear_rows(rows);
    rows.first_row = block.first_row;
    return parse_rows(block.view(),
                      {declared_, lines_.source(), block.line, std::numeric_limits<std::uint64_t>::max(), 0, nullptr},
                      rows);
  }

  Result<void> restart() override {
    if (auto done = lines_.rewind(); !done) return done;
    std::string skipped;
    return read_declarations(skipped);
  }

private:
  Result<void> read_declarations(std::string& text) {
    while (true) {
      auto line = lines_.line();
      if (!line) return std::unexpected(line.error());
      if (line->empty()) return {};
      text += *line;
      if (is_data_line(*line)) return {};
    }
  }

  LineCutter lines_;
  const ReadOptions options_;
  Declarations declared_;
  Dataset header_;
};

} // namespace

bool looks_like_arff(std::string_view sample) {
  while (!sample.empty()) {
    const std::size_t end = std::min(sample.find('\n'), sample.size() - 1) + 1;
    std::string_view line = sample.substr(0, end);
    if (is_row(line)) {
      line.remove_prefix(line.find_first_not_of(" \t\r\n"));
      return line.size() >= 9 && std::ranges::equal(line.substr(0, 9), std::string_view("@relation"),
                                                    [](char a, char b) { return a == b || (a | 32) == b; });
    }
    sample.remove_prefix(end);
  }
  return false;
}

Result<Dataset> read_arff(const Bytes& all, const std::string& source, const ReadOptions& options) {
  const std::string_view bytes = all.view();
  auto declared = parse_declarations(bytes, source, options);
  if (!declared) return std::unexpected(declared.error());
  Dataset table = empty_table(*declared, source);
  for (Column& column : table.columns)
    if (column.type == ColumnType::text) column.levels.clear();
  const std::string_view lines = bytes.substr(declared->bytes);
  const std::uint64_t most = most_row_bytes(bytes.size(), *declared, options);
  reserve_rows(lines, most, row_bytes(*declared), table);
  auto done = parse_rows(
      lines, {*declared, source, declared->lines + 1, most, memory_limit(bytes.size(), options), &all}, table);
  if (!done) return std::unexpected(done.error());
  if (table.rows == 0)
    return fail(ErrorCode::bad_data, source, "no row follows @data", "attributes alone are not a table");
  return table;
}

Result<std::unique_ptr<BlockReader>> stream_arff(std::unique_ptr<Input> input, const ReadOptions& options,
                                                 Index block_rows) {
  auto reader = std::make_unique<ArffReader>(std::move(input), options, block_rows);
  if (auto done = reader->open(); !done) return std::unexpected(done.error());
  return reader;
}

} // namespace recta
