// The likelihood of the rows. Where the covariance is not of full rank there is no density in all columns: it is then
// that of the columns which count (qda), or of the coordinates V'D^-1 x in the space that is kept (lda).
#include "base/blas.hpp"
#include "base/numbers.hpp"
#include "certificate/discriminant/checking.hpp"

#include <cmath>
#include <numbers>
#include <numeric>

namespace recta::discriminant {
namespace {

// log det S + tr(S^-1 M); NaN if S is singular.
double cost_of(const std::vector<double>& s, const std::vector<double>& m) {
  const auto p = static_cast<Index>(std::llround(std::sqrt(static_cast<double>(s.size()))));
  std::vector<double> factor(s), solved(m);
  if (p == 0 || blas::potrf({factor.data(), p}) != 0) return kNaN;
  blas::potrs({factor.data(), p}, {solved.data(), p});
  double sum = 0;
  for (Index j = 0; j < p; ++j) sum += 2 * std::log(factor[at(j * p + j)]) + solved[at(j * p + j)];
  return sum;
}

double constant_of(Index rank) {
  return static_cast<double>(rank) * std::log(2 * std::numbers::pi);
}

} // namespace

std::vector<double> Checking::in_use(const double* s) const {
  if (claim_.shape.quadratic) {
    std::vector<double> out;
    for (const Index j : columns_)
      for (const Index i : columns_) out.push_back(s[j * p_ + i]);
    return out;
  }
  std::vector<double> all(s, s + numbers_);
  if (kept_.whole) return all;
  for (std::size_t j = 0; j < at(p_); ++j)
    for (std::size_t i = 0; i < at(p_); ++i) all[j * at(p_) + i] /= scale_[i] * scale_[j];
  const Index rank = std::ssize(kept_.variance);
  std::vector<double> half(at(p_ * rank)), out(at(rank * rank));
  if (rank == 0) return out;
  const blas::ConstMatrix v{kept_.directions.data(), p_, rank};
  blas::gemm(1, {all.data(), p_}, v, 0, {half.data(), p_, rank});
  blas::gemm(1, blas::transposed(v), {half.data(), p_, rank}, 0, {out.data(), rank});
  return out;
}

std::vector<double> Checking::scatter() const {
  if (!claim_.shape.by_class()) return again_.scatter();
  const double total = std::accumulate(sums_.weight.begin(), sums_.weight.end(), 0.0);
  std::vector<double> out(numbers_);
  for (std::size_t k = 0; k < sums_.weight.size(); ++k)
    for (std::size_t i = 0; i < numbers_; ++i) out[i] += sums_.weight[k] / total * sums_.covariance[k * numbers_ + i];
  return out;
}

std::vector<double> Checking::spread_of_all() const {
  const std::vector<double> share = class_shares({}, sums_.weight, claim_.prior);
  std::vector<double> out = scatter(), middle(at(p_));
  const auto apart = [&](std::size_t k, std::size_t j) { return mean(k)[j] - claim_.mean[j] - middle[j]; };
  std::vector<double> sum(at(p_));
  for (std::size_t k = 0; k < share.size(); ++k)
    for (std::size_t j = 0; j < at(p_); ++j) sum[j] += share[k] * apart(k, j);
  middle = std::move(sum);
  for (std::size_t k = 0; k < share.size(); ++k)
    for (std::size_t j = 0; j < at(p_); ++j)
      for (std::size_t i = 0; i < at(p_); ++i) out[j * at(p_) + i] += share[k] * apart(k, i) * apart(k, j);
  return out;
}

double Checking::objective() const {
  const double total = std::accumulate(sums_.weight.begin(), sums_.weight.end(), 0.0);
  double sum = constant_of(claim_.rank) / 2;
  if (!claim_.shape.quadratic) sum += cost_of(in_use(matrix(0)), in_use(scatter().data())) / 2;
  for (std::size_t k = 0; k < claim_.prior.size(); ++k) {
    const double share = sums_.weight[k] / total;
    if (claim_.shape.quadratic)
      sum += share * cost_of(in_use(matrix(k)), in_use(sums_.covariance.data() + k * numbers_)) / 2;
    sum -= share * std::log(claim_.prior[k]);
  }
  return sum;
}

double Checking::null_objective() const {
  const std::vector<double> share = class_shares({}, sums_.weight, claim_.prior);
  const std::vector<double> all = in_use(spread_of_all().data());
  double sum = (constant_of(claim_.rank) + cost_of(all, all)) / 2;
  for (const double one : share) sum -= one * std::log(one);
  return sum;
}

} // namespace recta::discriminant
