#include "data/jsonl/jsonl.hpp"

#include "data/csv/csv.hpp"
#include "data/jsonl/as_csv.hpp"

#include <algorithm>
#include <charconv>
#include <fmt/format.h>

namespace recta {
namespace jsonl {
namespace {

// Bytes that lie in memory already.
class BytesInput final : public Input {
public:
  BytesInput(Bytes bytes, const std::string& source) : Input(source, 0), bytes_(std::move(bytes)) {}

  Result<std::size_t> read(std::span<char> buffer) override {
    const std::size_t size = std::min(buffer.size(), bytes_.view().size() - at_);
    std::copy_n(bytes_.view().data() + at_, size, buffer.data());
    at_ += size;
    return size;
  }
  Result<void> rewind() override {
    at_ = 0;
    return {};
  }
  bool rereads() const override { return true; }

private:
  Bytes bytes_;
  std::size_t at_ = 0;
};

// "data.jsonl:7:2, column price" of the CSV, with the line of the file; the number of the field says nothing in JSON.
Error with_file_line(Error error, const std::string& source, const LineMap& map) {
  const std::string_view where = error.where;
  if (!where.starts_with(source + ":")) return error;
  const char* const end = where.data() + where.size();
  Index line = 0;
  const auto number = std::from_chars(where.data() + source.size() + 1, end, line);
  if (number.ec != std::errc()) return error;
  std::string_view rest(number.ptr, end);
  rest.remove_prefix(std::min(rest.find(", column"), rest.size()));
  rest = rest.substr(0, rest.find(" (row begins"));
  error.where = fmt::format("{}:{}{}", source, map.file_line(line), rest);
  return error;
}

Result<Dataset> read(Input& input, const ReadOptions& options) {
  auto keys = Keys::learn(input, options);
  if (!keys) return std::unexpected(keys.error());
  if (auto done = input.rewind(); !done) return std::unexpected(done.error());
  LineMap map;
  AsCsv csv(input, *keys, map, options);
  auto data = read_csv(csv, keys->csv_options(options));
  if (!data) return std::unexpected(with_file_line(std::move(data.error()), input.source(), map));
  data->notes.clear(); // of CSV
  return data;
}

// The CSV reader of the lines, with all that it points into.
class JsonlStream final : public BlockReader {
public:
  JsonlStream(std::unique_ptr<Input> input, Keys keys, Index block_rows)
      : BlockReader(block_rows), input_(std::move(input)), keys_(std::move(keys)) {}

  Result<void> open(const ReadOptions& options) {
    auto csv =
        stream_csv(std::make_unique<AsCsv>(*input_, keys_, map_, options), keys_.csv_options(options), block_rows_);
    if (!csv) return std::unexpected(named(std::move(csv.error())));
    csv_ = *std::move(csv);
    header_ = csv_->header();
    header_.notes.clear();
    return {};
  }
  const Dataset& header() const override { return header_; }
  Result<bool> claim(RawBlock& block) override {
    csv_->cut_blocks_of(block_rows_);
    auto more = csv_->claim(block);
    if (!more) return std::unexpected(named(std::move(more.error())));
    return more;
  }
  Result<void> parse(const RawBlock& block, Dataset& rows) const override {
    if (auto done = csv_->parse(block, rows); !done) return std::unexpected(named(std::move(done.error())));
    return {};
  }
  Result<void> restart() override { return csv_->restart(); }

private:
  Error named(Error error) const { return with_file_line(std::move(error), input_->source(), map_); }

  std::unique_ptr<Input> input_;
  Keys keys_;
  LineMap map_;
  std::unique_ptr<BlockReader> csv_;
  Dataset header_;
};

} // namespace
} // namespace jsonl

bool looks_like_jsonl(std::string_view sample) {
  const std::size_t brace = sample.find_first_not_of(" \t\r\n");
  if (brace == sample.npos || sample[brace] != '{') return false;
  const std::size_t next = sample.find_first_not_of(" \t", brace + 1);
  return next != sample.npos && (sample[next] == '"' || sample[next] == '}');
}

Result<Dataset> read_jsonl(const Bytes& bytes, const std::string& source, const ReadOptions& options) {
  jsonl::BytesInput input(Bytes::borrowed(bytes.view()), source);
  return jsonl::read(input, options);
}

Result<Dataset> read_jsonl_file(Input& input, const ReadOptions& options) {
  if (input.rewind()) return jsonl::read(input, options);
  auto bytes = input.read_all();
  if (!bytes) return std::unexpected(bytes.error());
  return read_jsonl(*bytes, input.source(), options);
}

Result<std::unique_ptr<BlockReader>> stream_jsonl(std::unique_ptr<Input> input, const ReadOptions& options,
                                                  Index block_rows) {
  if (!input->rewind()) {
    auto bytes = input->read_all();
    if (!bytes) return std::unexpected(bytes.error());
    const std::string source = input->source();
    input = std::make_unique<jsonl::BytesInput>(*std::move(bytes), source);
  }
  auto keys = jsonl::Keys::learn(*input, options);
  if (!keys) return std::unexpected(keys.error());
  if (auto done = input->rewind(); !done) return std::unexpected(done.error());
  auto stream = std::make_unique<jsonl::JsonlStream>(std::move(input), *std::move(keys), block_rows);
  if (auto done = stream->open(options); !done) return std::unexpected(done.error());
  return stream;
}

} // namespace recta
