// For every row the nearest row of the subset is kept at hand. Adding a row to the subset is one distance per row;
// leaving one out is a search among the subset for the rows that it was nearest to.
#include "solver/neighbours/thin/thin.hpp"

#include "objective/neighbours/order.hpp"
#include "solver/neighbours/search.hpp"

#include <algorithm>
#include <numeric>

namespace recta::neighbours {
namespace {

constexpr Index kRowsOfAShare = 2048; // no task is given fewer distances

// The distance of every row to the nearest row of another label; infinite if there is none.
std::vector<double> border_distances(const LabelledPoints& rows, Pool& pool) {
  const Points& all = rows.points;
  std::vector<double> out(at(all.rows), kInfinity), labels(rows.label.begin(), rows.label.end());
  std::ranges::sort(labels);
  const auto repeated = std::ranges::unique(labels);
  labels.erase(repeated.begin(), repeated.end());
  for (const double label : labels) {
    std::vector<double> others, queries;
    std::vector<Index> asked;
    for (Index i = 0; i < all.rows; ++i) {
      const bool own = rows.label[at(i)] == label;
      (own ? queries : others).insert((own ? queries : others).end(), all.row(i), all.row(i) + all.cols);
      if (own) asked.push_back(i);
    }
    if (others.empty()) continue;
    const Points points{others, all.rows - std::ssize(asked), all.cols};
    const IndexWord index = choose_index(rows.metric, points.rows, points.cols, std::ssize(asked)).word;
    const auto found =
        make_search(index, rows.metric, points, pool)->find(queries.data(), std::ssize(asked), {.k = 1}, {}, pool);
    for (std::size_t q = 0; q < asked.size(); ++q) out[at(asked[q])] = found.list[q].distance;
  }
  return out;
}

class Subset {
public:
  Subset(const LabelledPoints& rows, Pool& pool)
      : rows_(rows), measure_(measure_of(rows.metric, rows.points)), pool_(pool),
        nearest_(at(rows.points.rows), Neighbour{kInfinity, -1}) {}

  const std::vector<Index>& members() const { return members_; }
  bool right(Index row) const {
    const Index near = nearest_[at(row)].row;
    return near >= 0 && rows_.label[at(near)] == rows_.label[at(row)];
  }

  void add(Index member) {
    members_.push_back(member);
    in_shares(rows_.points.rows, [&](Index i) { offer(nearest_[at(i)], i, member); });
  }

  // Leaves a member out unless that costs a row its label.
  void try_without(Index member) {
    std::vector<Index> rest, served;
    for (const Index one : members_)
      if (one != member) rest.push_back(one);
    for (Index i = 0; i < rows_.points.rows; ++i)
      if (nearest_[at(i)].row == member) served.push_back(i);
    if (rest.empty()) return;
    std::vector<Neighbour> next(served.size(), {kInfinity, -1});
    in_shares(std::ssize(served), [&](Index k) {
      for (const Index one : rest) offer(next[at(k)], served[at(k)], one);
    });
    for (std::size_t k = 0; k < served.size(); ++k)
      if (right(served[k]) && rows_.label[at(next[k].row)] != rows_.label[at(served[k])]) return;
    for (std::size_t k = 0; k < served.size(); ++k) nearest_[at(served[k])] = next[k];
    members_ = std::move(rest);
  }

private:
  void offer(Neighbour& best, Index row, Index member) const {
    const Points& points = rows_.points;
    const double distance = std::visit(
        [&](const auto& one) { return measured(one, points.row(row), points.row(member), points.cols); }, measure_);
    const Neighbour other{distance, member};
    if (best.row < 0 || Order(points, measure_, points.row(row))(other, best)) best = other;
  }

  template <class Work>
  void in_shares(Index count, const Work& work) {
    const Index shares = (count + kRowsOfAShare - 1) / kRowsOfAShare;
    pool_.run(shares, [&](Index share, int) {
      for (Index i = share * kRowsOfAShare; i < std::min(count, (share + 1) * kRowsOfAShare); ++i) work(i);
    });
  }

  const LabelledPoints& rows_;
  Measure measure_;
  Pool& pool_;
  std::vector<Index> members_;
  std::vector<Neighbour> nearest_; // of every row, in the subset
};

} // namespace

std::vector<Index> condensed_rows(const LabelledPoints& rows, Pool& pool) {
  const std::vector<double> border = border_distances(rows, pool);
  std::vector<Index> order(at(rows.points.rows));
  std::iota(order.begin(), order.end(), Index{0});
  std::ranges::sort(order,
                    [&](Index a, Index b) { return nearer(rows.points, {border[at(a)], a}, {border[at(b)], b}); });
  Subset subset(rows, pool);
  std::vector<bool> added(order.size());
  for (bool changed = true; changed;) {
    changed = false;
    for (const Index row : order) {
      if (added[at(row)] || subset.right(row)) continue;
      subset.add(row);
      added[at(row)] = changed = true;
    }
  }
  return subset.members();
}

std::vector<Index> reduced_rows(const LabelledPoints& rows, std::vector<Index> members, Pool& pool) {
  Subset subset(rows, pool);
  for (const Index member : members) subset.add(member);
  for (const Index member : members) subset.try_without(member);
  return subset.members();
}

} // namespace recta::neighbours
