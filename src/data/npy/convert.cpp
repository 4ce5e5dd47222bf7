#include "data/npy/convert.hpp"

#include "base/listening.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <fmt/format.h>
#include <limits>

namespace recta::npy {
namespace {

template <class T>
T load(const char* at, bool swap) {
  char bytes[sizeof(T)];
  std::memcpy(bytes, at, sizeof(T));
  if (swap) std::reverse(bytes, bytes + sizeof(T));
  T value;
  std::memcpy(&value, bytes, sizeof(T));
  return value;
}

template <class T>
void convert(const char* at, Index stride, Index count, bool swap, double* out) {
  if (swap)
    for (Index i = 0; i < count; ++i) out[i] = static_cast<double>(load<T>(at + i * stride, true));
  else
    for (Index i = 0; i < count; ++i) out[i] = static_cast<double>(load<T>(at + i * stride, false));
}

// IEEE 754 binary16, which C++23 names only if the compiler has it: sign, 5 bits of exponent, 10 of fraction.
double half(std::uint16_t bits) {
  const int exponent = bits >> 10 & 31, fraction = bits & 1023;
  const double size = exponent == 31  ? (fraction == 0 ? std::numeric_limits<double>::infinity() : std::nan(""))
                      : exponent == 0 ? std::ldexp(fraction, -24)
                                      : std::ldexp(1024 + fraction, exponent - 25);
  return bits >> 15 != 0 ? -size : size;
}

void convert_half(const char* at, Index stride, Index count, bool swap, double* out) {
  for (Index i = 0; i < count; ++i) out[i] = half(load<std::uint16_t>(at + i * stride, swap));
}

void convert_bool(const char* at, Index stride, Index count, bool, double* out) {
  for (Index i = 0; i < count; ++i) out[i] = at[i * stride] != 0;
}

using Convert = void (*)(const char*, Index, Index, bool, double*);

Convert converter(const Field& field) {
  static constexpr Convert kSigned[] = {convert<std::int8_t>, convert<std::int16_t>, convert<std::int32_t>,
                                        convert<std::int64_t>};
  static constexpr Convert kUnsigned[] = {convert<std::uint8_t>, convert<std::uint16_t>, convert<std::uint32_t>,
                                          convert<std::uint64_t>};
  const auto width = std::countr_zero(static_cast<std::uint64_t>(field.size));
  switch (field.kind) {
  case 'b':
    return convert_bool;
  case 'i':
    return kSigned[width];
  case 'u':
    return kUnsigned[width];
  default:
    return field.size == 2 ? Convert{convert_half} : field.size == 4 ? Convert{convert<float>} : convert<double>;
  }
}

} // namespace

std::vector<Column> columns_of(const Header& head) {
  std::vector<Column> columns(static_cast<std::size_t>(head.table_cols()));
  for (std::size_t j = 0; j < columns.size(); ++j) {
    const Field& field = head.fields[head.structured ? j : 0];
    columns[j].name = head.structured ? field.name : fmt::format("x{}", j + 1);
    columns[j].type = field.whole() ? ColumnType::integer : ColumnType::real;
  }
  return columns;
}

void convert_rows(const Header& head, const char* data, const RowRange& range, std::vector<Column>& columns) {
  constexpr Index kTile = 64; // rows, so that a tile of a wide table stays in the cache while its columns are filled
  const bool native_little = std::endian::native == std::endian::little;
  const Index stride = head.fortran ? head.item_size : head.row_bytes();
  for (Index row = 0; row < range.count; row += kTile) {
    const Index rows = std::min(kTile, range.count - row);
    for (std::size_t j = 0; j < columns.size(); ++j) {
      const Field& field = head.fields[head.structured ? j : 0];
      const Index item = head.structured ? 0 : static_cast<Index>(j);
      const Index column = head.fortran ? item * head.rows * head.item_size : item * head.item_size;
      converter(field)(data + column + (range.first + row) * stride + field.offset, stride, rows,
                       field.big_endian == native_little, columns[j].values.data() + range.to + row);
    }
  }
}

Result<void> check_finite(const std::vector<Column>& columns, Index first_row, const std::string& source) {
  for (const Column& column : columns) {
    keep_going();
    if (column.type == ColumnType::integer) continue;
    const auto at = std::ranges::find_if(column.values, [](double v) { return std::isinf(v); });
    if (at != column.values.end())
      return fail(
          ErrorCode::bad_data,
          fmt::format("{}, row {}, column {}", source, first_row + (at - column.values.begin()) + 1, column.name),
          "the number is infinite", "replace it, or by NaN if it is missing");
  }
  return {};
}

} // namespace recta::npy
