#include "design/csc/csc_source.hpp"

#include <algorithm>

namespace recta {
namespace {

constexpr Index kTogether = Index{1} << 19; // numbers that stay in the cache while they are written

// Counting sort by row, a group of rows at a time: the rows that come next in every column.
template <class I>
void by_row(const SparseView& x, std::vector<Index>& start, CscSource::Places& index, Values& value) {
  const I* column = static_cast<const I*>(x.start);
  const I* row = static_cast<const I*>(x.index);
  const Index count = column[x.cols] - column[0];
  start.assign(static_cast<std::size_t>(x.rows) + 1, 0);
  index.resize(static_cast<std::size_t>(count));
  value.resize(index.size());
  for (Index s = column[0]; s < column[x.cols]; ++s) ++start[static_cast<std::size_t>(row[s]) + 1];
  for (std::size_t i = 1; i < start.size(); ++i) start[i] += start[i - 1];
  std::vector<Index> next(start.begin(), start.end() - 1);
  std::vector<I> done(column, column + x.cols);
  const Index some = std::max(kTogether, x.cols / 2); // visiting a column costs too
  for (Index first = 0; first < x.rows;) {
    const auto end = static_cast<Index>(
        std::upper_bound(start.begin() + first + 1, start.end() - 1, start[first] + some) - start.begin());
    for (Index j = 0; j < x.cols; ++j) {
      I s = done[j];
      for (; s < column[j + 1] && row[s] < end; ++s) {
        const Index at = next[row[s]]++;
        index[at] = j;
        value[at] = x.value[s];
      }
      done[j] = s;
    }
    first = end;
  }
}

} // namespace

CscSource::CscSource(const SparseView& x, const Outcome& outcome, Index first_row)
    : CountedSource(x.rows, x.cols, outcome.target.cols, first_row), x_(x), first_row_(first_row), outcome_(outcome) {}

std::optional<Batch> CscSource::columns() const {
  Batch all;
  all.x = x_;
  attach_outcome(outcome_, 0, x_.rows, all);
  all.first_row = first_row_;
  return all;
}

void CscSource::prepare() {
  if (!start_.empty()) return;
  if (x_.width == IndexWidth::bits32)
    by_row<std::int32_t>(x_, start_, index_, value_);
  else
    by_row<std::int64_t>(x_, start_, index_, value_);
}

Batch CscSource::batch(Index first, Index count) const {
  Batch out;
  out.x = SparseView{count, cols(), start_.data() + first, index_.data(), value_.data()};
  attach_outcome(outcome_, first, count, out);
  return out;
}

} // namespace recta
