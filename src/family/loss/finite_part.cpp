#include "family/loss/finite_part.hpp"

#include "base/blas.hpp"
#include "base/numbers.hpp"
#include "certificate/loss/certify.hpp"
#include "certificate/loss/plane.hpp"
#include "design/changed_rows.hpp"
#include "solver/closed_form/describe.hpp"
#include "stats/rows.hpp"

#include <algorithm>
#include <cmath>

namespace recta {
namespace {

// The rows with those that do not lie on the plane given zero weight.
class RowsOnPlane final : public ChangedRows<std::vector<double>> {
public:
  RowsOnPlane(RowSource& inner, const std::vector<double>& direction) : ChangedRows(inner), direction_(direction) {}

private:
  void change(Batch& batch, std::vector<double>& weights) const override {
    weights.clear();
    for (Index i = 0; i < batch.rows(); ++i) {
      const double weight = batch.weight.empty() ? 1 : batch.weight[static_cast<std::size_t>(i)];
      weights.push_back(weight > 0 && margin_of(batch.x, i, direction_).zero() ? weight : 0);
    }
    batch.weight = weights;
  }

  const std::vector<double>& direction_;
};

// The maximum over the rows on the plane, if it is proved to be one.
Result<std::optional<LossChecked>> checked_maximum(const LossObjective& objective, double tolerance,
                                                   const TaskRows& task) {
  const auto& [schema, rows, pool, clock] = task;
  const Places places = places_of(schema, rows.name);
  auto facts = loss_facts(rows.source, pool, clock.watch(), places);
  if (!facts) return std::unexpected(facts.error());
  if (!(facts->weight() > 0) || facts->range.least == facts->range.largest) return std::nullopt; // of one class
  if (auto done = add_null(objective, rows.source, pool, clock.watch(), *facts); !done)
    return std::unexpected(done.error());
  const auto solution = solve_loss(objective, *facts, tolerance, task);
  if (!solution) return std::unexpected(solution.error());
  if (solution->interrupted || !solution->runaway.empty()) return std::nullopt;
  const LossClaimed claimed{.objective = objective,
                            .facts = &*facts,
                            .w = solution->w,
                            .b = solution->b,
                            .tolerance = tolerance,
                            .stop = solution->stop,
                            .gave_up = solution->gave_up,
                            .without_gram = solution->without_gram};
  const Gram* const none = nullptr;
  auto checked = certified(claimed, none, rows, pool, clock);
  if (!checked) return std::unexpected(checked.error());
  const bool good = checked->certificate.reaches_tolerance() && checked->curvature && !checked->basis &&
                    checked->curvature->weight > 0;
  return good ? std::optional(*std::move(checked)) : std::nullopt;
}

// Columns that do not vary over these rows have no coefficient; one that is not zero there takes the intercept's too.
FiniteVariances variances_of(const Gram& curvature, const std::vector<double>& direction, bool intercept, Pool& pool) {
  LeastSquaresObjective plain;
  plain.intercept = intercept;
  const Quadratic quadratic(plain, curvature);
  const blas::SerialBlas serial;
  const NormalSolver<double> normal(quadratic, pool);
  LeastSquaresSolution solution;
  describe_inverse(quadratic, normal, pool, solution);
  FiniteVariances out{solution.inverse_diagonal, intercept ? solution.inverse_intercept : kNaN};
  for (std::size_t j = 0; j < out.w.size(); ++j) {
    const auto column = static_cast<Index>(j);
    const bool constant = quadratic.constant(column);
    if (constant || direction[j] != 0) out.w[j] = kNaN;
    if (constant && quadratic.mean(column).hi != 0) out.b = kNaN;
  }
  if (direction.back() != 0) out.b = kNaN;
  return out;
}

} // namespace

Result<FiniteVariances> finite_variances(const std::vector<double>& direction, const LossObjective& objective,
                                         double tolerance, const TaskRows& task) {
  const auto& [schema, rows, pool, clock] = task;
  RowsOnPlane source(rows.source, direction);
  if (auto again = rows.source.rewind(); !again) return std::unexpected(again.error());
  const Rows on_plane{source, rows.name, rows.sparse};
  const auto checked = checked_maximum(objective, tolerance, {schema, on_plane, pool, clock});
  if (!checked && checked.error().code == ErrorCode::interrupted) return FiniteVariances{};
  if (!checked) return std::unexpected(checked.error());
  if (!*checked) return FiniteVariances{};
  FiniteVariances out = variances_of(*(*checked)->curvature, direction, objective.intercept, pool);
  const bool some = !std::isnan(out.b) || std::ranges::any_of(out.w, [](double v) { return !std::isnan(v); });
  out.rows = some ? (*checked)->rows : 0;
  return out;
}

} // namespace recta
