#include "data/csv/budget.hpp"

#include "data/dataset.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace recta::csv {
namespace {

std::size_t column_bytes(ColumnType type) {
  if (type == ColumnType::text) return sizeof(std::string);
  return type == ColumnType::category ? sizeof(std::int32_t) : sizeof(double);
}

} // namespace

Budget::Budget(const Layout& layout, std::size_t thread_bytes, int threads) : layout_(layout) {
  fixed_ = static_cast<double>(kColumnBytes * layout.types.size()) + static_cast<double>(thread_bytes) * threads;
  for (const ColumnType type : layout.types) row_ += static_cast<double>(column_bytes(type));
}

std::unexpected<Error> Budget::refusal(double rows, bool about) const {
  if (about) { // three digits of it
    const double unit = std::pow(10, std::max(0.0, std::floor(std::log10(rows)) - 2));
    rows = std::round(rows / unit) * unit;
  }
  const double needed = fixed_ + text_ + rows * row_;
  const bool levels = needed <= limit_;
  return fail(ErrorCode::bad_data, layout_.source,
              fmt::format("{}{:.0f} rows of {} columns{} need {}{:.0f} MiB, more than the limit of {:.0f} MiB",
                          about ? "about " : "", rows, layout_.cols(), levels ? " with their texts" : "",
                          levels ? "more than " : "", (levels ? limit_ : needed) / 1048576, limit_ / 1048576),
              "raise --max-memory, or stream the file");
}

} // namespace recta::csv
