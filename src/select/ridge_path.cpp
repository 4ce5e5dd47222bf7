#include "select/ridge_path.hpp"

#include "base/blas.hpp"
#include "base/listening.hpp"
#include "select/criteria.hpp"
#include "select/ridge_factor.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <functional>
#include <limits>
#include <numeric>

namespace recta::select {

RidgeDecomposition::RidgeDecomposition(const Gram& gram, Index target, const LeastSquaresObjective& objective)
    : objective_(objective), mean_(gram.mean.begin(), gram.mean.begin() + gram.cols), scale_(mean_.size()),
      weight_(gram.weight), values_(mean_.size()), vectors_(mean_.size() * mean_.size()), projected_(mean_.size()) {
  const blas::SerialBlas serial;
  const Index p = gram.cols, y = p + target;
  if (!objective.centred()) std::ranges::fill(mean_, 0);
  target_mean_ = objective.intercept ? gram.mean[static_cast<std::size_t>(y)] : 0;
  const auto product = [&](Index i, Index j) { // features are centred where the target is: one side is enough
    const double sum = gram.scatter[static_cast<std::size_t>(std::min(i, j) * gram.size() + std::max(i, j))] / weight_;
    const double middle = gram.mean[static_cast<std::size_t>(i)] * gram.mean[static_cast<std::size_t>(j)];
    return objective.centred() ? sum : sum + middle;
  };
  for (Index j = 0; j < p; ++j) {
    const double square = product(j, j);
    scale_[j] = objective.standardise ? std::sqrt(square) : square > 0 ? 1 : 0;
  }
  const auto inverse = [&](Index j) { return scale_[j] > 0 ? 1 / scale_[j] : 0; };
  std::vector<double> cross(mean_.size());
  for (Index j = 0; j < p; ++j) {
    for (Index i = j; i < p; ++i) vectors_[j * p + i] = product(i, j) * inverse(i) * inverse(j);
    cross[j] = product(j, y) * inverse(j);
  }
  if (p == 0) return;
  announce(fmt::format("eigenvectors of {0} x {0}", p), 9 * std::pow(static_cast<double>(p), 3));
  blas::syevd(true, {vectors_.data(), p}, values_.data());
  for (double& value : values_) value = std::max(value, 0.0);
  const auto constants = static_cast<std::size_t>(std::ranges::count(scale_, 0.0)); // their eigenvalues come first
  if (constants < values_.size()) smallest_ = values_[constants];
  blas::gemv(1, blas::transposed({vectors_.data(), p}), cross.data(), 0, projected_.data());
}

namespace {

constexpr double kUnknown = std::numeric_limits<double>::quiet_NaN();
constexpr Index kTile = 256; // columns held by column at a time

// Columns about their means over their scales, times the root of s: n x count by column.
class ScaledColumns {
public:
  ScaledColumns(const ColumnProblem& data, std::span<const double> weight) : data_(data) {
    for (std::size_t i = 0; i < data.y.size(); ++i) share_.push_back(weight.empty() ? 1 : weight[i]);
    total_ = std::accumulate(share_.begin(), share_.end(), 0.0);
    for (double& share : share_) share /= total_;
  }
  Index rows() const { return static_cast<Index>(share_.size()); }
  double total() const { return total_; }
  const std::vector<double>& share() const { return share_; }
  double mean(std::span<const double> column) const {
    return std::inner_product(column.begin(), column.end(), share_.begin(), 0.0);
  }
  std::vector<double> column(Index j) const {
    return std::visit([&](const auto& x) { return dense_column(x, j, rows()); }, data_.x);
  }

private:
  const ColumnProblem& data_;
  std::vector<double> share_;
  double total_ = 0;
};

} // namespace

RidgeDecomposition::RidgeDecomposition(const ColumnProblem& data, std::span<const double> weight,
                                       const LeastSquaresObjective& objective)
    : objective_(objective) {
  const blas::SerialBlas serial;
  const ScaledColumns columns(data, weight);
  const Index n = columns.rows(), p = std::visit([](const auto& x) { return x.cols; }, data.x);
  mean_.resize(static_cast<std::size_t>(p)), scale_.resize(mean_.size());
  weight_ = columns.total();
  target_mean_ = objective.intercept ? columns.mean(data.y) : 0;
  std::vector<double> target(data.y.size()), tile(static_cast<std::size_t>(n * kTile)),
      k(static_cast<std::size_t>(n * n));
  for (Index i = 0; i < n; ++i) target[i] = std::sqrt(columns.share()[i]) * (data.y[i] - target_mean_);
  const auto fill = [&](Index first, Index count) {
    for (Index c = 0; c < count; ++c) {
      const Index j = first + c;
      const std::vector<double> x = columns.column(j);
      mean_[j] = objective.centred() ? columns.mean(x) : 0;
      double square = 0;
      for (Index i = 0; i < n; ++i) square += columns.share()[i] * (x[i] - mean_[j]) * (x[i] - mean_[j]);
      const bool varies = std::sqrt(square) > 8 * 0x1p-53 * std::abs(mean_[j]);
      scale_[j] = !varies ? 0 : objective.standardise ? std::sqrt(square) : 1;
      for (Index i = 0; i < n; ++i)
        tile[c * n + i] = varies ? std::sqrt(columns.share()[i]) * (x[i] - mean_[j]) / scale_[j] : 0;
    }
  };
  const auto each_tile = [&](const auto& visit) {
    for (Index first = 0; first < p; first += kTile) {
      const Index count = std::min(kTile, p - first);
      keep_going();
      fill(first, count);
      visit(first, count);
    }
  };
  each_tile([&](Index, Index count) { blas::syrk(1, {tile.data(), n, count}, 1, {k.data(), n}); });
  std::vector<double> values(static_cast<std::size_t>(n));
  announce(fmt::format("eigenvectors of {0} x {0}", n), 9 * std::pow(static_cast<double>(n), 3));
  blas::syevd(true, {k.data(), n}, values.data());
  const Index first_kept = std::ranges::count_if(values, [&](double v) { return !(v > 1e-13 * values.back()); });
  const Index r = n - first_kept;
  values_.assign(values.begin() + first_kept, values.end());
  // Directions left out are known to be none if rows without weight and the means account for all of them.
  const Index none = std::ranges::count(columns.share(), 0.0) + (objective.centred() ? 1 : 0);
  if (first_kept <= none && r > 0) smallest_ = values_.front();
  const double* u = k.data() + first_kept * n;
  for (Index c = 0; c < r; ++c) // V' X'S y = L^1/2 U' y
    projected_.push_back(std::sqrt(values_[c]) * blas::dot(n, u + c * n, target.data()));
  vectors_.resize(static_cast<std::size_t>(p * r));
  if (r == 0) return; // no column varies
  each_tile([&](Index first, Index count) {
    blas::gemm(1, blas::transposed({tile.data(), n, count}), {u, n, r}, 0, {vectors_.data() + first, count, r, p});
  });
  for (Index c = 0; c < r; ++c)
    for (Index j = 0; j < p; ++j) vectors_[c * p + j] /= std::sqrt(values_[c]);
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
  point.coefficients.resize(mean_.size());
  if (cols() > 0 && rank() > 0)
    blas::gemv(1, {vectors_.data(), cols(), rank()}, shrunk.data(), 0, point.coefficients.data());
  for (Index j = 0; j < cols(); ++j) {
    double& w = point.coefficients[static_cast<std::size_t>(j)];
    w = scale_[j] > 0 ? w / scale_[j] : 0;
    point.intercept -= w * mean_[j];
    point.nonzero += w != 0;
  }
  return point;
}

double RidgeDecomposition::above(const PathPoint& point, std::vector<double> gradient) const {
  double outside = 0, sum = 0;
  for (std::size_t j = 0; j < gradient.size(); ++j) {
    gradient[j] = scale_[j] > 0 ? gradient[j] / scale_[j] : 0;
    outside += gradient[j] * gradient[j];
  }
  std::vector<double> along(values_.size());
  if (cols() > 0 && rank() > 0)
    blas::gemv(1, blas::transposed({vectors_.data(), cols(), rank()}), gradient.data(), 0, along.data());
  for (std::size_t k = 0; k < along.size(); ++k) {
    outside -= along[k] * along[k];
    if (values_[k] + point.lambda > 0) sum += along[k] * along[k] / (values_[k] + point.lambda);
  }
  return (point.lambda > 0 ? sum + std::max(0.0, outside) / point.lambda : sum) / 2;
}

std::shared_ptr<const RidgeDirections> RidgeDecomposition::directions(const std::vector<double>& lambdas,
                                                                      Index target) const {
  auto out = std::make_shared<RidgeDirections>();
  out->cols = cols();
  out->rank = rank();
  out->lambdas = static_cast<Index>(lambdas.size());
  out->target = target;
  out->mean = mean_;
  out->scale = scale_;
  for (double& scale : out->scale) scale = scale > 0 ? scale : 1;
  out->vectors = vectors_;
  out->centre = target_mean_;
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

namespace {

// Beside the mean loss of the rows trained on.
double strength(const RidgePathProblem& problem, const RidgeDecomposition& trained, double whole_weight,
                std::size_t l) {
  return problem.lambdas[l] * (problem.summed ? whole_weight / trained.weight() : 1);
}

// X'S r - lambda u w at a point.
std::vector<double> gradient_at(const PathPoint& point, const Gram& gram, Index target,
                                const LeastSquaresObjective& objective) {
  const Index p = gram.cols, y = p + target;
  std::vector<double> g(static_cast<std::size_t>(p));
  double middle = gram.mean[static_cast<std::size_t>(y)]; // of the residual without an intercept
  for (Index j = 0; j < p; ++j) {
    g[j] = gram.scatter[static_cast<std::size_t>(j * gram.size() + y)];
    middle -= gram.mean[static_cast<std::size_t>(j)] * point.coefficients[static_cast<std::size_t>(j)];
  }
  if (p > 0) blas::symv(-1, {gram.scatter.data(), p, p, gram.size()}, point.coefficients.data(), 1, g.data());
  for (Index j = 0; j < p; ++j) {
    const double variance = gram.scatter[static_cast<std::size_t>(j * gram.size() + j)] / gram.weight;
    g[j] = g[j] / gram.weight + (objective.centred() ? 0 : gram.mean[static_cast<std::size_t>(j)] * middle) -
           point.lambda * (objective.standardise ? variance : 1) * point.coefficients[static_cast<std::size_t>(j)];
  }
  return g;
}
std::vector<double> gradient_at(const PathPoint& point, const ColumnProblem& data,
                                const LeastSquaresObjective& objective) {
  const ScaledColumns columns(data, data.weight);
  std::vector<double> residual(data.y.begin(), data.y.end()), g;
  for (double& r : residual) r -= point.intercept;
  for (std::size_t j = 0; j < point.coefficients.size(); ++j)
    if (const double w = point.coefficients[j]; w != 0)
      blas::axpy(columns.rows(), -w, columns.column(static_cast<Index>(j)).data(), residual.data());
  for (std::size_t i = 0; i < residual.size(); ++i) residual[i] *= columns.share()[i];
  for (std::size_t j = 0; j < point.coefficients.size(); ++j) {
    const std::vector<double> x = columns.column(static_cast<Index>(j));
    const double mean = objective.centred() ? columns.mean(x) : 0;
    double sum = 0, variance = 0;
    for (std::size_t i = 0; i < x.size(); ++i) {
      sum += residual[i] * (x[i] - mean);
      variance += columns.share()[i] * (x[i] - mean) * (x[i] - mean);
    }
    g.push_back(sum - point.lambda * (objective.standardise ? variance : 1) * point.coefficients[j]);
  }
  return g;
}

} // namespace

PathPoint ridge_point(const RidgeDecomposition& ridge, const Gram& gram, Index target,
                      const LeastSquaresObjective& objective, double lambda) {
  if (ridge.carries(lambda) || gram.precision != Precision::extended) return ridge.at(lambda);
  return RidgeFactor(gram, target, objective, lambda).point();
}

namespace {

// Solves one point after the other by `solve`, until the watch says stop.
template <class Solve>
SolvedPath points_of(const std::vector<double>& lambdas, const Watch& watch, const Solve& solve) {
  SolvedPath out;
  out.lambda_max = std::numeric_limits<double>::infinity();
  out.planned = std::ssize(lambdas);
  const Listening listening(watch, "solving");
  for (const double lambda : lambdas) {
    const double fraction = static_cast<double>(out.points.size()) / static_cast<double>(out.planned);
    try {
      if (watch && !watch({.stage = "solving", .fraction = fraction})) throw Interrupted();
      out.points.push_back(solve(lambda));
    } catch (const Interrupted&) {
      out.stopped_at = lambda;
      break;
    }
  }
  return out;
}

// `errors_of` every fold; nothing is kept if not all of them are done.
void add_folds(SolvedPath& out, Pool* pool, const std::vector<double>& weight, const Watch& watch,
               const std::function<void(std::size_t fold)>& errors_of) {
  for (PathPoint& point : out.points) point.fold_error.resize(weight.size());
  const Listening listening(watch, "leaving folds out");
  try {
    run_listening(pool, std::ssize(weight), [&](Index fold, int) { errors_of(static_cast<std::size_t>(fold)); });
  } catch (const Interrupted&) {
    return without_folds(out);
  }
  for (PathPoint& point : out.points) add_cross_validation(point, weight);
}

} // namespace

SolvedPath ridge_path(const RidgePathProblem& problem, const FoldGrams& grams, Index target, Pool& pool,
                      const Watch& watch) {
  const blas::SerialBlas serial;
  const Gram all = grams.total();
  const RidgeDecomposition whole(all, target, problem.objective);
  SolvedPath out = points_of(problem.lambdas, watch, [&](double lambda) {
    PathPoint point = ridge_point(whole, all, target, problem.objective, lambda);
    point.mse = mean_square(all, target, point.coefficients, point.intercept);
    point.gap = whole.above(point, gradient_at(point, all, target, problem.objective));
    return point;
  });
  const Index folds = grams.folds.count;
  if (folds == 0 || out.stopped_at) return out;
  const std::vector<Gram> training = grams.training();
  std::vector<double> weight;
  for (Index k = 0; k < folds; ++k) weight.push_back(grams.fold[static_cast<std::size_t>(k)].weight);
  add_folds(out, &pool, weight, watch, [&](std::size_t k) {
    const RidgeDecomposition trained(training[k], target, problem.objective);
    for (std::size_t l = 0; l < out.points.size(); ++l) {
      const double lambda = strength(problem, trained, whole.weight(), l);
      const PathPoint point = ridge_point(trained, training[k], target, problem.objective, lambda);
      const bool known = trained.carries(lambda) || training[k].precision == Precision::extended;
      out.points[l].fold_error[k] =
          known ? mean_square(grams.fold[k], target, point.coefficients, point.intercept) : kUnknown;
      keep_going();
    }
  });
  return out;
}

SolvedPath ridge_path(const RidgePathProblem& problem, const ColumnProblem& data, std::span<const std::int32_t> fold_of,
                      Index folds, const Watch& watch) {
  const blas::SerialBlas serial;
  const RidgeDecomposition whole(data, data.weight, problem.objective);
  std::vector<Index> all(data.y.size());
  std::iota(all.begin(), all.end(), Index{0});
  SolvedPath out = points_of(problem.lambdas, watch, [&](double lambda) {
    PathPoint point = whole.at(lambda);
    point.mse = mean_square(data, all, point.coefficients, point.intercept);
    point.gap = whole.above(point, gradient_at(point, data, problem.objective));
    return point;
  });
  if (folds == 0 || out.stopped_at) return out;
  std::vector<double> weight;
  for (Index k = 0; k < folds; ++k) weight.push_back(hold_out(data, fold_of, k).weight);
  add_folds(out, nullptr, weight, watch, [&](std::size_t k) {
    const HeldOut held = hold_out(data, fold_of, static_cast<Index>(k));
    const RidgeDecomposition trained(data, held.training, problem.objective);
    for (std::size_t l = 0; l < out.points.size(); ++l) {
      const double lambda = strength(problem, trained, whole.weight(), l);
      const PathPoint point = trained.at(lambda);
      out.points[l].fold_error[k] =
          trained.carries(lambda) ? mean_square(data, held.rows, point.coefficients, point.intercept) : kUnknown;
      keep_going();
    }
  });
  return out;
}

} // namespace recta::select
