#include "objective/least_squares/quadratic.hpp"

#include "base/numbers.hpp"

#include <algorithm>
#include <cmath>

namespace recta {
Quadratic::Quadratic(const LeastSquaresObjective& objective, const Gram& gram)
    : objective_(&objective), gram_(&gram), deviation_(gram.cols), constant_(gram.cols), penalty_(gram.cols) {
  for (Index j = 0; j < gram.cols; ++j) {
    const DoubleDouble spread = scatter(j, j), total = moment(j, j);
    const DoubleDouble about_centre = objective.centred() ? spread : total;
    // A column of equal numbers leaves a scatter of about (u mean)^2 from the rounding of block means.
    constant_[j] = !(about_centre.hi > 64 * kUnit * kUnit * total.hi);
    deviation_[j] = spread.hi > 64 * kUnit * kUnit * total.hi ? (sqrt(spread / weight())).hi : 0;
    const DoubleDouble unit = objective.standardise ? spread / weight() : DoubleDouble(1.0);
    const bool none = objective.standardise && constant_[j];
    penalty_[j] = none ? DoubleDouble(0.0) : weight() * unit * objective.lambda2 * objective.factor(j);
  }
}

DoubleDouble Quadratic::scatter(Index i, Index j) const {
  const Index at = std::max(i, j) + std::min(i, j) * gram_->size();
  return {gram_->scatter[at], gram_->scatter_low[at]};
}

DoubleDouble Quadratic::moment(Index i, Index j) const {
  return scatter(i, j) + weight() * mean(i) * mean(j);
}

DoubleDouble Quadratic::product(Index i, Index j) const {
  if (constant_[i] || constant_[j]) return 0.0;
  return objective_->centred() ? scatter(i, j) : moment(i, j);
}

DoubleDouble Quadratic::cross(Index j, Index t) const {
  if (constant_[j]) return 0.0;
  return objective_->centred() ? scatter(cols() + t, j) : moment(cols() + t, j);
}

DoubleDouble Quadratic::square(Index t) const {
  const Index z = cols() + t;
  return objective_->intercept ? scatter(z, z) : moment(z, z);
}

double Quadratic::null_objective() const {
  DoubleDouble sum = 0.0;
  for (Index t = 0; t < targets(); ++t) sum += square(t);
  return (sum / weight()).hi / 2;
}

// Half the mean square of u (|y| + sum |w x|), by the triangle inequality.
double Quadratic::rounding_floor(const std::vector<double>& w) const {
  double floor = 0;
  for (Index t = 0; t < targets(); ++t) {
    double size = std::sqrt((moment(cols() + t, cols() + t) / weight()).hi);
    for (Index j = 0; j < cols(); ++j) size += std::abs(w[j + t * cols()]) * std::sqrt((moment(j, j) / weight()).hi);
    floor += kUnit * kUnit * size * size / 2;
  }
  return floor;
}

RowSizes Quadratic::sizes(bool merged) const {
  RowSizes out{.cols = cols(),
               .rows = rows(),
               .weight = weight().hi,
               .square = {},
               .spread = {},
               .sums = gram_->precision,
               .gradient = gram_->precision,
               .merged = merged,
               .rounded_deviations = objective_->penalised() && objective_->standardise};
  for (Index z = 0; z < gram_->size(); ++z) {
    const bool none = z < cols() && constant_[z];
    const double about_centre = (objective_->centred() ? scatter(z, z) : moment(z, z)).hi;
    out.square.push_back(std::sqrt(std::max(0.0, (moment(z, z) / weight()).hi)));
    out.spread.push_back(none ? 0 : std::sqrt(std::max(0.0, about_centre / weight().hi)));
  }
  return out;
}

// Columns of the upper triangle are rows of the lower one, which is the one stored. They are copied square by square,
// so that either side stays in the cache.
template <class T>
std::vector<T> Quadratic::hessian() const {
  constexpr Index kSquare = 32;
  const Index p = cols(), size = gram_->size();
  // A product about the means, rounded to double, is what the Gram holds.
  const bool plain = std::is_same_v<T, double> && objective_->centred() &&
                     std::find(constant_.begin(), constant_.end(), 1) == constant_.end();
  const double* scatter_high = gram_->scatter.data();
  std::vector<T> h(p * p);
  for (Index j0 = 0; j0 < p; j0 += kSquare)
    for (Index i0 = 0; i0 <= j0; i0 += kSquare)
      for (Index i = i0; i < std::min(p, i0 + kSquare); ++i)
        for (Index j = std::max(i, j0); j < std::min(p, j0 + kSquare); ++j)
          h[i + j * p] = plain ? static_cast<T>(scatter_high[j + i * size]) : static_cast<T>(product(i, j));
  for (Index j = 0; j < p; ++j) h[j + j * p] = static_cast<T>(product(j, j) + penalty_[j]);
  return h;
}

// In double-double the numbers of the rows themselves set the limit: a column that is the rounded sum of others differs
// from it by u of its size. In double the products set it: their sums are rounded by about p u of their size.
double Quadratic::dependence_tolerance() const {
  const double p = static_cast<double>(cols()), n = static_cast<double>(std::min<Index>(rows(), 4096));
  if (!extended()) return 10 * std::max(p, 8.0) * kUnit;
  const double share = 10 * std::max(n, p) * kUnit;
  return share * share;
}

template std::vector<double> Quadratic::hessian<double>() const;
template std::vector<DoubleDouble> Quadratic::hessian<DoubleDouble>() const;

} // namespace recta
