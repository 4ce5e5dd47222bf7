#include "solver/newton/softmax.hpp"

#include "base/blas.hpp"
#include "base/factor/cholesky.hpp"
#include "certificate/pass.hpp"
#include "stats/softmax/class_grams.hpp"
#include "stats/softmax/softmax.hpp"

#include <algorithm>
#include <cmath>

namespace recta {
namespace {

constexpr Index kSteps = 100, kInner = 300;
constexpr double kLongest = 1e8; // of a step of conjugate gradients, in units of the preconditioner
constexpr double kUsual = 1e-9;  // tolerance above which no digits beyond it are asked for
constexpr Index kSample = 8;     // rows a column, from which factors of the classes are made
constexpr Index kHard = 12;      // steps of conjugate gradients after which the factors are renewed

// Weights by class, and constants about the means of the columns: z = <w, x - m> + c.
struct Vector {
  std::vector<double> w, c;

  void add(double t, const Vector& other) {
    for (std::size_t j = 0; j < w.size(); ++j) w[j] += t * other.w[j];
    for (std::size_t k = 0; k < c.size(); ++k) c[k] += t * other.c[k];
  }
};

double dot(const Vector& a, const Vector& b) {
  double sum = 0;
  for (std::size_t j = 0; j < a.w.size(); ++j) sum += a.w[j] * b.w[j];
  for (std::size_t k = 0; k < a.c.size(); ++k) sum += a.c[k] * b.c[k];
  return sum;
}

class SoftmaxNewton {
public:
  SoftmaxNewton(const SoftmaxProblem& problem, RowSource& rows, Pool& pool, const Watch& watch)
      : problem_(problem), rows_(rows), pool_(pool), watch_(watch), p_(rows.cols()), k_(problem.classes) {
    mean_.assign(static_cast<std::size_t>(p_), 0.0);
    if (problem.intercept)
      for (Index j = 0; j < p_; ++j) mean_[j] = problem.gram->mean[j];
    here_ = nowhere();
    here_.c = problem.start;
    for (Index j = 0; j < p_; ++j)
      if (problem.unit[j] > 0) used_.push_back(j);
    make_factor();
  }

  Result<SoftmaxSolution> run() {
    const blas::SerialBlas serial;
    if (auto done = look(here_); !done) return std::unexpected(done.error());
    take();
    double before = INFINITY;
    const double scale = std::max(problem_.null_objective, 1e-300);
    for (; solution_.steps < kSteps; ++solution_.steps) {
      if (enough(scale)) return ended(false);
      const auto step = direction();
      if (!step && step.error().code == ErrorCode::interrupted) return ended(true);
      if (!step) return std::unexpected(step.error());
      const double fall = -dot(gradient_, *step);
      const bool near = fall <= 1e-3 * problem_.tolerance * scale;
      if (!(fall > 1e-24 * scale) || (near && fall > 0.25 * before)) return finished(*step, fall);
      before = fall;
      const auto moved = descend(*step, fall);
      if (!moved && moved.error().code == ErrorCode::interrupted) return ended(true);
      if (!moved) return std::unexpected(moved.error());
      if (!*moved) return finished(*step, fall);
    }
    solution_.gave_up = true;
    solution_.stop = "100 steps were not enough";
    return ended(false);
  }

private:
  // With a tolerance above the usual one the answer is as good as asked for, and no better: the gradient is what the
  // gap will be made of. Otherwise steps go on while they gain, for digits of the coefficients.
  bool enough(double scale) const {
    if (!(problem_.tolerance > kUsual && problem_.lambda2 > 0)) return false;
    double gap = 0;
    for (Index k = 0; k < k_; ++k) {
      gap += std::abs(gradient_.c[k]);
      for (const Index j : used_)
        gap += gradient_.w[k * p_ + j] * gradient_.w[k * p_ + j] / (2 * problem_.lambda2 * problem_.unit[j]);
    }
    return gap <= 0.1 * problem_.tolerance * scale;
  }

  Vector nowhere() const {
    return {std::vector<double>(static_cast<std::size_t>(p_ * k_)), std::vector<double>(static_cast<std::size_t>(k_))};
  }

  void make_factor() {
    const Gram& gram = *problem_.gram;
    const auto size = static_cast<Index>(used_.size());
    std::vector<double> a(used_.size() * used_.size());
    for (Index c = 0; c < size; ++c) {
      for (Index r = 0; r <= c; ++r) {
        const Index i = used_[r], j = used_[c];
        const double about = gram.scatter[std::max(i, j) + std::min(i, j) * gram.size()];
        const double own = problem_.intercept ? about : about + gram.weight * gram.mean[i] * gram.mean[j];
        a[r + c * size] = own / gram.weight / 2;
      }
      a[c + c * size] += problem_.lambda2 * problem_.unit[used_[c]] + 1e-12 * a[c + c * size];
    }
    const blas::SerialBlas serial;
    factor_ = Cholesky<double>(std::move(a), size, 1e-14, &pool_);
  }

  Result<SoftmaxSums> pass(const Vector& at, const Vector* along) {
    auto point = std::make_shared<SoftmaxPoint>();
    point->classes = k_;
    point->w = at.w;
    point->b = intercepts(at);
    point->along = along != nullptr;
    if (along) {
      point->w.insert(point->w.end(), along->w.begin(), along->w.end());
      const std::vector<double> constants = intercepts(*along);
      point->b.insert(point->b.end(), constants.begin(), constants.end());
    }
    auto sums = fresh_pass(rows_, SoftmaxSums(point), pool_, watch_, {"Newton's method", solution_.passes});
    if (sums) ++solution_.passes;
    return sums;
  }
  std::vector<double> intercepts(const Vector& at) const {
    std::vector<double> b = at.c;
    for (Index k = 0; k < k_; ++k)
      for (Index j = 0; j < p_; ++j) b[k] -= mean_[j] * at.w[k * p_ + j];
    return b;
  }
  // Sums as a vector: about the means, with the penalty's share of `at`.
  Vector centred(const SoftmaxSums& sums, const Vector& at) const {
    Vector out = nowhere();
    for (Index k = 0; k < k_; ++k) {
      out.c[k] = problem_.intercept ? sums.slope[k] / sums.weight : 0;
      for (const Index j : used_)
        out.w[k * p_ + j] = (sums.gradient[k * p_ + j] - mean_[j] * sums.slope[k]) / sums.weight +
                            problem_.lambda2 * problem_.unit[j] * at.w[k * p_ + j];
    }
    return out;
  }

  Result<void> look(const Vector& at) {
    const auto sums = pass(at, nullptr);
    if (!sums) return std::unexpected(sums.error());
    seen_ = at;
    seen_gradient_ = centred(*sums, at);
    double penalty = 0;
    for (Index s = 0; s < p_ * k_; ++s) penalty += problem_.unit[s % p_] * at.w[s] * at.w[s];
    seen_value_ = sums->loss / sums->weight + problem_.lambda2 / 2 * penalty;
    return {};
  }
  void take() {
    here_ = seen_;
    gradient_ = seen_gradient_;
    value_ = seen_value_;
  }

  // The Hessian's diagonal blocks at this point.
  Result<void> renew_blocks() {
    auto point = std::make_shared<SoftmaxPoint>();
    point->classes = k_;
    point->w = here_.w;
    point->b = intercepts(here_);
    point->every = std::max<Index>(1, problem_.gram->rows / (kSample * p_));
    auto found = fresh_pass(rows_, ClassGrams(point), pool_, watch_, {"Newton's method", solution_.passes});
    if (!found) return std::unexpected(found.error());
    ++solution_.passes;
    blocks_.clear();
    for (const Gram& gram : found->grams) blocks_.push_back(block_of(gram, found->weight));
    return {};
  }

  struct Block {
    Cholesky<double> factor;
    std::vector<double> shift; // of the class's own mean from that of all rows
    double weight = 0;
  };
  Block block_of(const Gram& gram, double total) {
    const auto size = static_cast<Index>(used_.size());
    Block block;
    block.weight = gram.weight / total;
    std::vector<double> a(used_.size() * used_.size());
    for (Index c = 0; c < size; ++c) {
      const Index j = used_[c];
      const bool any = gram.weight > 0;
      block.shift.push_back(any ? gram.mean[j] - mean_[j] : 0);
      for (Index r = 0; any && r <= c; ++r) {
        const Index i = used_[r];
        const double own = gram.scatter[std::max(i, j) + std::min(i, j) * gram.size()];
        a[r + c * size] = (problem_.intercept ? own : own + gram.weight * gram.mean[i] * gram.mean[j]) / total;
      }
      // A column that the sample hardly has still has its spread over all rows.
      const double spread = problem_.gram->scatter[j + j * problem_.gram->size()] / problem_.gram->weight;
      a[c + c * size] += problem_.lambda2 * problem_.unit[j] + 1e-6 * block.weight * spread + 1e-290;
    }
    const blas::SerialBlas serial;
    block.factor = Cholesky<double>(std::move(a), size, 1e-15, &pool_);
    return block;
  }

  Vector eased_by_blocks(const Vector& r) const {
    Vector out = nowhere();
    for (Index k = 0; k < k_; ++k) {
      const Block& block = blocks_[k];
      const bool free = problem_.intercept && block.weight > 0;
      std::vector<double> rhs;
      for (std::size_t s = 0; s < used_.size(); ++s)
        rhs.push_back(r.w[k * p_ + used_[s]] - (free ? block.shift[s] * r.c[k] : 0));
      const std::vector<double> x = block.factor.solve(rhs);
      double c = free ? r.c[k] / block.weight : 0;
      for (std::size_t s = 0; s < used_.size(); ++s) {
        out.w[k * p_ + used_[s]] = x[s];
        if (free) c -= block.shift[s] * x[s];
      }
      out.c[k] = c;
    }
    keep_centred(out);
    return out;
  }

  Vector eased(const Vector& r) const {
    if (!blocks_.empty()) return eased_by_blocks(r);
    Vector out = nowhere();
    std::vector<double> mean(used_.size()), rhs(used_.size());
    for (std::size_t s = 0; s < used_.size(); ++s)
      for (Index k = 0; k < k_; ++k) mean[s] += r.w[k * p_ + used_[s]] / static_cast<double>(k_);
    double about = 0;
    for (const double c : r.c) about += c / static_cast<double>(k_);
    for (Index k = 0; k < k_; ++k) {
      for (std::size_t s = 0; s < used_.size(); ++s) rhs[s] = r.w[k * p_ + used_[s]] - mean[s];
      const std::vector<double> x = factor_.solve(rhs);
      for (std::size_t s = 0; s < used_.size(); ++s) out.w[k * p_ + used_[s]] = x[s];
      out.c[k] = 2 * (r.c[k] - about);
    }
    return out;
  }

  Result<Vector> direction() {
    const bool renewed = solution_.steps > 0 && (blocks_.empty() || last_inner_ > kHard);
    if (renewed)
      if (auto done = renew_blocks(); !done) return std::unexpected(done.error());
    auto found = conjugate();
    if (!found || renewed || solution_.steps == 0 || last_inner_ > 0) return found;
    // Not a single step: the factors are of a point where the loss was far more curved.
    if (auto done = renew_blocks(); !done) return std::unexpected(done.error());
    return conjugate();
  }

  Result<Vector> conjugate() {
    Vector x = nowhere(), r = nowhere();
    r.add(-1, gradient_);
    Vector z = eased(r), d = z;
    double rz = dot(r, z);
    const double first = rz,
                 enough = std::min(0.1, std::sqrt(std::max(0.0, rz / std::max(value_, 1e-300)))) * first * 0.1;
    last_inner_ = 0;
    for (Index i = 0; i < kInner && rz > 0 && (i == 0 || rz > enough); ++i, ++last_inner_) {
      const auto sums = pass(here_, &d);
      if (!sums) return std::unexpected(sums.error());
      const Vector h = centred(*sums, d);
      const double curved = dot(d, h);
      if (!(curved > 0)) break;
      const double step = rz / curved;
      if (step > kLongest) break; // what is left is rounding, along which the loss is flat
      x.add(step, d);
      r.add(-step, h);
      z = eased(r);
      const double next = dot(r, z);
      Vector on = z;
      on.add(next / rz, d);
      d = std::move(on);
      rz = next;
    }
    keep_centred(x);
    return x;
  }

  // Rounding may add what all classes share, along which the loss is flat.
  void keep_centred(Vector& x) const {
    const auto k = static_cast<double>(k_);
    for (Index j = 0; j < p_; ++j) {
      double mean = 0;
      for (Index c = 0; c < k_; ++c) mean += x.w[c * p_ + j] / k;
      for (Index c = 0; c < k_; ++c) x.w[c * p_ + j] -= mean;
    }
    double mean = 0;
    for (const double c : x.c) mean += c / k;
    for (double& c : x.c) c -= mean;
  }

  Result<bool> descend(const Vector& step, double fall) {
    const bool blind = fall <= 1e-12 * std::abs(value_);
    for (double t = 1; t > 1e-8; t /= 2) {
      Vector to = here_;
      to.add(t, step);
      if (auto done = look(to); !done) return std::unexpected(done.error());
      if (!(seen_value_ <= value_ - 1e-4 * t * fall || (blind && std::isfinite(seen_value_)))) continue;
      take();
      return true;
    }
    return false;
  }

  SoftmaxSolution finished(const Vector& step, double fall) {
    double away = 0;
    for (Index s = 0; s < p_ * k_; ++s) {
      const Index j = s % p_;
      const double spread = problem_.gram->scatter[j + j * problem_.gram->size()] / problem_.gram->weight;
      away = std::max(away, std::abs(step.w[s]) * std::sqrt(std::max(0.0, spread)));
    }
    solution_.far = problem_.lambda2 == 0 && away > 1e-2;
    if (solution_.far) solution_.gave_up = true, solution_.stop = "the way down has no end";
    if (!solution_.far && fall > 1e-28 * value_ && fall <= 1e-12 * value_) here_.add(1, step);
    return ended(false);
  }
  SoftmaxSolution ended(bool interrupted) {
    solution_.interrupted = interrupted;
    solution_.b = intercepts(here_);
    solution_.w = here_.w;
    return std::move(solution_);
  }

  const SoftmaxProblem& problem_;
  RowSource& rows_;
  Pool& pool_;
  const Watch& watch_;
  Index p_, k_;
  std::vector<double> mean_;
  std::vector<Index> used_;
  Cholesky<double> factor_;
  std::vector<Block> blocks_;
  Vector here_, gradient_, seen_, seen_gradient_;
  double value_ = 0, seen_value_ = 0;
  Index last_inner_ = 0; // steps of conjugate gradients in the last direction
  SoftmaxSolution solution_;
};

} // namespace

Result<SoftmaxSolution> solve_softmax(const SoftmaxProblem& problem, RowSource& rows, Pool& pool, const Watch& watch) {
  return SoftmaxNewton(problem, rows, pool, watch).run();
}

} // namespace recta
