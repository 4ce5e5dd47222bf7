#include "evaluate/diagnosis/study.hpp"

#include "base/blas.hpp"
#include "base/sums.hpp"
#include "evaluate/diagnosis/auxiliary.hpp"
#include "evaluate/diagnosis/decomposition.hpp"
#include "evaluate/diagnosis/findings.hpp"
#include "evaluate/diagnosis/residual_tests.hpp"
#include "model/linear/body.hpp"
#include "objective/least_squares/quadratic.hpp"
#include "solver/least_squares.hpp"
#include "stats/pass.hpp"

namespace recta::diagnosis {
namespace {

constexpr Index kMostProducts = 300; // columns of White's regression

Setting setting_of(const Model& model, double parameters) {
  const LinearSummary& linear = linear_or_none(model);
  Setting setting;
  setting.frequency = !model.schema.weights.empty() && linear.weights_are == WeightMeaning::frequency;
  setting.penalised = linear.lambda2 > 0;
  setting.counted = setting.frequency ? linear.weight_sum : static_cast<double>(linear.rows);
  setting.parameters = parameters;
  setting.freedom = setting.counted - parameters;
  return setting;
}

struct Span { // a span of row numbers, from 0
  Index first = 0, count = 0;
};

// The squared residuals and what each counts, by row number.
struct Squares {
  std::vector<double> target, weight;
};
Squares squares_by_row(const TargetDiagnosis& rows, const Residuals& residuals, Span span) {
  Squares out{std::vector<double>(static_cast<std::size_t>(span.count), 0.0),
              std::vector<double>(static_cast<std::size_t>(span.count), 0.0)};
  for (std::size_t i = 0; i < residuals.e.size(); ++i) {
    const auto at = static_cast<std::size_t>(rows.rows[i].row - 1 - span.first);
    out.target[at] = residuals.e[i] * residuals.e[i];
    out.weight[at] = residuals.count[i];
  }
  return out;
}

class SpreadTests {
public:
  SpreadTests(RowSource& rows, const Gram& gram, const LinearSummary& linear, Span span, Pool& pool, const Watch& watch)
      : rows_(rows), gram_(gram), span_(span), pool_(pool), watch_(watch), products_{linear.means, linear.deviations} {}

  Result<void> run(const Residuals& residuals, TargetDiagnosis& out) {
    const Squares squares = squares_by_row(out, residuals, span_);
    AuxiliaryRows plain(rows_, squares.target, squares.weight, span_.first);
    if (auto done = one("breusch-pagan", plain, gram_.precision, residuals.counted, out); !done) return done;
    const Index products = product_count(gram_.cols);
    if (gram_.cols == 0 || products > kMostProducts || !extended_is_affordable(gram_.rows, products, 1)) return {};
    AuxiliaryRows crossed(rows_, squares.target, squares.weight, span_.first, &products_);
    return one("white", crossed, gram_precision(gram_.rows, products, 1), residuals.counted, out);
  }

private:
  Result<void> one(const std::string& word, AuxiliaryRows& rows, Precision precision, double counted,
                   TargetDiagnosis& out) {
    const auto fit = regress(rows, precision, pool_, watch_);
    if (!fit) return std::unexpected(fit.error());
    out.tests.push_back(test_spread(word, fit->r2, counted, fit->rank));
    return {};
  }

  RowSource& rows_;
  const Gram& gram_;
  Span span_;
  Pool& pool_;
  const Watch& watch_;
  AuxiliaryRows::Products products_;
};

} // namespace

LeastSquaresObjective objective_of(const LinearSummary& linear) {
  return {.lambda2 = linear.lambda2, .factors = {}, .intercept = linear.intercept, .standardise = linear.standardised};
}

std::shared_ptr<const Predictor> predictor_of(const LinearSummary& linear) {
  auto predictor = std::make_shared<Predictor>();
  predictor->cols = static_cast<Index>(linear.targets.at(0).coefficients.size());
  predictor->targets = static_cast<Index>(linear.targets.size());
  for (const TargetFit& target : linear.targets) {
    for (const Coefficient& coefficient : target.coefficients) predictor->w.push_back(coefficient.value);
    predictor->b.push_back(target.intercept.value);
  }
  return predictor;
}

Result<Diagnosis> study(const Model& model, const Gram& gram, std::shared_ptr<const Whitening> whitening,
                        RowSource& rows, Pool& pool, const Watch& watch) {
  const blas::SerialBlas serial;
  const LinearSummary& linear = linear_or_none(model);
  const LeastSquaresObjective objective = objective_of(linear);
  RowFacts empty;
  empty.whitening = std::move(whitening);
  empty.predictor = predictor_of(linear);
  const auto facts = fresh_pass(rows, empty, pool, watch, {.stage = "weighing rows", .pass = 1});
  if (!facts) return std::unexpected(facts.error());
  const RowFacts::Block all = facts->together();

  Diagnosis out;
  out.rows = static_cast<Index>(all.row.size());
  // The trace of the projection is the number of its coordinates: a whole number, without rounding.
  out.parameters = objective.penalised() ? compensated_sum(all.leverage) : static_cast<double>(empty.whitening->size());
  const Setting setting = setting_of(model, out.parameters);
  out.degrees_of_freedom = setting.freedom;
  set_bounds(setting, out);
  if (linear.intercept) out.columns.emplace_back("intercept");
  for (const Coefficient& c : linear.targets[0].coefficients) out.columns.push_back(c.feature);
  out.variance_inflation = variance_inflation(objective, gram, pool);
  out.condition_indices = decompose(objective, gram);

  const Quadratic quadratic(objective, gram);
  SpreadTests spread(rows, gram, linear, {all.first_row, model.fingerprint.rows}, pool, watch);
  const auto k = static_cast<Index>(linear.targets.size());
  for (Index t = 0; t < k; ++t) {
    TargetDiagnosis target = study_influence(all, t, k, quadratic.square(t).hi, setting, out);
    target.target = linear.targets[static_cast<std::size_t>(t)].target;
    const Residuals residuals = weighted_residuals(target, setting.frequency);
    if (auto done = spread.run(residuals, target); !done) return std::unexpected(done.error());
    test_shape(residuals, target);
    target.tests.push_back(test_order(residuals, facts->neighbours, setting));
    out.targets.push_back(std::move(target));
  }
  say_findings(out);
  return out;
}

} // namespace recta::diagnosis
