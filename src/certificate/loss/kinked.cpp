#include "certificate/loss/kinked.hpp"

#include "certificate/loss/kink_judge.hpp"
#include "objective/loss/find_basis.hpp"
#include "stats/basis/basis_rows.hpp"

namespace recta {

Result<LossChecked> certify_kinked(const LossClaimed& claimed, RowSource& rows, Pool& pool, const Watch& watch,
                                   bool hurried) {
  const DoubleDouble b = claimed.b;
  KinkJudge judge(claimed, {.rows = rows, .plain = rows, .answer = {{claimed.w.begin(), claimed.w.end()}, b}}, pool,
                  watch, hurried);
  if (auto done = judge.run(); !done) return std::unexpected(done.error());
  if (!judge.wants_basis()) return judge.checked();
  const auto search = find_basis(claimed.objective.intercept, claimed.facts->sums, rows, nullptr, pool, watch);
  if (!search) return std::unexpected(search.error());
  if (search->basis.columns.empty()) return judge.checked();
  LossClaimed again = claimed;
  again.passes += judge.passes() + search->passes;
  BasisRows based(rows, search->basis);
  KinkJudge second(again, rows_in_basis(claimed, {}, b, search->basis, based, rows), pool, watch, hurried);
  if (auto done = second.run(); !done) return std::unexpected(done.error());
  return second.checked();
}

} // namespace recta
