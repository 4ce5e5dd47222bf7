#include "rounds/layout.hpp"

#include <algorithm>

namespace recta::rounds {

feature::PartOfTable Layout::whole_leaves(Index part) const {
  const auto k = static_cast<std::size_t>(part);
  const Index first = first_row_[k], last = first_row_[k + 1];
  const Index begin = (first + leaf_ - 1) / leaf_ * leaf_;
  const Index end = last == rows() ? last : last / leaf_ * leaf_;
  if (begin >= end) return {0, 0, 0};
  return {begin - first, end - first, first};
}

std::vector<std::pair<Index, Index>> Layout::between() const {
  std::vector<std::pair<Index, Index>> out;
  Index reached = 0;
  const auto until = [&](Index row) {
    for (; reached < row; reached = std::min(row, reached + leaf_))
      out.emplace_back(reached, std::min(row, reached + leaf_));
  };
  for (Index part = 0; part < parts(); ++part) {
    const feature::PartOfTable whole = whole_leaves(part);
    if (whole.begin == whole.end) continue;
    until(whole.first_row + whole.begin);
    reached = whole.first_row + whole.end;
  }
  until(rows());
  return out;
}

} // namespace recta::rounds
