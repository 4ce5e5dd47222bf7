#include "solver/closed_form/answer.hpp"

#include "objective/least_squares/optimality.hpp"
#include "stats/pass.hpp"

#include <cmath>

namespace recta {

DoubleDouble intercept_for(const Quadratic& q, const DoubleDouble* w, Index target) {
  if (!q.objective().centred()) return 0.0;
  DoubleDouble b = q.objective().intercept ? q.mean(q.cols() + target) : DoubleDouble(0.0);
  for (Index j = 0; j < q.cols(); ++j) b -= q.mean(j) * w[j];
  return b;
}

namespace {

std::shared_ptr<const Predictor> predictor_of(const Quadratic& q, const Weights& w, Precision precision) {
  auto predictor = std::make_shared<Predictor>();
  predictor->cols = q.cols();
  predictor->targets = q.targets();
  predictor->precision = precision;
  for (const DoubleDouble& x : w) {
    predictor->w.push_back(x.hi);
    predictor->w_low.push_back(x.lo);
  }
  for (Index t = 0; t < q.targets(); ++t) {
    const DoubleDouble b = intercept_for(q, w.data() + t * q.cols(), t);
    predictor->b.push_back(b.hi);
    predictor->b_low.push_back(b.lo);
  }
  if (q.objective().centred())
    for (Index j = 0; j < q.cols(); ++j) predictor->centre.push_back(q.mean(j).hi);
  return predictor;
}

} // namespace

Result<bool> refine(const Quadratic& q, Weights& w, const Correction& correct, Refinement plan, const RowReader& reader,
                    LeastSquaresSolution& solution) {
  for (int step = 0; step < plan.steps; ++step) {
    const Residual empty(predictor_of(q, w, plan.precision));
    const auto residual = fresh_pass(reader, empty, {"refining", solution.passes});
    if (!residual && residual.error().code == ErrorCode::interrupted) return false;
    if (!residual) return std::unexpected(residual.error());
    ++solution.passes;
    for (Index t = 0; t < q.targets(); ++t) {
      const std::vector<DoubleDouble> change = correct(gradient_of(q, w, *residual, t));
      for (Index j = 0; j < q.cols(); ++j) w[j + t * q.cols()] += change[j];
    }
  }
  return true;
}

Result<double> objective_at(const Quadratic& q, const Weights& w, const RowReader* reader,
                            LeastSquaresSolution& solution) {
  const auto predictor = predictor_of(q, w, Precision::extended);
  Residual residual;
  if (reader == nullptr) {
    residual = residual_from(q, predictor);
  } else {
    auto passed = fresh_pass(*reader, Residual(predictor), {"measuring", solution.passes});
    if (!passed) return std::unexpected(passed.error());
    residual = *std::move(passed);
    ++solution.passes;
  }
  DoubleDouble sum = 0.0;
  for (Index t = 0; t < q.targets(); ++t) {
    sum += DoubleDouble(residual.squares[t], residual.squares_low[t]);
    for (Index j = 0; j < q.cols(); ++j) sum += q.penalty(j) * w[j + t * q.cols()] * w[j + t * q.cols()];
  }
  return (sum / q.weight()).hi / 2;
}

Refinement plan_refinement(double rate, double goal) {
  Refinement plan;
  for (double error = rate; error > goal && plan.steps < 4; error *= rate) ++plan.steps;
  // Rounding the residual to a double costs about as many digits as the products lose.
  plan.precision = rate > 1e-9 || goal < 1e-16 ? Precision::extended : Precision::standard;
  return plan;
}

void write_down(const Quadratic& q, const Weights& w, double tolerance, LeastSquaresSolution& solution) {
  const Index p = q.cols(), k = q.targets();
  solution.cols = p;
  solution.targets = k;
  solution.rows = q.rows();
  solution.weight = q.weight().hi;
  Weights rounded(w.size());
  for (std::size_t i = 0; i < w.size(); ++i) {
    rounded[i] = w[i].hi;
    solution.w.push_back(w[i].hi);
    solution.w_low.push_back(w[i].lo);
  }
  for (Index j = 0; j < p; ++j) {
    solution.mean.push_back(q.mean(j).hi);
    solution.deviation.push_back(q.deviation(j));
    if (q.constant(j)) solution.constant.push_back(j);
  }
  const double harmless = 1e-6 * tolerance * q.null_objective();
  for (Index t = 0; t < k; ++t) {
    solution.target_square.push_back(q.square(t).hi);
    solution.target_square_low.push_back(q.square(t).lo);
    // The true intercept, unless rounding w moved the fit so far from the means that the intercept for the rounded w
    // predicts better: this happens if columns are far from zero compared with their spread.
    const double exact = intercept_for(q, w.data() + t * p, t).hi;
    const double fitting = intercept_for(q, rounded.data() + t * p, t).hi;
    const double off = fitting - exact;
    solution.b.push_back(off * off / 2 <= harmless ? exact : fitting);
  }
}

} // namespace recta
