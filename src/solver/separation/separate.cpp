#include "solver/separation/separate.hpp"

#include "base/blas.hpp"
#include "solver/separation/search.hpp"

#include <algorithm>

namespace recta::separation {
namespace {

constexpr double kZero = 1e-12; // |v| to the longest point, in columns of one scale
constexpr double kJitter = 1e-6;

void take(const Search& search, SeparationClaim& out) {
  out.rows.clear();
  out.multipliers.clear();
  for (const auto& [row, a] : search.multipliers()) {
    out.rows.push_back(row);
    out.multipliers.push_back(a);
  }
}

Hyperplane hyperplane_of(const RowView& view, const Search& search) {
  Hyperplane out;
  out.b = view.hyperplane(search.nearest().v(), out.w);
  return out;
}

// The rows with multipliers, without those whose multiplier may be only rounding.
std::vector<Index> clearly_forced(const Search& search) {
  constexpr double kClear = 1e-9;
  std::vector<Index> rows;
  for (const auto& [row, a] : search.multipliers())
    if (a > kClear) rows.push_back(row);
  return rows;
}

// Rows with multipliers of a zero sum lie on every hyperplane that has no row on its wrong side, and so does their
// span. The remaining rows are asked again, at right angles to them, until they are on one side or none is left.
void pass_through_forced(RowView& view, const Search& first, Candidate& candidate) {
  SeparationClaim& out = candidate.claim;
  std::vector<Index> forced = clearly_forced(first);
  for (;;) {
    for (const Index row : view.pass_through(forced)) out.on.push_back(row);
    out.forced_by.insert(out.forced_by.end(), forced.begin(), forced.end());
    if (view.present().empty()) break;
    Search search(view);
    const NearestPoint::End end = search.run(Goal::widest, {}, kZero);
    candidate.looks += search.looks();
    if (end != NearestPoint::End::zero) {
      out.hyperplanes.push_back(hyperplane_of(view, search));
      for (const auto& [row, a] : search.multipliers()) out.beyond.push_back(row);
      std::ranges::sort(out.on);
      return;
    }
    forced = clearly_forced(search);
  }
  out.on.clear();
  out.forced_by.clear();
}

// Rows of decimals may cancel on paper, but as doubles only to rounding. If the origin is well inside, as many rows as
// there are equations cancel exactly.
void find_general(const RowView& view, Candidate& candidate) {
  const Index equations = view.dimension() + view.groups();
  if (std::ssize(candidate.claim.rows) >= equations) return;
  Search search(view, kJitter);
  if (search.run(Goal::side, {}, kZero) == NearestPoint::End::zero) {
    const auto multipliers = search.multipliers();
    for (const auto& [row, a] : multipliers) candidate.claim.general.push_back(row);
    if (std::ssize(multipliers) != equations) candidate.claim.general.clear();
  }
  candidate.looks += search.looks();
}

} // namespace

Candidate separate(const Labelled& problem, Pool& pool) {
  const blas::SerialBlas serial;
  RowView view(problem, pool);
  Candidate out;
  view.scale_columns();
  Search side(view);
  const NearestPoint::End end = side.run(Goal::side, {}, kZero);
  take(side, out.claim);
  out.looks = side.looks() + 1;
  if (end == NearestPoint::End::zero) {
    out.claim.zero = true;
    find_general(view, out);
    pass_through_forced(view, side, out);
    return out;
  }
  const Hyperplane first = hyperplane_of(view, side);
  view.scale_together();
  Search widest(view);
  // A margin may be small compared with large columns that do not matter: only zero itself counts as the origin here.
  if (widest.run(Goal::widest, out.claim.rows, 0) != NearestPoint::End::zero) {
    take(widest, out.claim);
    out.claim.hyperplanes.push_back(hyperplane_of(view, widest));
  }
  out.claim.hyperplanes.push_back(first);
  out.looks += widest.looks();
  return out;
}

} // namespace recta::separation
