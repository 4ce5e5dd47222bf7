// Any bytes: a table or an error, and the same from the whole reader at every instruction set, through a window of a
// few bytes and from the stream. The first byte chooses options.
#include "base/simd/kernels.hpp"
#include "data/csv/csv.hpp"
#include "data/csv/whole.hpp"

#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <cstring>

namespace {

using namespace recta;

class MemoryInput final : public Input {
public:
  MemoryInput(std::string_view bytes) : Input("fuzz", 0), bytes_(bytes) {}
  Result<std::size_t> read(std::span<char> buffer) override {
    const std::size_t size = std::min(buffer.size(), bytes_.size() - at_);
    std::memcpy(buffer.data(), bytes_.data() + at_, size);
    at_ += size;
    return size;
  }
  Result<void> rewind() override {
    at_ = 0;
    return {};
  }

private:
  std::string_view bytes_;
  std::size_t at_ = 0;
};

void require(bool holds) {
  if (!holds) std::abort();
}

bool same(double a, double b) {
  return a == b || (std::isnan(a) && std::isnan(b));
}

void compare(const Column& whole, Index row, const Column& block, Index i) {
  require(whole.numeric() == block.numeric());
  if (whole.numeric()) require(same(whole.values[row], block.values[i]));
  if (whole.type == ColumnType::text) require(whole.levels[row] == block.levels[i]);
  if (whole.type != ColumnType::category) return;
  require((whole.codes[row] < 0) == (block.codes[i] < 0));
  if (whole.codes[row] >= 0) require(whole.levels[whole.codes[row]] == block.levels[block.codes[i]]);
}

void compare(const Result<Dataset>& whole, const Result<Dataset>& other) {
  require(whole.has_value() == other.has_value());
  if (!whole) return require(whole.error().text() == other.error().text());
  require(whole->rows == other->rows);
  for (std::size_t j = 0; j < whole->columns.size(); ++j) {
    require(whole->columns[j].type == other->columns[j].type);
    for (Index i = 0; i < whole->rows; ++i) compare(whole->columns[j], i, other->columns[j], i);
  }
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  ReadOptions options;
  options.threads = 1;
  options.separator = "\0\0\0,;\t |"[data[0] & 7];
  options.decimal = "\0\0.,"[data[0] >> 3 & 3];
  if (data[0] & 32) options.header = data[0] & 64;
  options.thousands = "\0\0\0,"[data[0] >> 5 & 3];
  if (data[0] & 128) options.missing_tokens = {"", "7"};
  const std::string_view bytes(reinterpret_cast<const char*>(data) + 1, size - 1);
  const auto whole = read_csv(bytes, "fuzz", options);
  const simd::Level best = simd::level();
  for (const simd::Level level : simd::levels()) {
    if (level == best || !simd::force(level)) continue;
    compare(whole, read_csv(bytes, "fuzz", options));
  }
  simd::force(best);
  MemoryInput input(bytes);
  csv::TextWindow window(input);
  compare(whole, csv::read_table(window, "fuzz", options, 1 + data[0] % 13));
  auto stream = stream_csv(std::make_unique<MemoryInput>(bytes), options, 3);
  if (!stream) {
    require(!whole && whole.error().text() == stream.error().text());
    return 0;
  }
  Dataset block;
  Index rows = 0;
  while (true) {
    const auto more = (*stream)->next(block);
    if (!more) {
      require(!whole && whole.error().text() == more.error().text());
      return 0;
    }
    if (!*more) break;
    require(block.first_row == rows);
    if (whole)
      for (std::size_t j = 0; j < block.columns.size(); ++j)
        for (Index i = 0; i < block.rows; ++i) compare(whole->columns[j], rows + i, block.columns[j], i);
    rows += block.rows;
  }
  if (whole) require(whole->rows == rows);
  return 0;
}
