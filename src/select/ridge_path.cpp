#include "select/ridge_path.hpp"

#include "base/blas.hpp"
#include "select/criteria.hpp"

#include <algorithm>
#include <cmath>

namespace recta::select {

RidgeDecomposition::RidgeDecomposition(const Gram& gram, Index target, const LeastSquaresObjective& objective)
    : p_(gram.cols), target_(target), objective_(objective), mean_(gram.mean.begin(), gram.mean.begin() + gram.cols),
      weight_(gram.weight) {
  const blas::SerialBlas serial;
  if (!objective.centred()) std::ranges::fill(mean_, 0);
  const Index y = p_ + target;
  target_mean_ = objective.intercept ? gram.mean[static_cast<std::size_t>(y)] : 0;
  const auto product = [&](Index i, Index j) { // the target is never centred alone, so one centred side is enough
    const double sum = gram.scatter[static_cast<std::size_t>(std::min(i, j) * gram.size() + std::max(i, j))] / weight_;
    return objective.centred() ? sum
                               : sum + gram.mean[static_cast<std::size_t>(i)] * gram.mean[static_cast<std::size_t>(j)];
  };
  scale_.resize(mean_.size());
  for (Index j = 0; j < p_; ++j)
    scale_[j] = objective.standardise ? std::sqrt(product(j, j)) : product(j, j) > 0 ? 1 : 0;
  const auto inverse = [&](Index j) { return scale_[j] > 0 ? 1 / scale_[j] : 0; };
  vectors_.resize(static_cast<std::size_t>(p_ * p_));
  values_.resize(mean_.size()), projected_.resize(mean_.size());
  std::vector<double> cross(mean_.size());
  for (Index j = 0; j < p_; ++j) {
    for (Index i = j; i < p_; ++i) vectors_[j * p_ + i] = product(i, j) * inverse(i) * inverse(j);
    cross[j] = product(j, y) * inverse(j);
  }
  if (p_ == 0) return;
  blas::syevd(true, p_, {vectors_.data(), p_}, values_.data());
  for (double& value : values_) value = std::max(value, 0.0);
  blas::gemv(blas::Op::transposed, p_, p_, 1, {vectors_.data(), p_}, cross.data(), 0, projected_.data());
}

PathPoint RidgeDecomposition::at(double lambda) const {
  PathPoint point;
  point.lambda = lambda;
  point.intercept = target_mean_;
  std::vector<double> shrunk(values_.size());
  for (std::size_t k = 0; k < shrunk.size(); ++k) {
    shrunk[k] = values_[k] + lambda > 0 ? projected_[k] / (values_[k] + lambda) : 0;
    if (values_[k] > 0) point.degrees_of_freedom += values_[k] / (values_[k] + lambda);
  }
  point.coefficients.resize(values_.size());
  if (p_ > 0)
    blas::gemv(blas::Op::plain, p_, p_, 1, {vectors_.data(), p_}, shrunk.data(), 0, point.coefficients.data());
  for (Index j = 0; j < p_; ++j) {
    double& w = point.coefficients[static_cast<std::size_t>(j)];
    w = scale_[j] > 0 ? w / scale_[j] : 0;
    point.intercept -= w * mean_[j];
    point.nonzero += w != 0;
  }
  return point;
}

std::shared_ptr<const RidgeDirections> RidgeDecomposition::directions(const std::vector<double>& lambdas) const {
  auto out = std::make_shared<RidgeDirections>();
  out->cols = p_;
  out->target = target_;
  out->mean = mean_;
  out->scale = scale_;
  for (double& scale : out->scale) scale = scale > 0 ? scale : 1;
  out->vectors = vectors_;
  out->centre.assign(static_cast<std::size_t>(target_ + 1), target_mean_);
  out->weight = weight_;
  out->intercept = objective_.intercept;
  for (const double lambda : lambdas)
    for (std::size_t k = 0; k < values_.size(); ++k) {
      const double inverse = values_[k] + lambda > 0 ? 1 / (values_[k] + lambda) : 0;
      out->shrunk.push_back(inverse);
      out->coefficients.push_back(projected_[k] * inverse);
    }
  return out;
}

std::vector<PathPoint> ridge_path(const LeastSquaresObjective& objective, const std::vector<double>& lambdas,
                                  const FoldGrams& grams, Index target, Pool& pool) {
  const RidgeDecomposition whole(grams.total(), target, objective);
  std::vector<PathPoint> points;
  for (const double lambda : lambdas) points.push_back(whole.at(lambda));
  const Index folds = grams.folds.count;
  if (folds == 0) return points;
  const std::vector<Gram> training = grams.training();
  std::vector<double> weight;
  for (Index k = 0; k < folds; ++k) weight.push_back(grams.fold[static_cast<std::size_t>(k)].weight);
  for (PathPoint& point : points) point.fold_mse.resize(weight.size());
  pool.run(folds, [&](Index fold, int) {
    const auto k = static_cast<std::size_t>(fold);
    const RidgeDecomposition trained(training[k], target, objective);
    for (std::size_t l = 0; l < lambdas.size(); ++l) {
      const PathPoint point = trained.at(lambdas[l]);
      points[l].fold_mse[k] = mean_square(grams.fold[k], target, point.coefficients, point.intercept);
    }
  });
  for (PathPoint& point : points) add_cross_validation(point, weight);
  return points;
}

} // namespace recta::select
