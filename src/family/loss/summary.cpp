#include "family/loss/summary.hpp"

#include "base/explained_share.hpp"
#include "base/numbers.hpp"
#include "evaluate/inference/likelihood.hpp"
#include "family/loss/finite_part.hpp"
#include "feature/schema.hpp"
#include "loss/loss.hpp"
#include "summary/plain_fit.hpp"

#include <fmt/format.h>

namespace recta {
namespace {

TargetFit target_fit(const LossCase& known, const LossSolution& solution, const LossChecked& checked,
                     const Schema& schema, const LinearSummary& columns) {
  const auto& [objective, facts] = known;
  TargetFit fit = plain_fit(schema.targets.empty() ? "y" : schema.targets[0], feature::feature_names(schema),
                            solution.w, solution.b, columns);
  if (loss::on_labels(objective.loss)) {
    if (objective.lambda1 > 0) fit.lambda1 = objective.lambda1, fit.lambda1_max = solution.lambda1_max;
    return fit;
  }
  const Index y = facts.sums.cols;
  const double spread = (objective.intercept ? facts.sums.spread(y) : facts.sums.squares[y]).hi;
  const bool log_link = objective.at()->log_link();
  fit.rss = checked.squares;
  fit.mse = checked.squares / facts.weight();
  fit.r2 = spread > 0 && !(log_link && !schema.offset.empty()) ? explained_share(checked.squares, spread) : kNaN;
  if (objective.fitted_scale) fit.scale = solution.scale;
  if (log_link) {
    fit.deviance = 2 * facts.weight() * checked.mean_loss;
    fit.d2 = facts.null_objective > 0 ? explained_share(checked.mean_loss, facts.null_objective) : kNaN;
  }
  return fit;
}

} // namespace

LinearSummary summary_of(const LossCase& known, const LossSolution& solution, const LossChecked& checked,
                         const FitOptions& options, const Schema& schema, Pool& pool) {
  const auto& [objective, facts] = known;
  LinearSummary out;
  out.solver = solution.solver;
  out.reason = solution.reason;
  out.rows = checked.rows;
  out.weight_sum = facts.weight();
  out.degrees_of_freedom = out.condition = kNaN;
  out.rank = checked.rank;
  out.lambda1 = objective.lambda1;
  out.lambda2 = objective.lambda2;
  out.intercept = objective.intercept;
  out.standardised = objective.standardise;
  out.weights_are = options.weights_are;
  out.confidence = options.confidence;
  add_columns(facts.sums, out);
  out.targets.push_back(target_fit(known, solution, checked, schema, out));
  if (loss::on_labels(objective.loss)) out.classes.accuracy = checked.right / facts.weight();
  if (objective.log_odds()) {
    out.classes.log_likelihood = -facts.weight() * checked.mean_loss;
    out.classes.null_log_likelihood = -facts.weight() * facts.null_objective;
    const bool curved = checked.curvature && checked.curvature->weight > 0; // not where every row is past all doubt
    const bool finite = !std::holds_alternative<NoFiniteMaximum>(checked.certificate.claim) && solution.runaway.empty();
    if (objective.lambda1 == 0 && objective.lambda2 == 0 && finite && curved) {
      std::vector<char> constant;
      for (Index j = 0; j < facts.sums.cols; ++j) constant.push_back(facts.sums.constant(j, objective.intercept));
      add_likelihood_inference(*checked.curvature, checked.basis.get(), constant, pool, out);
      if (objective.firth) out.classes.ratio = out.classes.ratio_freedom = out.classes.ratio_p_value = kNaN;
    }
  }
  return out;
}

Result<void> add_finite_errors(const LossObjective& objective, double tolerance, const TaskRows& task,
                               Certificate& certificate, LinearSummary& linear) {
  const auto* unbounded = std::get_if<NoFiniteMaximum>(&certificate.claim);
  if (!unbounded || certificate.verdict == Verdict::refuted) return {};
  const auto finite = finite_variances(unbounded->direction, objective, tolerance, task);
  if (!finite) return std::unexpected(finite.error());
  if (finite->rows == 0) return {};
  add_errors_of(finite->w, finite->b, linear);
  certificate.conditions.push_back(
      fmt::format("standard errors are those of the coefficients that the {} on the plane determine, which alone are "
                  "finite",
                  finite->rows == 1 ? "row" : fmt::format("{} rows", finite->rows)));
  return {};
}

} // namespace recta
