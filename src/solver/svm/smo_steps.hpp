// The steps that searches by working sets share, whether their coefficients are of rows (smo_search.hpp) or of terms of
// rows (grouped_rows.hpp): `items` are either.
#pragma once

#include "base/pool.hpp"
#include "solver/svm/smo.hpp"
#include "solver/svm/working_set.hpp"

#include <algorithm>
#include <numeric>
#include <span>
#include <utility>
#include <vector>

namespace recta::svm {

// As many items at a time as their kernel rows can be asked for: use(the first one's place, the items).
template <class Use>
void in_portions(std::span<const Index> items, Index together, const Use& use) {
  for (Index from = 0; from < std::ssize(items); from += together)
    use(from, items.subspan(at(from), at(std::min<Index>(together, std::ssize(items) - from))));
}

// The numbers of some columns of rows, row after row.
template <class Number>
void take_columns(std::span<const Number* const> rows, std::span<const Index> columns, double* out) {
  for (const Number* const row : rows)
    for (const Index column : columns) *out++ = static_cast<double>(row[column]);
}

template <class Number>
void take_kernel(std::span<const Number* const> rows, std::span<const Index> columns, WorkingSet& set, Pool& pool) {
  set.kernel.resize(columns.size() * columns.size());
  constexpr std::size_t kRowsOfTask = 32;
  pool.run(static_cast<Index>((rows.size() + kRowsOfTask - 1) / kRowsOfTask), [&](Index task, int) {
    const std::size_t first = at(task) * kRowsOfTask, count = std::min(rows.size() - first, kRowsOfTask);
    take_columns(rows.subspan(first, count), columns, set.kernel.data() + first * columns.size());
  });
}

// A violation for each item that may join a set, the largest of them the lowest number.
using Violations = std::vector<std::pair<double, Index>>;

// The newest half of the set stays, and the items out of `all` that violate most join it, from both sides; all of them,
// if they are few. `look(item, grow, shrink)` says how much an item violates.
template <class Look>
void renew(std::vector<Index>& set, Index all, const Look& look) {
  const Index size = std::min(kSmoRows, all);
  if (size == all) {
    set.resize(at(size));
    std::iota(set.begin(), set.end(), Index{0});
    return;
  }
  if (std::ssize(set) > size / 2) set.erase(set.begin(), set.end() - size / 2);
  std::vector<bool> taken(at(all));
  for (const Index item : set) taken[at(item)] = true;
  Violations grow, shrink;
  for (Index item = 0; item < all; ++item)
    if (!taken[at(item)]) look(item, grow, shrink);
  const Index side = (size - std::ssize(set)) / 2;
  for (Violations* const from : {&grow, &shrink}) {
    const auto some = std::min<std::ptrdiff_t>(side, std::ssize(*from));
    std::ranges::nth_element(*from, from->begin() + some);
    std::sort(from->begin(), from->begin() + some); // in a fixed order
    for (const auto& [off, item] : std::span(*from).first(static_cast<std::size_t>(some)))
      if (!taken[at(item)]) set.push_back(item), taken[at(item)] = true;
  }
}

// Solves a working set of these items out of `all`, whose coefficients move; returns their changes.
inline std::vector<double> solve_set(WorkingSet& set, std::span<const Index> items, double tolerance,
                                     std::vector<double>& beta, Index& steps) {
  steps += set.solve(tolerance, 40 * set.size + 1000);
  std::vector<double> change(items.size());
  for (std::size_t a = 0; a < items.size(); ++a) {
    double& before = beta[at(items[a])];
    change[a] = set.beta[a] - before;
    before = set.beta[a];
  }
  return change;
}

} // namespace recta::svm
