// lda: S w_k = m_k - m on the space V in which the classes vary, with D w_k in it, D the deviations of the columns; the
// intercepts; and the directions d_c of Fisher's ratios r_c. With B = sum_k P(k) (m_k - m)(m_k - m)' they are
//   S^+ B d_c = sum_k P(k) w_k d_c'(m_k - m) = r_c d_c,   d_c'B d_e = sum_k P(k) d_c'(m_k - m) d_e'(m_k - m) = r_c (c =
//   e)
// from which d_c'S d_e = (c = e) follows, and that they lie in the space of the weights. They are all of them if
// sum r_c = tr S^+ B = sum_k P(k) w_k'(m_k - m).
#include "base/blas.hpp"
#include "base/numbers.hpp"
#include "certificate/discriminant/checking.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <numeric>

namespace recta::discriminant {
namespace {

double length(const std::vector<double>& x) {
  double sum = 0;
  for (const double entry : x) sum += entry * entry;
  return std::sqrt(sum);
}

} // namespace

double inverse_squares(std::vector<double> r, Index p) {
  if (blas::potrf({r.data(), p}) != 0 || blas::trtri(blas::Triangle::lower, {r.data(), p}) != 0) return kInfinity;
  double sum = 0;
  for (Index j = 0; j < p; ++j)
    for (Index i = j; i < p; ++i) sum += r[at(j * p + i)] * r[at(j * p + i)];
  return sum;
}

// The eigenvectors of the correlations whose eigenvalues are above the squared tolerance. Rounding may put one on
// either side of it: the rank that the model states is refuted if an eigenvalue is on the wrong side by more.
KeptSpace Checking::kept_space(const double* s, const std::vector<double>& scale) {
  std::vector<double> r(numbers_), values(at(p_));
  for (std::size_t j = 0; j < at(p_); ++j)
    for (std::size_t i = 0; i < at(p_); ++i) r[j * at(p_) + i] = s[j * at(p_) + i] / scale[i] / scale[j];
  const double limit = claim_.shape.tolerance * claim_.shape.tolerance;
  KeptSpace out;
  if (claim_.rank == p_) {
    out.inverse = inverse_squares(r, p_);
    if (out.inverse * limit < 1) return out;
  }
  blas::syevd(true, {r.data(), p_}, values.data());
  const double error = rounding() * std::max(1.0, values.back());
  const Index left = p_ - claim_.rank;
  const double most_left = left > 0 ? values[at(left) - 1] : 0, least_kept = left < p_ ? values[at(left)] : kInfinity;
  if (most_left > limit + error || least_kept <= limit - error) {
    const Index rank = std::ranges::count_if(values, [&](double value) { return value > limit; });
    findings_.wrong.push_back(fmt::format("the model states rank {}, the rows give {}", claim_.rank, rank));
  }
  out.inverse = 1 / std::max(least_kept, error);
  if (left == 0) return out;
  out.whole = false;
  out.directions.assign(r.begin() + left * p_, r.end());
  out.variance.assign(values.begin() + left, values.end());
  out.turned = error / std::max(least_kept - most_left, error);
  return out;
}

std::vector<double> Checking::inside(std::vector<double> x) const {
  if (kept_.whole) return x;
  std::vector<double> out(kept_.variance.size());
  if (!out.empty())
    blas::gemv(1, blas::transposed({kept_.directions.data(), p_, std::ssize(out)}), x.data(), 0, out.data());
  return out;
}

void Checking::linear() {
  const double* s = matrix(0);
  scale_ = scales(s);
  middle_ = centre();
  kept_ = kept_space(s, scale_);
  for (std::size_t k = 0; k < claim_.prior.size(); ++k) {
    equation(k, s);
    intercept(k);
    stays_inside(claim_.w.data() + k * at(p_));
  }
  directions(s);
}

// V' D^-1 (S w - (m_k - m))
void Checking::equation(std::size_t k, const double* s) {
  const double* w = claim_.w.data() + k * at(p_);
  std::vector<double> residual(at(p_));
  blas::symv(1, {s, p_}, w, 0, residual.data());
  const std::vector<double> off = mean_roundings(scale_);
  double size = 1, reach = 0, moved = 0;
  for (std::size_t j = 0; j < at(p_); ++j) {
    const double apart = mean(k)[j] - middle_[j];
    residual[j] = (residual[j] - apart) / scale_[j];
    size = std::max(size, std::abs(apart) / scale_[j]);
    reach += std::abs(w[j]) * scale_[j];
    moved += off[j] * std::abs(w[j]) * scale_[j];
  }
  const double rounded = static_cast<double>(p_ + 8) * kUnit * reach, most = *std::ranges::max_element(off);
  const std::vector<double> left = inside(std::move(residual));
  for (std::size_t j = 0; j < left.size(); ++j)
    findings_.look(std::abs(left[j]) / size, (rounded + (kept_.whole ? off[j] : most) * (1 + moved)) / size);
  rounded_ = std::max(rounded_, rounded / size);
}

void Checking::intercept(std::size_t k) {
  const double* w = claim_.w.data() + k * at(p_);
  double level = std::log(claim_.prior[k]), terms = std::abs(level);
  for (std::size_t j = 0; j < at(p_); ++j) {
    const double apart = mean(k)[j] - middle_[j];
    level -= w[j] * (apart / 2 + middle_[j]);
    terms += std::abs(w[j]) * (std::abs(apart) / 2 + std::abs(middle_[j]));
  }
  if (!(std::abs(claim_.b[k] - level) <= static_cast<double>(p_ + 64) * kUnit * terms))
    findings_.wrong.push_back(fmt::format("the intercept of class {} is {}, its weights and means give {}",
                                          claim_.classes.labels[k], claim_.b[k], level));
}

// |(I - VV') D w| / |D w|
void Checking::stays_inside(const double* w) {
  if (kept_.whole) return;
  std::vector<double> x(at(p_));
  for (std::size_t j = 0; j < x.size(); ++j) x[j] = w[j] * scale_[j];
  const double all = length(x);
  if (all == 0) return;
  const std::vector<double> coordinates = inside(x);
  if (!coordinates.empty())
    blas::gemv(-1, {kept_.directions.data(), p_, std::ssize(coordinates)}, coordinates.data(), 1, x.data());
  findings_.look(length(x) / all, kept_.turned + rounding());
}

void Checking::directions(const double* s) {
  const std::size_t count = claim_.ratio.size();
  const Index most = std::min(std::ssize(claim_.prior) - 1, claim_.rank);
  if (std::ssize(claim_.ratio) > most) {
    findings_.wrong.push_back(fmt::format("the model has {} directions, and there are {} at most", count, most));
    return;
  }
  // sum_k P(k) |D w_k| |D^-1 (m_k - m)|, the root of sum_k P(k) |D^-1 (m_k - m)|^2, and what the rounding of the means
  // does to sum_k P(k) w_k'(m_k - m)
  double reach = 0, far = 0, moved = 0;
  const std::vector<double> off = mean_roundings(scale_);
  for (std::size_t k = 0; k < claim_.prior.size(); ++k) {
    double weights = 0, means = 0;
    for (std::size_t j = 0; j < at(p_); ++j) {
      const double x = claim_.w[k * at(p_) + j] * scale_[j], m = (mean(k)[j] - middle_[j]) / scale_[j];
      weights += x * x, means += m * m;
      moved += claim_.prior[k] * std::abs(x) * off[j];
    }
    reach += claim_.prior[k] * std::sqrt(weights * means);
    far += claim_.prior[k] * means;
  }
  std::vector<std::vector<double>> before; // an orthonormal basis of D d_e, e < c
  std::vector<double> error;               // of d_c'(m_k - m), by the rounding of the means
  for (std::size_t c = 0; c < count; ++c) {
    double square = 0, of_means = 0;
    for (std::size_t j = 0; j < at(p_); ++j) {
      const double x = std::abs(claim_.direction[c * at(p_) + j]) * scale_[j];
      square += x * x, of_means += x * off[j];
    }
    error.push_back((rounding() * std::sqrt(far) + rounded_) * std::sqrt(square) + of_means);
    if (!(claim_.ratio[c] > 0) || (c > 0 && claim_.ratio[c] > claim_.ratio[c - 1] * (1 + findings_.tolerance)))
      findings_.wrong.push_back(fmt::format("the ratio of LD{} is {}, out of order", c + 1, claim_.ratio[c]));
    direction(c, error, before);
    sign(c, s);
  }
  all_directions(rounding() * reach + moved);
}

std::vector<double> Checking::along(std::size_t c) const {
  std::vector<double> out;
  const double* d = claim_.direction.data() + c * at(p_);
  for (std::size_t k = 0; k < claim_.prior.size(); ++k) {
    double sum = 0;
    for (std::size_t j = 0; j < at(p_); ++j) sum += d[j] * (mean(k)[j] - middle_[j]);
    out.push_back(sum);
  }
  return out;
}

// A little of an earlier direction, with a ratio much larger than its own, makes a large residual of S^+ B d_c = r_c
// d_c: how little it is shows in d_c'B d_e / r_e, and the residual is taken beside the earlier ones. `error`: of
// d_e'(m_k - m), e <= c.
void Checking::direction(std::size_t c, const std::vector<double>& error, std::vector<std::vector<double>>& before) {
  const double* d = claim_.direction.data() + c * at(p_);
  const double ratio = claim_.ratio[c];
  std::vector<double> residual(at(p_)), whole(at(p_));
  for (std::size_t j = 0; j < at(p_); ++j) whole[j] = d[j] * scale_[j];
  const double size = length(whole);
  const double loss = rounding() * (kept_.inverse + claim_.ratio[0] / ratio); // of the weights and of the largest ratio
  const std::vector<double> here = along(c);
  for (std::size_t e = 0; e <= c; ++e) {
    const std::vector<double> there = along(e);
    double sum = 0;
    for (std::size_t k = 0; k < here.size(); ++k) sum += claim_.prior[k] * here[k] * there[k];
    const double other = claim_.ratio[e];
    findings_.look(std::abs(sum - (c == e ? ratio : 0)) / other,
                   (error[e] * std::sqrt(ratio / other) + error[c]) / std::sqrt(other) + loss);
  }
  for (std::size_t j = 0; j < at(p_); ++j) {
    double sum = 0;
    for (std::size_t k = 0; k < here.size(); ++k) sum += claim_.prior[k] * claim_.w[k * at(p_) + j] * here[k];
    residual[j] = sum * scale_[j] - ratio * whole[j];
  }
  const auto set_aside = [&](std::vector<double>& x) {
    for (int twice = 0; twice < 2; ++twice)
      for (const std::vector<double>& direction : before) {
        const double part = std::inner_product(x.begin(), x.end(), direction.begin(), 0.0);
        for (std::size_t j = 0; j < x.size(); ++j) x[j] -= part * direction[j];
      }
  };
  set_aside(residual);
  findings_.look(length(residual) / (ratio * size), loss + error[c] / std::sqrt(ratio));
  set_aside(whole);
  const double left = length(whole);
  if (!(left > 0)) return;
  for (double& x : whole) x /= left;
  before.push_back(std::move(whole));
}

// The entry that is largest in units of its column is positive; of several that are nearly so, one.
void Checking::sign(std::size_t c, const double* s) {
  const double* d = claim_.direction.data() + c * at(p_);
  double above = 0, below = 0;
  for (Index j = 0; j < p_; ++j) {
    double& side = d[j] > 0 ? above : below;
    side = std::max(side, std::abs(d[j]) * std::sqrt(s[j * p_ + j]));
  }
  if (above < below * (1 - 1e-6))
    findings_.wrong.push_back(fmt::format("LD{} points the other way: its largest entry is negative", c + 1));
}

void Checking::all_directions(double loss) {
  const double sum = std::accumulate(claim_.ratio.begin(), claim_.ratio.end(), 0.0);
  double trace = 0;
  for (std::size_t k = 0; k < claim_.prior.size(); ++k)
    for (std::size_t j = 0; j < at(p_); ++j)
      trace += claim_.prior[k] * claim_.w[k * at(p_) + j] * (mean(k)[j] - middle_[j]);
  const double size = claim_.ratio.empty() ? std::max(1.0, trace) : sum;
  findings_.look(std::abs(sum - trace) / size, loss / size);
}

} // namespace recta::discriminant
