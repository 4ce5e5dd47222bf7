// Checks that the fuzz targets of all formats share: any bytes give a sound table or an error with a text, and the same
// rows come out of a stream. Only fuzz targets include this.
#pragma once

#include "data/block_reader.hpp"
#include "data/input.hpp"

#include <recta/dataset.hpp>

#include <algorithm>
#include <cstdlib>
#include <cstring>

namespace recta::fuzz {

inline void require(bool holds) {
  if (!holds) std::abort();
}

class MemoryInput final : public Input {
public:
  explicit MemoryInput(std::string_view bytes) : Input("fuzz", 0), bytes_(bytes) {}

  Result<std::size_t> read(std::span<char> buffer) override {
    const std::size_t size = std::min(buffer.size(), bytes_.size() - at_);
    if (size > 0) std::memcpy(buffer.data(), bytes_.data() + at_, size);
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

inline void check_sparse(const SparseColumns& sparse, Index rows) {
  if (sparse.start.empty()) return;
  require(static_cast<Index>(sparse.start.size()) == rows + 1 && sparse.start[0] == 0);
  require(sparse.start.back() == static_cast<Index>(sparse.index.size()) && sparse.index.size() == sparse.value.size());
  for (std::size_t i = 0; i + 1 < sparse.start.size(); ++i)
    for (Index k = sparse.start[i]; k < sparse.start[i + 1]; ++k) {
      const auto at = static_cast<std::size_t>(k);
      require(sparse.index[at] >= 0 && sparse.index[at] < sparse.cols);
      require(k == sparse.start[i] || sparse.index[at - 1] < sparse.index[at]);
    }
}

inline void check_table(const Dataset& data) {
  for (const Column& column : data.columns) {
    require(column.rows() == data.rows);
    for (std::int32_t code : column.codes)
      require(code >= -1 && code < static_cast<std::int32_t>(column.levels.size()));
  }
  check_sparse(data.sparse, data.rows);
}

inline ReadOptions options() {
  ReadOptions read;
  read.threads = 1;
  read.max_columns = 4096; // a column costs far more memory than the byte or two that can name it
  return read;
}

using Reader = Result<Dataset> (*)(std::string_view, const std::string&, const ReadOptions&);
using Streamer = Result<std::unique_ptr<BlockReader>> (*)(std::unique_ptr<Input>, const ReadOptions&, Index);

inline Result<Index> streamed_rows(std::string_view bytes, Streamer stream) {
  auto reader = stream(std::make_unique<MemoryInput>(bytes), options(), 3);
  if (!reader) return std::unexpected(reader.error());
  Dataset block;
  Index rows = 0;
  while (true) {
    auto more = (*reader)->next(block);
    if (!more) return std::unexpected(more.error());
    if (!*more) return rows;
    check_table(block);
    require(block.first_row == rows);
    rows += block.rows;
  }
}

inline int check(std::string_view bytes, Reader read, Streamer stream) {
  const auto data = read(bytes, "fuzz", options());
  if (data)
    check_table(*data);
  else
    require(!data.error().what.empty() && !data.error().where.empty());
  if (!stream) return 0;
  const auto rows = streamed_rows(bytes, stream);
  if (data) require(rows && *rows == data->rows);
  return 0;
}

} // namespace recta::fuzz
