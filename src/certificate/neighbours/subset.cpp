#include "certificate/neighbours/subset.hpp"

#include <fmt/format.h>

namespace recta::neighbours {
namespace {

template <class M>
Neighbour nearest_of(const SubsetClaim& claim, const M& measure, Index row) {
  Neighbour best{kInfinity, -1};
  for (const Index member : claim.kept) {
    const Neighbour neighbour{measured(measure, claim.points.row(row), claim.points.row(member), claim.points.cols),
                              member};
    if (best.row < 0 || nearer(claim.points, neighbour, best)) best = neighbour;
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
  pool.run(claim.points.rows, [&](Index i, int) {
    std::visit(
        [&](const auto& measure) {
          const Neighbour near = nearest_of(claim, measure, i);
          if (near.row >= 0 && claim.label[at(near.row)] == claim.label[at(i)]) return;
          state[at(i)] = contradicted(claim, measure, i) ? contradiction : wrong;
        },
        measure_of(claim.metric, claim.points));
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
  out.verdict = errors.wrong == errors.contradictions ? Verdict::proved : Verdict::refuted;
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

} // namespace recta::neighbours
