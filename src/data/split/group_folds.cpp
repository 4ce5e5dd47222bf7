#include "data/split/group_folds.hpp"

#include "base/numbers.hpp"
#include "data/split/row_hash.hpp"

#include <algorithm>
#include <map>
#include <numeric>

namespace recta {
namespace {

using ClassCounts = std::vector<double>; // rows of each class

std::vector<ClassCounts> class_counts(const std::vector<RowGroup>& groups, const std::vector<double>& label) {
  std::map<double, std::size_t> place;
  for (const RowGroup& group : groups)
    for (const Index row : group.rows) place.emplace(label.empty() ? 0 : label[at(row)], 0);
  std::size_t next = 0;
  for (auto& [name, number] : place) number = next++;
  std::vector<ClassCounts> out(groups.size(), ClassCounts(place.size()));
  for (std::size_t g = 0; g < groups.size(); ++g)
    for (const Index row : groups[g].rows) ++out[g][place[label.empty() ? 0 : label[at(row)]]];
  return out;
}

std::vector<ClassCounts> label_counts(const std::vector<RowGroup>& groups, const SplitRows& known) {
  const std::size_t labels = at(known.labels);
  std::vector<ClassCounts> out(groups.size(), ClassCounts(labels + 1));
  for (std::size_t g = 0; g < groups.size(); ++g)
    for (const Index row : groups[g].rows) {
      for (std::size_t k = 0; k < labels; ++k) out[g][k] += known.members[at(row) * labels + k];
      ++out[g][labels];
    }
  return out;
}

// How much sum_k (c_fk / c_k)^2 of a fold grows with a group.
double growth(const ClassCounts& fold, const ClassCounts& group, const ClassCounts& all) {
  double sum = 0;
  for (std::size_t k = 0; k < all.size(); ++k)
    if (group[k] > 0) sum += group[k] * (2 * fold[k] + group[k]) / (all[k] * all[k]);
  return sum;
}

} // namespace

std::vector<RowGroup> drawn_groups(const std::vector<Index>& used, const std::vector<Index>& group,
                                   std::uint64_t seed) {
  std::map<Index, std::vector<Index>> rows;
  for (const Index row : used) rows[group[at(row)]].push_back(row);
  std::vector<RowGroup> out;
  for (auto& [number, group_rows] : rows) out.push_back({number, std::move(group_rows)});
  const RowHash hash(seed);
  std::ranges::sort(out, {}, [&](const RowGroup& one) { return hash(one.number); });
  return out;
}

std::vector<Index> group_folds(const std::vector<RowGroup>& groups, const SplitRows& known, Index folds) {
  const std::vector<ClassCounts> counts =
      known.labels > 0 ? label_counts(groups, known) : class_counts(groups, known.label);
  std::vector<std::size_t> order(groups.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::sort(order, {}, [&](std::size_t g) { return std::pair(-std::ssize(groups[g].rows), g); });
  const std::size_t classes = counts.empty() ? 0 : counts[0].size();
  ClassCounts all(classes);
  for (const ClassCounts& one : counts) std::ranges::transform(all, one, all.begin(), std::plus());
  std::vector<ClassCounts> in_fold(at(folds), ClassCounts(classes));
  std::vector<std::size_t> rows(at(folds));
  std::vector<Index> out(groups.size());
  for (const std::size_t g : order) {
    std::size_t best = 0;
    std::pair<double, std::size_t> least{kInfinity, 0};
    for (std::size_t f = 0; f < in_fold.size(); ++f) {
      const std::pair cost{growth(in_fold[f], counts[g], all), rows[f]};
      if (cost < least) least = cost, best = f;
    }
    out[g] = static_cast<Index>(best);
    rows[best] += groups[g].rows.size();
    std::ranges::transform(in_fold[best], counts[g], in_fold[best].begin(), std::plus());
  }
  return out;
}

} // namespace recta
