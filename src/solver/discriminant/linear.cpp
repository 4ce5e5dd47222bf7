#include "solver/discriminant/linear.hpp"

#include "base/blas.hpp"
#include "base/numbers.hpp"
#include "base/simd/kernels.hpp"

#include <algorithm>
#include <cmath>

namespace recta::discriminant {
namespace {

std::vector<double> apart(const std::vector<double>& mean, const std::vector<double>& centre, std::size_t k) {
  std::vector<double> out(centre.size());
  for (std::size_t j = 0; j < out.size(); ++j) out[j] = mean[k * out.size() + j] - centre[j];
  return out;
}

// w += S^-1 (m - S w), the residual with twice the digits.
void refine(const Whitening& whitening, const double* covariance, const std::vector<double>& m,
            std::vector<double>& w) {
  const Index p = whitening.size;
  std::vector<double> high(at(p)), low(at(p)), residual(at(p));
  simd::kernels().row_dots2(MatrixView::row_major(covariance, p, p), {w.data(), nullptr}, {high.data(), low.data()});
  for (std::size_t j = 0; j < residual.size(); ++j) residual[j] = m[j] - high[j] - low[j];
  const std::vector<double> step = whitening.weights(whitening.coordinates(residual.data()));
  for (std::size_t j = 0; j < w.size(); ++j) w[j] += step[j];
}

// The sign of a direction is a choice: its largest entry, in units of the columns, is positive.
void settle_sign(const double* covariance, Index p, double* d) {
  Index largest = 0;
  double size = 0;
  for (Index j = 0; j < p; ++j)
    if (const double here = d[j] * d[j] * covariance[j * p + j]; here > size * (1 + 1e-9)) {
      size = here;
      largest = j;
    }
  if (d[largest] < 0)
    for (Index j = 0; j < p; ++j) d[j] = -d[j];
}

} // namespace

std::vector<double> mean_of_classes(const std::vector<double>& mean, const std::vector<double>& prior) {
  std::vector<double> out(mean.size() / prior.size());
  for (std::size_t k = 0; k < prior.size(); ++k)
    for (std::size_t j = 0; j < out.size(); ++j) out[j] += prior[k] * (mean[k * out.size() + j] - mean[j]);
  for (std::size_t j = 0; j < out.size(); ++j) out[j] += mean[j]; // about the first class: offsets cost no digits
  return out;
}

LinearScores linear_scores(const Whitening& whitening, const double* covariance, const std::vector<double>& mean,
                           const std::vector<double>& prior) {
  LinearScores out;
  const std::vector<double> centre = mean_of_classes(mean, prior);
  for (std::size_t k = 0; k < prior.size(); ++k) {
    const std::vector<double> m = apart(mean, centre, k);
    std::vector<double> w = whitening.weights(whitening.coordinates(m.data()));
    if (whitening.rank == whitening.size) refine(whitening, covariance, m, w);
    double half = 0, at_centre = 0;
    for (std::size_t j = 0; j < w.size(); ++j) {
      half += w[j] * m[j] / 2;
      at_centre += w[j] * centre[j];
    }
    out.b.push_back(std::log(prior[k]) - half - at_centre);
    out.w.insert(out.w.end(), w.begin(), w.end());
  }
  return out;
}

Directions separating_directions(const Whitening& whitening, const double* covariance, const std::vector<double>& mean,
                                 const std::vector<double>& prior, const std::vector<double>& w) {
  Directions out;
  const auto classes = static_cast<Index>(prior.size());
  const Index most = std::min(classes - 1, whitening.rank), both = std::min(classes, whitening.rank);
  if (most < 1) return out;
  const std::size_t p = at(whitening.size);
  const std::vector<double> centre = mean_of_classes(mean, prior);
  std::vector<double> means(at(classes * whitening.rank)); // rank x classes by column
  for (std::size_t k = 0; k < prior.size(); ++k) {
    const std::vector<double> m = apart(mean, centre, k), inside = whitening.coordinates(m.data());
    for (std::size_t j = 0; j < inside.size(); ++j) means[k * inside.size() + j] = std::sqrt(prior[k]) * inside[j];
  }
  std::vector<double> values(at(both)), u(at(whitening.rank * both)), vt(at(both * classes));
  blas::gesdd('S', {means.data(), whitening.rank, classes}, values.data(), {u.data(), whitening.rank, both},
              {vt.data(), both, classes});
  for (Index c = 0; c < most && values[at(c)] > 1e-12 * values[0]; ++c) {
    std::vector<double> d(p);
    for (std::size_t k = 0; k < prior.size(); ++k)
      for (std::size_t j = 0; j < p; ++j)
        d[j] += std::sqrt(prior[k]) * vt[k * at(both) + at(c)] / values[at(c)] * w[k * p + j];
    double inside = 0, between = 0; // d'Sd, and the variance of the means along d
    for (std::size_t k = 0; k < prior.size(); ++k) {
      double along = 0;
      for (std::size_t j = 0; j < p; ++j) along += d[j] * (mean[k * p + j] - centre[j]);
      inside += std::sqrt(prior[k]) * vt[k * at(both) + at(c)] / values[at(c)] * along;
      between += prior[k] * along * along;
    }
    for (double& entry : d) entry /= std::sqrt(inside);
    settle_sign(covariance, whitening.size, d.data());
    out.d.insert(out.d.end(), d.begin(), d.end());
    out.ratio.push_back(between / inside);
  }
  return out;
}

} // namespace recta::discriminant
