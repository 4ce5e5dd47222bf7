#include "design/compressed.hpp"

#include <fmt/format.h>

namespace recta {
namespace {

// Whether they ascend; the first and the last then bound all of them. Without a branch a step, as nearly all do.
template <class I>
bool ascends(const I* index, Index count) {
  unsigned wrong = 0;
  for (Index k = 1; k < count; ++k) wrong |= index[k] <= index[k - 1] ? 1U : 0U;
  return wrong == 0;
}

template <class I>
Result<void> check_compressed(const SparseView& x, const std::string& source) {
  const auto* start = static_cast<const I*>(x.start);
  const auto* index = static_cast<const I*>(x.index);
  const bool by_row = x.compressed == Compressed::by_row;
  const Index lines = by_row ? x.rows : x.cols, across = by_row ? x.cols : x.rows;
  const auto refuse = [&](Index line, const std::string& what) {
    return fail(ErrorCode::bad_data,
                fmt::format("{}{} {}", source.empty() ? "" : source + ", ", by_row ? "row" : "column", line + 1), what,
                "give compressed rows or columns with sorted indices that occur once");
  };
  if (start[0] != 0) return refuse(0, fmt::format("its first number is at {}, not at 0", start[0]));
  for (Index line = 0; line < lines; ++line) {
    if (start[line + 1] < start[line])
      return refuse(line, fmt::format("it ends at {} before it begins at {}", start[line + 1], start[line]));
    const I* own = index + start[line];
    const auto count = static_cast<Index>(start[line + 1] - start[line]);
    if (count == 0 || (own[0] >= 0 && own[count - 1] < across && ascends(own, count))) continue;
    for (I k = start[line]; k < start[line + 1]; ++k) {
      if (index[k] < 0 || index[k] >= across)
        return refuse(line, fmt::format("index {} is not in 0 .. {}", index[k], across - 1));
      if (k > start[line] && index[k] <= index[k - 1])
        return refuse(line, fmt::format("index {} comes after {}", index[k], index[k - 1]));
    }
  }
  return {};
}

} // namespace

Result<void> check_sparse(const SparseView& x, const std::string& source) {
  return x.width == IndexWidth::bits64 ? check_compressed<std::int64_t>(x, source)
                                       : check_compressed<std::int32_t>(x, source);
}

} // namespace recta
