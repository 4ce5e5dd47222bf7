#include "design/compressed.hpp"

#include "base/pool.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <vector>

namespace recta {
namespace {

// The number of indices from `from` to `end` that do not ascend from the one before. They are counted in their own
// width, so that registers are full.
template <class I>
Index falls(const I* index, Index from, Index end) {
  constexpr Index kRun = 1 << 16;
  Index all = 0;
  for (from = std::max<Index>(from, 1); from < end; from += kRun) {
    const Index stop = std::min(end, from + kRun);
    I some = 0;
    for (Index k = from; k < stop; ++k) some += index[k] <= index[k - 1] ? 1 : 0;
    all += some;
  }
  return all;
}

// The number of indices that fall in lines [first, end), not counting those that fall from one line to the next. The
// first and the last index of each line must be within bounds; otherwise the result is 1.
template <class I>
Index falls_inside(const SparseView& x, Index first, Index end, Index across) {
  const auto* start = static_cast<const I*>(x.start);
  const auto* index = static_cast<const I*>(x.index);
  Index between = 0;
  for (Index line = first; line < end; ++line) {
    const I begin = start[line], stop = start[line + 1];
    if (begin == stop) continue;
    if (index[begin] < 0 || index[stop - 1] >= across) return 1;
    between += begin > 0 && index[begin] <= index[begin - 1] ? 1 : 0;
  }
  return falls(index, static_cast<Index>(start[first]), static_cast<Index>(start[end])) - between;
}

// Whether everything is right, checked in straight runs: if indices fall only from one line to the next, all indices
// between the first and the last of a line are within bounds too.
template <class I>
bool is_right(const SparseView& x, Index lines, Index across, int threads) {
  constexpr Index kPart = 1 << 18; // indices, approximately
  const auto* start = static_cast<const I*>(x.start);
  if (start[0] != 0 || !std::is_sorted(start, start + lines + 1)) return false;
  const auto count = static_cast<Index>(start[lines]), parts = std::min(lines, count / kPart + 1);
  std::vector<Index> disorder(static_cast<std::size_t>(parts));
  Pool pool(parts > 1 ? threads : 1);
  pool.run(parts, [&](Index part, int) {
    disorder[static_cast<std::size_t>(part)] =
        falls_inside<I>(x, part * lines / parts, (part + 1) * lines / parts, across);
  });
  return std::ranges::all_of(disorder, [](Index some) { return some == 0; });
}

template <class I>
Result<void> check_compressed(const SparseView& x, const std::string& source, int threads) {
  const auto* start = static_cast<const I*>(x.start);
  const auto* index = static_cast<const I*>(x.index);
  const bool by_row = x.compressed == Compressed::by_row;
  const Index lines = by_row ? x.rows : x.cols, across = by_row ? x.cols : x.rows;
  const auto refuse = [&](Index line, const std::string& what) {
    return fail(ErrorCode::bad_data,
                fmt::format("{}{} {}", source.empty() ? "" : source + ", ", by_row ? "row" : "column", line + 1), what,
                "give compressed rows or columns with sorted indices that occur once");
  };
  if (is_right<I>(x, lines, across, threads)) return {};
  if (start[0] != 0) return refuse(0, fmt::format("its first number is at {}, not at 0", start[0]));
  for (Index line = 0; line < lines; ++line) {
    if (start[line + 1] < start[line])
      return refuse(line, fmt::format("it ends at {} before it begins at {}", start[line + 1], start[line]));
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

Result<void> check_sparse(const SparseView& x, const std::string& source, int threads) {
  return x.width == IndexWidth::bits64 ? check_compressed<std::int64_t>(x, source, threads)
                                       : check_compressed<std::int32_t>(x, source, threads);
}

} // namespace recta
