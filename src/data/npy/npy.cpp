#include "data/npy/npy.hpp"

#include "base/listening.hpp"
#include "data/dataset.hpp"
#include "data/npy/array.hpp"
#include "data/npy/convert.hpp"

#include <algorithm>
#include <fmt/format.h>

namespace recta {
namespace npy {

Result<Array> open_array(std::string_view bytes, const std::string& source, const ReadOptions& options) {
  auto size = head_size(bytes.substr(0, kPreamble), source);
  if (!size) return std::unexpected(size.error());
  if (*size > bytes.size()) return fail(ErrorCode::bad_data, source, "the file ends within its header");
  auto head = parse_head(bytes.substr(0, *size), source, options);
  if (!head) return std::unexpected(head.error());
  const std::string_view data = bytes.substr(*size);
  const auto needed = static_cast<std::uint64_t>(head->rows * head->row_bytes());
  if (data.size() != needed)
    return fail(ErrorCode::bad_data, source,
                fmt::format("the header promises {} bytes of numbers and {} follow", needed, data.size()),
                "the file is cut off or damaged");
  const std::uint64_t table = bytes.size() + 8 * static_cast<std::uint64_t>(head->rows * head->table_cols()) +
                              kColumnBytes * static_cast<std::uint64_t>(head->table_cols());
  if (const std::uint64_t most = memory_limit(bytes.size(), options); table > most)
    return fail(ErrorCode::bad_data, source,
                fmt::format("its numbers need {} bytes, more than the limit of {}", table, most),
                "raise --max-memory, or stream the file");
  return Array{std::move(*head), data};
}

namespace {

// The bytes of some rows: one stretch in C order, one per column in Fortran order.
void release_rows(const Array& array, const RowRange& range, const Bytes& bytes) {
  const Header& head = array.head;
  const Index stride = head.fortran ? head.item_size : head.row_bytes();
  const auto first = static_cast<std::size_t>(range.first * stride),
             size = static_cast<std::size_t>(range.count * stride);
  for (Index j = 0; j < (head.fortran ? head.cols : 1); ++j)
    bytes.release(array.data.substr(static_cast<std::size_t>(j * head.rows * head.item_size) + first, size));
}

} // namespace

Result<std::vector<Column>> read_columns(const Array& array, const std::string& source, const Bytes& bytes,
                                         int threads) {
  const Index blocks = 1 + array.head.rows * array.head.table_cols() / (1 << 20);          // of a million numbers
  const Index rows = std::max<Index>(64, (array.head.rows / blocks + 4095) / 4096 * 4096); // whole pages in any order
  std::vector<Column> columns = columns_of(array.head);
  for (Column& column : columns) column.values.resize(static_cast<std::size_t>(array.head.rows));
  Pool pool(threads);
  run_listening(&pool, (array.head.rows + rows - 1) / rows, [&](Index block, int) {
    const Index first = block * rows;
    const RowRange range{first, std::min(rows, array.head.rows - first), first};
    convert_rows(array.head, array.data.data(), range, columns);
    release_rows(array, range, bytes);
  });
  if (auto good = check_finite(columns, 0, source); !good) return std::unexpected(good.error());
  return columns;
}

std::string order_note(const Header& head) {
  const Field& field = head.fields[0];
  return head.structured ? fmt::format("structured array of {} fields", head.fields.size())
                         : fmt::format("{}{}{} in {} order", field.big_endian ? '>' : '<', field.kind, field.size,
                                       head.fortran ? "Fortran" : "C");
}

Dataset table_of(std::vector<Column> columns, Index rows, const std::string& source) {
  Dataset data;
  data.source = source;
  data.rows = rows;
  data.columns = std::move(columns);
  std::vector<std::string> names;
  for (const Column& column : data.columns) names.push_back(column.name);
  finish_names(names, data.notes);
  for (std::size_t j = 0; j < names.size(); ++j) data.columns[j].name = std::move(names[j]);
  return data;
}

} // namespace npy

bool looks_like_npy(std::string_view sample) {
  return sample.starts_with("\x93NUMPY");
}

Result<Dataset> read_npy(const Bytes& bytes, const std::string& source, const ReadOptions& options) {
  auto array = npy::open_array(bytes.view(), source, options);
  if (!array) return std::unexpected(array.error());
  auto columns = npy::read_columns(*array, source, bytes, options.threads);
  if (!columns) return std::unexpected(columns.error());
  Dataset data = npy::table_of(std::move(*columns), array->head.rows, source);
  data.notes.push_back(npy::order_note(array->head));
  return data;
}

} // namespace recta
