#include "select/ridge_factor.hpp"

#include "solver/closed_form/answer.hpp"

namespace recta::select {
namespace {

LeastSquaresObjective with_strength(LeastSquaresObjective objective, double lambda) {
  objective.lambda2 = lambda;
  return objective;
}

} // namespace

RidgeFactor::RidgeFactor(const Gram& gram, Index target, const LeastSquaresObjective& objective, double lambda)
    : target_(target), objective_(with_strength(objective, lambda)), quadratic_(objective_, gram),
      normal_(quadratic_,
              Cholesky<DoubleDouble>(quadratic_.hessian<DoubleDouble>(), gram.cols, quadratic_.dependence_tolerance())),
      w_(static_cast<std::size_t>(gram.cols)) {
  for (Index j = 0; j < gram.cols; ++j) w_[j] = quadratic_.cross(j, target);
  w_ = normal_.solve(w_);
}

// Degrees of freedom are tr A H^-1 = sum over columns of 1 - T_jj (H^-1)_jj, and 1 is what each is near.
PathPoint RidgeFactor::point() const {
  PathPoint out;
  out.lambda = objective_.lambda2;
  DoubleDouble freedom = 0.0;
  const std::vector<DoubleDouble> inverse = factor().inverse_diagonal();
  for (const Index j : factor().basic()) freedom += DoubleDouble(1.0) - quadratic_.penalty(j) * inverse[j];
  out.degrees_of_freedom = freedom.hi;
  std::vector<DoubleDouble> rounded;
  for (const DoubleDouble& w : w_) {
    rounded.emplace_back(w.hi);
    out.coefficients.push_back(w.hi);
    out.nonzero += w.hi != 0;
  }
  out.intercept = intercept_for(quadratic_, rounded.data(), target_).hi;
  return out;
}

std::shared_ptr<const RidgeFactors> ridge_factors(const Gram& gram, Index target,
                                                  const LeastSquaresObjective& objective,
                                                  const std::vector<double>& lambdas) {
  auto out = std::make_shared<RidgeFactors>();
  const Quadratic plain(objective, gram);
  out->cols = gram.cols;
  out->target = target;
  for (Index j = 0; j < gram.cols; ++j) {
    out->mean.push_back(objective.centred() ? plain.mean(j) : DoubleDouble(0.0));
    out->constant.push_back(plain.constant(j) ? 1 : 0);
  }
  if (objective.intercept) out->centre = plain.mean(gram.cols + target);
  out->weight = gram.weight;
  out->intercept = objective.intercept;
  for (const double lambda : lambdas) {
    const RidgeFactor factor(gram, target, objective, lambda);
    out->each.push_back({factor.factor(), factor.weights()});
  }
  return out;
}

} // namespace recta::select
