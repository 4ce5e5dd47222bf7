#include "certificate/loss/certify.hpp"

#include "certificate/loss/firth.hpp"
#include "certificate/loss/judge.hpp"
#include "certificate/loss/kinked.hpp"
#include "certificate/loss/wide.hpp"
#include "objective/loss/find_basis.hpp"
#include "stats/basis/basis_rows.hpp"
#include "stats/shifted_rows.hpp"

#include <chrono>
#include <cmath>
#include <fmt/format.h>

namespace recta {
namespace {

// Columns far out are seen about a point near their means, which changes no score and no product of a dual point whose
// sum is zero, and leaves roundings the size of their deviations.
Result<LossChecked> checked_by(const LossClaimed& claimed, RowSource& rows, Pool& pool, const Watch& watch,
                               bool hurried) {
  const std::vector<double> shift = claimed.facts->shifts(claimed.objective);
  ShiftedRows shifted(rows, shift);
  RowSource& about = shift.empty() ? rows : static_cast<RowSource&>(shifted);
  const DoubleDouble b = constant_about(shift, claimed.w, claimed.b, 1);
  const double b_error = constant_about_error(shift, claimed.w, claimed.b);
  LossJudge judge(
      claimed, {.rows = about, .plain = rows, .answer = {{claimed.w.begin(), claimed.w.end()}, b}, .b_error = b_error},
      pool, watch, hurried);
  if (auto done = judge.run(); !done) return std::unexpected(done.error());
  const auto finished = [&](const LossJudge& by, const Basis& basis) {
    LossChecked checked = by.checked();
    checked.certificate = by.written(judge.residual());
    if (!by.curvature()) return checked;
    Gram curvature = *by.curvature();
    curvature.mean = intercept_means(basis, shift, curvature.mean);
    checked.curvature = std::make_shared<const Gram>(std::move(curvature));
    if (!basis.columns.empty()) checked.basis = std::make_shared<const Basis>(basis);
    return checked;
  };
  if (!judge.wants_basis()) return finished(judge, {});
  const auto search = find_basis(claimed.objective.intercept, claimed.facts->sums, about, nullptr, pool, watch);
  if (!search) return std::unexpected(search.error());
  LossClaimed again = claimed;
  again.passes += judge.passes() + search->passes;
  if (search->basis.columns.empty()) return finished(judge, {});
  BasisRows based(about, search->basis);
  ProofRows in_basis = rows_in_basis(claimed, shift, b, search->basis, based, rows);
  in_basis.b_error = b_error;
  LossJudge second(again, std::move(in_basis), pool, watch, hurried);
  if (auto done = second.run(); !done) return std::unexpected(done.error());
  return finished(second, search->basis);
}

} // namespace

Result<LossChecked> certify(const LossClaimed& claimed, const Gram*, RowSource* rows, Pool& pool, const Watch& watch) {
  const bool lines = !claimed.objective.at()->curved() || (claimed.objective.fitted_scale && claimed.scale == 0);
  bool finite = std::isfinite(claimed.b) && std::isfinite(claimed.scale) && (lines || claimed.scale > 0);
  for (const double w : claimed.w) finite = finite && std::isfinite(w);
  if (!finite)
    return fail(ErrorCode::refuted, "certificate", "a coefficient of the model is not a finite number",
                "the file was changed after the fit; fit again");
  if (static_cast<Index>(claimed.w.size()) != rows->cols())
    return fail(ErrorCode::bad_data, "certificate",
                fmt::format("the model has {} coefficients, the rows have {} features", claimed.w.size(), rows->cols()),
                "give the data the model was trained on");
  if (claimed.objective.firth) return certify_firth(claimed, *rows, pool, watch);
  if (claimed.without_gram && !lines) return certify_wide(claimed, *rows, pool, watch);
  const bool hurried = claimed.stopped_early && !watch;
  const auto begun = std::chrono::steady_clock::now();
  const bool elsewhere = rows->rounds() != nullptr; // all machines must come to the same end, whatever their time
  const Watch patience = [&](const Progress&) {
    return elsewhere ||
           std::chrono::duration<double>(std::chrono::steady_clock::now() - begun).count() < claimed.patience;
  };
  const Watch& until = hurried ? patience : watch;
  return lines ? certify_kinked(claimed, *rows, pool, until, hurried)
               : checked_by(claimed, *rows, pool, until, hurried);
}

} // namespace recta
