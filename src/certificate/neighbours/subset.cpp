#include "certificate/neighbours/subset.hpp"

#include "certificate/neighbours/recall.hpp"
#include "certificate/verdict.hpp"
#include "objective/neighbours/order.hpp"

#include <fmt/format.h>
#include <numeric>

namespace recta::neighbours {
namespace {

constexpr Index kEditedSample = 2000;
constexpr double kEditedProducts = 8e9; // of coordinates, in which every row is checked

template <class M>
Neighbour nearest_of(const SubsetClaim& claim, const Measure& known, const M& measure, Index row) {
  Neighbour best{kInfinity, -1};
  const Order order(claim.points, known, claim.points.row(row));
  for (const Index member : claim.kept) {
    const Neighbour neighbour{measured(measure, claim.points.row(row), claim.points.row(member), claim.points.cols),
                              member};
    if (best.row < 0 || order(neighbour, best)) best = neighbour;
  }
  return best;
}

// An equal row, which comes before this one and has another label.
template <class M>
bool contradicted(const SubsetClaim& claim, const M& measure, Index row) {
  for (Index i = 0; i < claim.points.rows; ++i)
    if (claim.label[at(i)] != claim.label[at(row)] && nearer(claim.points, {0, i}, {0, row}) &&
        measured(measure, claim.points.row(row), claim.points.row(i), claim.points.cols) == 0)
      return true;
  return false;
}

} // namespace

SubsetErrors subset_errors(const SubsetClaim& claim, Pool& pool) {
  enum State : std::uint8_t { right, wrong, contradiction };
  std::vector<std::uint8_t> state(at(claim.points.rows));
  const Measure known = measure_of(claim.metric, claim.points);
  pool.run(claim.points.rows, [&](Index i, int) {
    std::visit(
        [&](const auto& measure) {
          const Neighbour near = nearest_of(claim, known, measure, i);
          if (near.row >= 0 && claim.label[at(near.row)] == claim.label[at(i)]) return;
          state[at(i)] = contradicted(claim, measure, i) ? contradiction : wrong;
        },
        known);
  });
  SubsetErrors out;
  double total = 0;
  for (Index i = 0; i < claim.points.rows; ++i) {
    total += claim.points.places_of(i);
    if (state[at(i)] == right) continue;
    out.weight += claim.points.places_of(i);
    ++out.wrong;
    out.contradictions += state[at(i)] == contradiction ? 1 : 0;
  }
  out.weight /= total;
  return out;
}

Certificate certify_subset(const SubsetClaim& claim, const SubsetErrors& errors) {
  Certificate out;
  out.claim = Searched{claim.points.rows * std::ssize(claim.kept)};
  out.stop = "searched";
  out.passes = 1;
  out.objective = out.null_objective = kNaN;
  out.verdict = verdict_of({.distance = 0, .contradicted = errors.wrong != errors.contradictions});
  const Index right = claim.points.rows - errors.wrong;
  out.conditions.push_back(fmt::format("the nearest of the {} rows kept gives {} of the {} rows their class",
                                       claim.kept.size(), right == claim.points.rows ? "all" : fmt::format("{}", right),
                                       claim.points.rows));
  if (errors.contradictions > 0)
    out.conditions.push_back(fmt::format("{} rows have an equal row of another class, and no subset gives both theirs",
                                         errors.contradictions));
  if (errors.wrong > errors.contradictions)
    out.conditions.push_back(
        fmt::format("{} other rows are called another class", errors.wrong - errors.contradictions));
  return out;
}

Certificate certify_edited(const EditedClaim& claim, const LabelOf& vote, Pool& pool) {
  const Points& points = claim.points;
  const double n = static_cast<double>(points.rows);
  const Index step =
      n * n * static_cast<double>(points.cols) <= kEditedProducts ? 1 : std::max<Index>(1, points.rows / kEditedSample);
  const Index checked = (points.rows + step - 1) / step;
  std::vector<std::uint8_t> differing(at(checked));
  pool.run(checked, [&](Index task, int) {
    const Index row = task * step;
    const auto list = by_definition(claim.metric, points, {claim.k}, points.row(row), row);
    differing[at(task)] = (vote(list) == claim.label[at(row)]) != claim.kept[at(row)] ? 1 : 0;
  });
  const Index wrong = std::accumulate(differing.begin(), differing.end(), Index{0});
  Certificate out;
  out.claim = Searched{checked * points.rows};
  out.stop = "searched";
  out.passes = 1;
  out.objective = out.null_objective = kNaN;
  out.verdict = verdict_of({.distance = 0, .contradicted = wrong > 0});
  const std::string who = step == 1 ? fmt::format("of all {} rows", points.rows)
                                    : fmt::format("of {} rows (the first and every {} after it)", checked, step);
  out.conditions.push_back(
      wrong == 0
          ? fmt::format("{} those are kept that their {} nearest others call their own class, and no others", who,
                        claim.k)
          : fmt::format("{} {} are kept or left out against the vote of their {} nearest others", who, wrong, claim.k));
  return out;
}

} // namespace recta::neighbours
