#include "design/compressed.hpp"

#include "base/pool.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <numeric>
#include <vector>

namespace recta {
namespace {

// How many indices from `from` to `end` do not ascend from the one before. Counted in their own width, so that
// registers are full.
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

// Lines begin in order, and the first and the last index of each are within bounds: then how many indices fall from
// one line to the next, else -1.
template <class I>
Index falls_between(const SparseView& x, Index lines, Index across) {
  const auto* start = static_cast<const I*>(x.start);
  const auto* index = static_cast<const I*>(x.index);
  Index between = 0;
  for (Index line = 0; line < lines; ++line) {
    const I begin = start[line], end = start[line + 1];
    if (begin == end) continue;
    if (begin < 0 || end < begin || index[begin] < 0 || index[end - 1] >= across) return -1;
    between += begin > 0 && index[begin] <= index[begin - 1] ? 1 : 0;
  }
  return start[0] == 0 ? between : -1;
}

// Whether all is right, in two straight runs: where no indices fall but from one line to the next, all between the
// first and the last of a line are within bounds too.
template <class I>
bool is_right(const SparseView& x, Index lines, Index across, int threads) {
  constexpr Index kPart = 1 << 20;
  const Index between = falls_between<I>(x, lines, across);
  if (between < 0) return false;
  const Index count = static_cast<Index>(static_cast<const I*>(x.start)[lines]), parts = (count + kPart - 1) / kPart;
  std::vector<Index> found(static_cast<std::size_t>(parts));
  Pool pool(parts > 1 ? threads : 1);
  pool.run(parts, [&](Index part, int) {
    found[static_cast<std::size_t>(part)] =
        falls(static_cast<const I*>(x.index), part * kPart, std::min(count, (part + 1) * kPart));
  });
  return std::accumulate(found.begin(), found.end(), Index{0}) == between;
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
