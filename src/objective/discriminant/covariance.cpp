#include "objective/discriminant/covariance.hpp"

#include "base/numbers.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace recta::discriminant {
namespace {

double trace(const double* s, Index p) {
  double sum = 0;
  for (Index j = 0; j < p; ++j) sum += s[j * p + j];
  return sum;
}

// (1 - g) S + g c diag(d)
void mix_diagonal(double* s, Index p, double g, const std::vector<double>& diagonal) {
  for (Index i = 0; i < p * p; ++i) s[i] *= 1 - g;
  for (Index j = 0; j < p; ++j) s[j * p + j] += g * diagonal[at(j)];
}

struct Correlations {
  double trace = 0, squares = 0; // tr R, |R|^2
  std::vector<double> variance;  // of each column; 1 if it has none
};
Correlations correlations(const double* s, Index p) {
  Correlations out;
  for (Index j = 0; j < p; ++j) {
    const double variance = s[j * p + j];
    out.variance.push_back(variance > 0 ? variance : 1);
    out.trace += variance > 0 ? 1 : 0;
  }
  for (Index j = 0; j < p; ++j) {
    double sum = 0;
    for (Index i = 0; i < p; ++i) sum += s[j * p + i] * s[j * p + i] / out.variance[at(i)];
    out.squares += sum / out.variance[at(j)];
  }
  return out;
}

double ledoit_wolf(const Correlations& r, double p, double n, double quartic) {
  const double mu = r.trace / p;
  const double apart = (r.squares - mu * mu * p) / p, error = (quartic - r.squares) / (n * p);
  if (!(error > 0)) return 0;
  return apart > error ? error / apart : 1;
}

double approximating_oracle(const Correlations& r, double p, double n) {
  const double above = (1 - 2 / p) * r.squares + r.trace * r.trace;
  const double below = (n + 1 - 2 / p) * (r.squares - r.trace * r.trace / p);
  return below > above ? above / below : 1;
}

double shrink_by_learned_share(const Shape& shape, double n, double quartic, Index p, double* s) {
  Correlations r = correlations(s, p);
  const auto columns = static_cast<double>(p);
  const double g =
      shape.shrinkage == Shrinkage::oas ? approximating_oracle(r, columns, n) : ledoit_wolf(r, columns, n, quartic);
  const double mu = r.trace / columns;
  for (double& variance : r.variance) variance *= mu;
  mix_diagonal(s, p, g, r.variance);
  return g;
}

void shrink_by_given_share(double g, Index p, double* s) {
  mix_diagonal(s, p, g, std::vector<double>(at(p), trace(s, p) / static_cast<double>(p)));
}

// sum_k a_k S_k, into the place of the first if it is the only one that is wanted.
std::vector<double> pooled(const std::vector<double>& matrices, const std::vector<double>& a, std::size_t numbers) {
  std::vector<double> out(numbers);
  for (std::size_t k = 0; k < a.size(); ++k)
    for (std::size_t i = 0; i < numbers; ++i) out[i] += a[k] * matrices[k * numbers + i];
  return out;
}

} // namespace

void widen(const Sums& sums, const std::vector<double>& added, std::vector<double>& matrices) {
  if (added.empty()) return; // the classes share one matrix, and the sums hold none of their own
  const std::size_t p = at(sums.columns);
  const std::vector<double> share = class_shares({}, sums.weight, {});
  for (std::size_t j = 0; j < p; ++j) {
    const auto apart = [&](std::size_t k) { return sums.mean[k * p + j] - sums.mean[j]; };
    double middle = 0, variance = 0;
    for (std::size_t k = 0; k < share.size(); ++k) middle += share[k] * apart(k);
    for (std::size_t k = 0; k < share.size(); ++k)
      variance += share[k] * (sums.covariance[(k * p + j) * p + j] + (apart(k) - middle) * (apart(k) - middle));
    for (std::size_t k = 0; k < added.size(); ++k) matrices[(k * p + j) * p + j] += added[k] * variance;
  }
}

std::vector<double> least_variances(const std::vector<double>& mean, Index columns) {
  std::vector<double> out(at(columns));
  for (std::size_t i = 0; i < mean.size(); ++i) {
    const double error = 16 * kUnit * mean[i];
    out[i % at(columns)] = std::max(out[i % at(columns)], error * error);
  }
  return out;
}

std::vector<double> class_shares(const Shape& shape, const std::vector<double>& weight,
                                 const std::vector<double>& prior) {
  if (shape.by_priors) return prior;
  const double total = std::accumulate(weight.begin(), weight.end(), 0.0);
  std::vector<double> out = weight;
  for (double& share : out) share /= total;
  return out;
}

Covariances covariances(const Shape& shape, const Sums& sums, const std::vector<double>& prior, bool by_class) {
  const Index p = sums.columns;
  const std::size_t numbers = at(p * p);
  Covariances out{sums.covariance, {}};
  std::vector<double>& s = out.matrices;
  if (shape.learned_share())
    for (Index k = 0; k < sums.classes; ++k)
      out.shares.push_back(shrink_by_learned_share(
          shape, sums.count[at(k)], sums.quartic.empty() ? 0 : sums.quartic[at(k)], p, s.data() + at(k) * numbers));
  if (!shape.quadratic) {
    if (shape.by_class() || by_class) s = pooled(s, class_shares(shape, sums.weight, prior), numbers);
    if (shape.shrinkage == Shrinkage::fixed) shrink_by_given_share(shape.share, p, s.data());
    return out;
  }
  const std::vector<double> all =
      shape.towards_pooled > 0 ? pooled(s, class_shares({}, sums.weight, prior), numbers) : std::vector<double>{};
  for (Index k = 0; k < sums.classes; ++k) {
    double* class_s = s.data() + at(k) * numbers;
    if (shape.shrinkage == Shrinkage::fixed) shrink_by_given_share(shape.share, p, class_s);
    for (std::size_t i = 0; i < all.size(); ++i) class_s[i] += shape.towards_pooled * (all[i] - class_s[i]);
    if (shape.regularisation > 0) mix_diagonal(class_s, p, shape.regularisation, std::vector<double>(at(p), 1.0));
  }
  return out;
}

} // namespace recta::discriminant
