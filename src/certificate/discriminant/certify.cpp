// Compares what a claim says with what the rows give.
#include "base/blas.hpp"
#include "base/numbers.hpp"
#include "certificate/discriminant/rescatter.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <numbers>
#include <numeric>

namespace recta::discriminant {
namespace {

struct Findings {
  double residual = 0, rounding = 0; // the largest of each; rounding: what doubles cannot do better
  std::vector<std::string> wrong{};

  void look(double one) { residual = std::isnan(one) ? kInfinity : std::max(residual, one); }
  void allow(double one) { rounding = std::max(rounding, one); }
};

class Checking {
public:
  Checking(const Rescatter& again, Index block_rows)
      : again_(again), claim_(again.claim()), p_(claim_.columns), numbers_(at(p_ * p_)), sums_(again.sums()),
        expected_(covariances(claim_.shape, sums_, claim_.prior)), least_(least_variances(claim_.mean, p_)),
        counting_(static_cast<double>(block_rows + 64) * kUnit) {
    widen(sums_, claim_.added, expected_.matrices);
  }

  Findings run() {
    weights();
    means();
    deviations();
    matrices();
    if (claim_.shape.quadratic)
      whitenings();
    else
      equations();
    return found_;
  }
  double objective() const;
  double null_objective() const;

private:
  const double* matrix(std::size_t k) const {
    return expected_.matrices.data() + (claim_.shape.quadratic ? k : 0) * numbers_;
  }
  // Standard deviations; of a column that does not vary, the size of its means, or 1.
  std::vector<double> scales(const double* s) const {
    std::vector<double> out;
    for (Index j = 0; j < p_; ++j) {
      const double variance = s[j * p_ + j], least = least_[at(j)];
      out.push_back(variance > least ? std::sqrt(variance) : least > 0 ? std::sqrt(least) / (16 * kUnit) : 1);
    }
    return out;
  }
  void weights();
  void means();
  void deviations();
  void matrices();
  void equations();
  void whitenings();
  std::vector<double> centre() const;
  std::vector<double> kept_space(const double* s, const std::vector<double>& scale);

  const Rescatter& again_;
  const GaussianClaim& claim_;
  Index p_;
  std::size_t numbers_;
  Sums sums_;
  Covariances expected_;
  std::vector<double> least_;
  double counting_;
  Findings found_;
};

void Checking::weights() {
  for (std::size_t k = 0; k < claim_.weight.size(); ++k)
    if (!(std::abs(claim_.weight[k] - sums_.weight[k]) <= counting_ * sums_.weight[k]))
      found_.wrong.push_back(fmt::format("class {}: the model has weight {}, the rows give {}",
                                         claim_.classes.labels[k], claim_.weight[k], sums_.weight[k]));
}

void Checking::means() {
  const std::vector<double> first = again_.first();
  for (std::size_t k = 0; k < claim_.weight.size(); ++k) {
    const std::vector<double> scale = scales(matrix(k));
    for (std::size_t j = 0; j < at(p_); ++j) {
      const double mean = std::abs(claim_.mean[k * at(p_) + j]);
      found_.look(std::abs(first[k * at(p_) + j]) / sums_.weight[k] / scale[j]);
      found_.allow(4 * kUnit * mean / scale[j]);
    }
  }
}

void Checking::deviations() {
  for (std::size_t i = 0; i < claim_.deviation.size(); ++i) {
    const std::size_t k = i / at(p_), j = i % at(p_);
    const double variance = sums_.covariance[k * numbers_ + j * at(p_) + j], stored = claim_.deviation[i];
    if (variance > 0) found_.look(std::abs(stored * stored - variance) / variance);
  }
}

void Checking::matrices() {
  for (std::size_t k = 0; k * numbers_ < claim_.covariance.size(); ++k) {
    const double *expected = matrix(k), *stored = claim_.covariance.data() + k * numbers_;
    const std::vector<double> scale = scales(expected);
    for (std::size_t j = 0; j < at(p_); ++j)
      for (std::size_t i = 0; i < at(p_); ++i)
        found_.look(std::abs(stored[j * at(p_) + i] - expected[j * at(p_) + i]) / scale[i] / scale[j]);
  }
}

std::vector<double> Checking::centre() const {
  std::vector<double> out(at(p_));
  for (std::size_t k = 0; k < claim_.prior.size(); ++k)
    for (std::size_t j = 0; j < out.size(); ++j)
      out[j] += claim_.prior[k] * (claim_.mean[k * at(p_) + j] - claim_.mean[j]);
  for (std::size_t j = 0; j < out.size(); ++j) out[j] += claim_.mean[j];
  return out;
}

// Eigenvectors of the correlations with eigenvalues above the tolerance, as columns; none if all are.
std::vector<double> Checking::kept_space(const double* s, const std::vector<double>& scale) {
  std::vector<double> r(numbers_), values(at(p_));
  for (std::size_t j = 0; j < at(p_); ++j)
    for (std::size_t i = 0; i < at(p_); ++i) r[j * at(p_) + i] = s[j * at(p_) + i] / scale[i] / scale[j];
  blas::syevd(true, p_, {r.data(), p_}, values.data());
  const double limit = claim_.shape.tolerance * claim_.shape.tolerance;
  const Index rank = std::ranges::count_if(values, [&](double value) { return value > limit; });
  if (rank != claim_.rank)
    found_.wrong.push_back(fmt::format("the model states rank {}, the rows give {}", claim_.rank, rank));
  return {r.end() - rank * p_, r.end()};
}

// D^-1 (S w - (m_k - m)), on the space of the eigenvectors that are kept if some are not; and b.
void Checking::equations() {
  const double* s = matrix(0);
  const std::vector<double> scale = scales(s), middle = centre();
  const bool whole = claim_.rank == p_;
  const std::vector<double> space = whole ? std::vector<double>{} : kept_space(s, scale);
  for (std::size_t k = 0; k < claim_.prior.size(); ++k) {
    const double *w = claim_.w.data() + k * at(p_), *mean = claim_.mean.data() + k * at(p_);
    std::vector<double> residual(at(p_));
    blas::symv(p_, 1, {s, p_}, w, 0, residual.data());
    double size = 1, reach = 0, level = std::log(claim_.prior[k]), terms = std::abs(level);
    for (std::size_t j = 0; j < at(p_); ++j) {
      const double apart = mean[j] - middle[j];
      residual[j] = (residual[j] - apart) / scale[j];
      size = std::max(size, std::abs(apart) / scale[j]);
      reach += std::abs(w[j]) * scale[j];
      level -= w[j] * (apart / 2 + middle[j]);
      terms += std::abs(w[j]) * (std::abs(apart) / 2 + std::abs(middle[j]));
    }
    if (!whole) {
      std::vector<double> inside(space.size() / at(p_));
      if (!inside.empty())
        blas::gemv(blas::Op::transposed, p_, std::ssize(inside), 1, {space.data(), p_}, residual.data(), 0,
                   inside.data());
      residual = std::move(inside);
    }
    for (const double one : residual) found_.look(std::abs(one) / size);
    found_.allow(static_cast<double>(p_ + 8) * kUnit * reach / size);
    if (!(std::abs(claim_.b[k] - level) <= static_cast<double>(p_ + 64) * kUnit * terms))
      found_.wrong.push_back(fmt::format("the intercept of class {} is {}, its weights and means give {}",
                                         claim_.classes.labels[k], claim_.b[k], level));
  }
}

// T'ST = I in every class, T upper triangular, so that log det S = -2 sum log T_jj. Columns that are set aside in all
// classes have no part: their rows and columns of T are zero.
void Checking::whitenings() {
  std::vector<double> product(numbers_), whole(numbers_);
  for (std::size_t k = 0; k < claim_.prior.size(); ++k) {
    const double *t = claim_.t.data() + k * numbers_, *s = matrix(k);
    const std::vector<double> scale = scales(s);
    blas::gemm(blas::Op::plain, blas::Op::plain, p_, p_, p_, 1, {s, p_}, {t, p_}, 0, {product.data(), p_});
    blas::gemm(blas::Op::transposed, blas::Op::plain, p_, p_, p_, 1, {t, p_}, {product.data(), p_}, 0,
               {whole.data(), p_});
    double log_determinant = 0, reach = 0;
    for (std::size_t j = 0; j < at(p_); ++j) {
      const double diagonal = t[j * at(p_) + j];
      if (diagonal != 0) log_determinant -= 2 * std::log(std::abs(diagonal));
      for (std::size_t i = 0; i < at(p_); ++i) {
        const double below = i > j ? std::abs(t[j * at(p_) + i]) * scale[i] : 0;
        found_.look(std::max(below, std::abs(whole[j * at(p_) + i] - (i == j && diagonal != 0 ? 1 : 0))));
        reach += t[j * at(p_) + i] * t[j * at(p_) + i] * scale[i] * scale[i];
      }
    }
    found_.allow(static_cast<double>(p_ + 8) * kUnit * reach);
    if (!(std::abs(log_determinant - claim_.log_determinant[k]) <=
          1e-9 * (static_cast<double>(p_) + std::abs(log_determinant))))
      found_.wrong.push_back(fmt::format("the log-determinant of class {} is {}, its factor gives {}",
                                         claim_.classes.labels[k], claim_.log_determinant[k], log_determinant));
  }
}

// log det S + tr(S^-1 M); NaN if S is singular.
double cost_of(const double* s, const double* m, Index p) {
  std::vector<double> factor(s, s + p * p), solved(m, m + p * p);
  if (blas::potrf(p, {factor.data(), p}) != 0) return kNaN;
  blas::potrs(p, p, {factor.data(), p}, {solved.data(), p});
  double sum = 0;
  for (Index j = 0; j < p; ++j) sum += 2 * std::log(factor[at(j * p + j)]) + solved[at(j * p + j)];
  return sum;
}

// -1/W log-likelihood of rows and classes together.
double Checking::objective() const {
  const double total = std::accumulate(sums_.weight.begin(), sums_.weight.end(), 0.0);
  const double constant = static_cast<double>(p_) * std::log(2 * std::numbers::pi);
  double sum = claim_.shape.by_class() ? 0 : (constant + cost_of(matrix(0), sums_.covariance.data(), p_)) / 2;
  for (std::size_t k = 0; k < claim_.prior.size(); ++k) {
    const double share = sums_.weight[k] / total;
    if (claim_.shape.by_class())
      sum += share * (constant + cost_of(matrix(k), sums_.covariance.data() + k * numbers_, p_)) / 2;
    sum -= share * std::log(claim_.prior[k]);
  }
  return sum;
}

// The same for one Gaussian that knows no classes, and the shares of the classes.
double Checking::null_objective() const {
  const double total = std::accumulate(sums_.weight.begin(), sums_.weight.end(), 0.0);
  const std::vector<double> share = class_shares({}, sums_.weight, claim_.prior);
  std::vector<double> all(numbers_), middle(at(p_));
  double sum = static_cast<double>(p_) * std::log(2 * std::numbers::pi) / 2;
  for (std::size_t k = 0; k < share.size(); ++k) {
    sum -= share[k] * std::log(sums_.weight[k] / total);
    for (std::size_t j = 0; j < at(p_); ++j) middle[j] += share[k] * (claim_.mean[k * at(p_) + j] - claim_.mean[j]);
  }
  for (std::size_t k = 0; k < share.size(); ++k)
    for (std::size_t j = 0; j < at(p_); ++j)
      for (std::size_t i = 0; i < at(p_); ++i) {
        const double* mean = claim_.mean.data() + k * at(p_);
        const double a = mean[i] - claim_.mean[i] - middle[i], b = mean[j] - claim_.mean[j] - middle[j];
        const double inside = claim_.shape.by_class() ? share[k] * sums_.covariance[k * numbers_ + j * at(p_) + i]
                              : k == 0                ? sums_.covariance[j * at(p_) + i]
                                                      : 0;
        all[j * at(p_) + i] += inside + share[k] * a * b;
      }
  return sum + cost_of(all.data(), all.data(), p_) / 2;
}

} // namespace

Certificate certify(const Rescatter& again, Index block_rows, double tolerance) {
  Checking checking(again, block_rows);
  const Findings found = checking.run();
  Certificate out;
  out.claim = KktResidual{found.residual};
  const bool near = found.wrong.empty() && found.residual <= tolerance + found.rounding;
  out.verdict = !near ? Verdict::refuted : found.residual <= tolerance ? Verdict::proved : Verdict::within_tolerance;
  out.objective = checking.objective();
  out.null_objective = checking.null_objective();
  out.tolerance = tolerance;
  out.slack = found.rounding;
  out.stop = "solved in closed form";
  out.conditions = found.wrong;
  return out;
}

} // namespace recta::discriminant
