#include "data/table_reader.hpp"

#include "data/dataset.hpp"

#include <algorithm>

namespace recta {
namespace {

template <class Vector>
void slice(const Vector& from, Index first, Index count, Vector& to) {
  to.assign(from.begin() + first, from.begin() + first + count);
}

void slice_column(const Column& from, Index first, Index count, Column& to) {
  to.name = from.name;
  to.type = from.type;
  to.values.clear();
  to.codes.clear();
  if (from.numeric()) slice(from.values, first, count, to.values);
  if (from.type == ColumnType::category) slice(from.codes, first, count, to.codes);
  if (from.type == ColumnType::text)
    slice(from.levels, first, count, to.levels);
  else
    to.levels = from.levels;
}

void slice_sparse(const SparseColumns& from, Index first, Index count, SparseColumns& to) {
  begin_like(from, to);
  if (from.start.empty()) return;
  const Index begin = from.start[static_cast<std::size_t>(first)];
  const Index size = from.start[static_cast<std::size_t>(first + count)] - begin;
  slice(from.start, first, count + 1, to.start);
  for (Index& at : to.start) at -= begin;
  slice(from.index, begin, size, to.index);
  slice(from.value, begin, size, to.value);
}

class TableReader final : public BlockReader {
public:
  TableReader(Dataset table, Index block_rows) : BlockReader(block_rows), table_(std::move(table)) {
    slice_rows(table_, 0, 0, header_);
    header_.notes = table_.notes;
  }

  const Dataset& header() const override { return header_; }

  Result<bool> claim(RawBlock& block) override {
    block.size = 0;
    block.first_row = next_;
    block.line = next_ + 1;
    block.rows = std::min(block_rows_, table_.rows - next_);
    next_ += block.rows;
    return block.rows > 0;
  }
  Result<void> parse(const RawBlock& block, Dataset& rows) const override {
    slice_rows(table_, block.first_row, block.rows, rows);
    return {};
  }
  Result<void> restart() override {
    next_ = 0;
    return {};
  }

private:
  Dataset table_, header_;
  Index next_ = 0;
};

} // namespace

void slice_rows(const Dataset& from, Index first, Index count, Dataset& to) {
  to.source = from.source;
  to.rows = count;
  to.first_row = from.first_row + first;
  to.columns.resize(from.columns.size());
  for (std::size_t j = 0; j < from.columns.size(); ++j) slice_column(from.columns[j], first, count, to.columns[j]);
  slice_sparse(from.sparse, first, count, to.sparse);
}

std::unique_ptr<BlockReader> stream_table(Dataset table, Index block_rows) {
  return std::make_unique<TableReader>(std::move(table), block_rows);
}

} // namespace recta
