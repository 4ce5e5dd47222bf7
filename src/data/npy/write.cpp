#include "data/npy/npy.hpp"
#include "data/output.hpp"

#include <algorithm>
#include <bit>
#include <cstring>
#include <fmt/format.h>

namespace recta {
namespace {

constexpr std::size_t kNumbers = 1 << 17; // numbers gathered before they are written

std::string head(Index rows, Index cols) {
  std::string text = fmt::format("{{'descr': '<f8', 'fortran_order': False, 'shape': ({}, {}), }}", rows, cols);
  text.append(63 - (10 + text.size()) % 64, ' ').push_back('\n'); // numbers begin at a multiple of 64
  const auto size = static_cast<unsigned>(text.size());
  std::string bytes("\x93NUMPY\x01\x00", 8);
  bytes.push_back(static_cast<char>(size & 0xFF));
  bytes.push_back(static_cast<char>(size >> 8));
  return bytes + text;
}

Result<void> flush(Values& numbers, Output& output) {
  if constexpr (std::endian::native == std::endian::big)
    for (double& number : numbers)
      number = std::bit_cast<double>(__builtin_bswap64(std::bit_cast<std::uint64_t>(number)));
  auto done = output.write({reinterpret_cast<const char*>(numbers.data()), numbers.size() * sizeof(double)});
  numbers.clear();
  return done;
}

void add_row(const Dataset& data, std::size_t i, Values& numbers) {
  for (const Column& column : data.columns) numbers.push_back(column.values[i]);
  if (data.sparse.start.empty()) return;
  const std::size_t begin = numbers.size();
  numbers.resize(begin + static_cast<std::size_t>(data.sparse.cols));
  std::fill(numbers.begin() + static_cast<std::ptrdiff_t>(begin), numbers.end(), 0.0);
  for (Index k = data.sparse.start[i]; k < data.sparse.start[i + 1]; ++k)
    numbers[begin + static_cast<std::size_t>(data.sparse.index[static_cast<std::size_t>(k)])] =
        data.sparse.value[static_cast<std::size_t>(k)];
}

} // namespace

Result<void> write_npy(const Dataset& data, const std::string& path) {
  for (const Column& column : data.columns)
    if (!column.numeric())
      return fail(ErrorCode::bad_data, fmt::format("{}, column {}", data.source, column.name),
                  "a .npy file holds numbers, and this column holds text",
                  fmt::format("pass --ignore {}, or write CSV", column.name));
  auto output = Output::open(path);
  if (!output) return std::unexpected(output.error());
  const Index sparse = data.sparse.start.empty() ? 0 : data.sparse.cols;
  if (auto done = output->write(head(data.rows, static_cast<Index>(data.columns.size()) + sparse)); !done) return done;
  Values numbers;
  for (Index i = 0; i < data.rows; ++i) {
    add_row(data, static_cast<std::size_t>(i), numbers);
    if (numbers.size() >= kNumbers)
      if (auto done = flush(numbers, *output); !done) return done;
  }
  if (auto done = flush(numbers, *output); !done) return done;
  return output->commit();
}

} // namespace recta
