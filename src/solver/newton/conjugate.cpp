#include "solver/newton/conjugate.hpp"

#include "base/blas.hpp"
#include "base/factor/cholesky.hpp"
#include "base/sums.hpp"
#include "solver/coordinate_descent/attention.hpp"
#include "solver/newton/row_products.hpp"
#include "solver/newton/row_slopes.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

namespace recta {
namespace {

constexpr Index kSteps = 200, kInner = 2000;

constexpr std::size_t kFrequent = 128; // columns with a factor of their own
constexpr double kStale = 0.7;         // a factor serves until curvatures are this share of what they were
constexpr Index kRare = 100;           // a frequent one is in a row of so many at least

using Numbers = std::vector<double>; // p, then the intercept's

class ConjugateNewton {
public:
  ConjugateNewton(const NewtonProblem& problem, const HeldRows& rows, Pool& pool, const Watch& watch)
      : objective_(problem.objective), facts_(*problem.facts), rows_(rows), products_(rows, pool),
        slopes_(problem.objective, facts_.weight(), rows.target(0), rows.weight(), pool), attention_(watch),
        n_(products_.rows()), p_(products_.cols()), problem_(problem), goal_(problem.goal()) {
    for (Index j = 0; j < p_; ++j) {
      const double unit = facts_.unit(objective_, j);
      const bool fixed = facts_.sums.constant(j, objective_.intercept) || !(unit > 0);
      penalty_.push_back(fixed ? 0 : objective_.lambda2 * unit * unit);
      mean_.push_back(objective_.intercept && !fixed ? facts_.sums.mean(j).hi : 0);
    }
    for (auto* each : {&at_, &gradient_, &inverse_, &first_, &second_})
      each->assign(static_cast<std::size_t>(p_) + 1, 0.0);
    choose_frequent();
    for (auto* each : {&z_, &trial_, &along_}) each->assign(static_cast<std::size_t>(n_), 0.0);
  }

  NewtonSolution run() {
    at_[p_] = facts_.null_intercept;
    place(z_);
    value_ = slopes_.look(z_) + penalty(at_);
    double least = INFINITY;
    Index stalled = 0;
    for (; solution_.steps < kSteps && !attention_.stop(); ++solution_.steps) {
      differentiate();
      const double bound = bound_of(gradient_);
      attention_.gap = bound;
      if (solution_.steps == 0) first_bound_ = bound;
      if (bound <= goal_) return kept();
      stalled = bound < 0.5 * least ? 0 : stalled + 1;
      least = std::min(least, bound);
      const bool fine = problem_.reached(bound);
      if (stalled > (fine ? 1 : kStalled)) return fine ? kept() : gave_up("rounding allows no smaller gap");
      const Numbers step = direction(bound);
      if (attention_.stopped()) break;
      if (!descend(step)) return fine ? kept() : gave_up("no step lowers the objective any further");
    }
    if (!attention_.stopped()) return gave_up("200 steps were not enough");
    solution_.interrupted = true;
    return kept();
  }

private:
  static constexpr Index kStalled = 8; // steps in which the bound was not halved

  // The columns that most rows have: what they share is what conjugate gradients take long to find.
  void choose_frequent() {
    const std::vector<Index> counts = products_.counts();
    std::vector<std::pair<Index, Index>> order;
    for (std::size_t j = 0; j < counts.size(); ++j)
      if (penalty_[j] > 0 && kRare * counts[j] > n_) order.emplace_back(-counts[j], static_cast<Index>(j));
    std::ranges::sort(order);
    if (order.size() > kFrequent) order.resize(kFrequent);
    for (const auto& [count, j] : order) frequent_.push_back(j);
    std::ranges::sort(frequent_); // rows have them in this order
    place_.assign(counts.size(), -1);
    for (std::size_t k = 0; k < frequent_.size(); ++k) place_[frequent_[k]] = static_cast<int>(k);
  }

  // Predictions from the coefficients.
  void place(Numbers& z) {
    products_.multiply(at_, z);
    ++solution_.passes;
    const double shift = at_[p_] - about_mean(at_);
    for (Index i = 0; i < n_; ++i)
      z[i] = products_.present(i) ? z[i] + shift + (rows_.offset().empty() ? 0 : rows_.offset()[i]) : 0;
  }
  double about_mean(const Numbers& v) const {
    double sum = 0;
    for (Index j = 0; j < p_; ++j) sum += mean_[j] * v[j];
    return sum;
  }

  double penalty(const Numbers& w) const {
    CompensatedSum sum;
    for (Index j = 0; j < p_; ++j) sum.add(penalty_[j] * w[j] * w[j] / 2);
    return sum.value();
  }

  // The Hessian over the frequent columns, about their means.
  void factor_frequent() {
    const auto size = static_cast<Index>(frequent_.size());
    factor_.reset();
    if (size == 0) return;
    const std::vector<double> lower = products_.gram(slopes_.curvature(), place_, size);
    std::vector<double> h(lower.size());
    for (Index a = 0; a < size; ++a)
      for (Index b = a; b < size; ++b) {
        const Index i = frequent_[a], j = frequent_[b];
        h[a + b * size] = lower[b + a * size] - mean_[i] * first_[j] - mean_[j] * first_[i] +
                          mean_[i] * mean_[j] * curvatures_ + (a == b ? penalty_[i] : 0);
      }
    const blas::SerialBlas serial;
    factor_.emplace(std::move(h), size, 10 * static_cast<double>(size) * 0x1p-53, nullptr);
    if (factor_->rank() < size) factor_.reset();
  }

  // Over the diagonal of the Hessian, and over its factor where there is one.
  void precondition(const Numbers& rest, Numbers& out) const {
    for (std::size_t j = 0; j < rest.size(); ++j) out[j] = inverse_[j] * rest[j];
    if (!factor_) return;
    Numbers some;
    for (const Index j : frequent_) some.push_back(rest[j]);
    const Numbers solved = factor_->solve(some);
    for (std::size_t k = 0; k < frequent_.size(); ++k) out[frequent_[k]] = solved[k];
  }

  // The gradient. The preconditioner with it, where curvatures have fallen since the last one was made.
  void differentiate() {
    double down = 0;
    curvatures_ = 0;
    for (Index i = 0; i < n_; ++i) down += slopes_.down()[i], curvatures_ += slopes_.curvature()[i];
    const bool fresh = !(curvatures_ >= kStale * factored_);
    if (fresh)
      products_.sums(slopes_.down(), slopes_.curvature(), gradient_, first_, second_);
    else
      products_.transposed(slopes_.down(), gradient_);
    ++solution_.passes;
    for (Index j = 0; j < p_; ++j)
      gradient_[j] = penalty_[j] > 0 ? mean_[j] * down - gradient_[j] + penalty_[j] * at_[j] : 0;
    gradient_[p_] = objective_.intercept ? -down : 0;
    if (fresh) make_preconditioner();
  }

  // One over the diagonal of the Hessian, zero for columns that keep the coefficient zero; a factor of its block.
  void make_preconditioner() {
    factored_ = curvatures_;
    for (Index j = 0; j < p_; ++j) {
      const double m = mean_[j], square = second_[j] - 2 * m * first_[j] + m * m * curvatures_;
      inverse_[j] = penalty_[j] > 0 ? 1 / (std::max(square, 0.0) + penalty_[j]) : 0;
    }
    inverse_[p_] = objective_.intercept && curvatures_ > 0 ? 1 / curvatures_ : 0;
    factor_frequent();
  }

  double bound_of(const Numbers& g) const {
    CompensatedSum sum;
    for (Index j = 0; j < p_; ++j)
      if (penalty_[j] > 0) sum.add(g[j] * g[j] / penalty_[j] / 2);
    return sum.value() + (curvatures_ > 0 ? g[p_] * g[p_] / curvatures_ / 2 : 0);
  }

  // H v; along: the change of the predictions.
  void multiply(const Numbers& v, Numbers& along, Numbers& out) {
    const double shift = v[p_] - about_mean(v);
    const double sum = products_.curved(slopes_.curvature(), v, shift, along, out);
    ++solution_.passes;
    for (Index j = 0; j < p_; ++j) out[j] = penalty_[j] > 0 ? out[j] - mean_[j] * sum + penalty_[j] * v[j] : 0;
    out[p_] = objective_.intercept ? sum : 0;
  }

  // Newton's step, as exactly as it pays: further from the optimum less so. along_ becomes its predictions.
  Numbers direction(double bound) {
    const auto size = gradient_.size();
    Numbers step(size), rest(size), eased(size), image(size), along(along_.size());
    std::ranges::fill(along_, 0.0);
    for (std::size_t j = 0; j < size; ++j) rest[j] = -gradient_[j];
    precondition(rest, eased);
    Numbers way = eased;
    double rz = 0;
    for (std::size_t j = 0; j < size; ++j) rz += rest[j] * eased[j];
    const double share = std::min(0.1, std::sqrt(bound / first_bound_)), enough = share * share * rz;
    for (Index k = 0; k < kInner && rz > 0 && !attention_.stop(); ++k) {
      multiply(way, along, image);
      double curvature = 0;
      for (std::size_t j = 0; j < size; ++j) curvature += way[j] * image[j];
      if (!(curvature > 0)) break;
      const double length = rz / curvature;
      for (std::size_t j = 0; j < size; ++j) {
        step[j] += length * way[j];
        rest[j] -= length * image[j];
      }
      precondition(rest, eased);
      double next = 0;
      for (std::size_t j = 0; j < size; ++j) next += rest[j] * eased[j];
      for (Index i = 0; i < n_; ++i) along_[i] += length * along[i];
      if (next <= enough || bound_of(rest) <= goal_ / 8) break;
      for (std::size_t j = 0; j < size; ++j) way[j] = eased[j] + next / rz * way[j];
      rz = next;
    }
    return step;
  }

  // Whether the objective fell. So near the optimum that values no longer tell, the step is taken on trust.
  bool descend(const Numbers& step) {
    double fall = 0, linear = 0, square = 0;
    for (std::size_t j = 0; j < step.size(); ++j) fall -= gradient_[j] * step[j];
    for (Index j = 0; j < p_; ++j) {
      linear += penalty_[j] * at_[j] * step[j];
      square += penalty_[j] * step[j] * step[j];
    }
    if (!(fall > 0)) return false;
    const double before = penalty(at_);
    const bool blind = fall <= 1e-12 * std::abs(value_);
    for (double t = 1; t > 1e-10;) {
      for (Index i = 0; i < n_; ++i) trial_[i] = z_[i] + t * along_[i];
      const double value = slopes_.look(trial_) + before + t * linear + t * t * square / 2;
      if (value <= value_ - 1e-4 * t * fall || (blind && std::isfinite(value))) {
        std::swap(z_, trial_);
        for (std::size_t j = 0; j < step.size(); ++j) at_[j] += t * step[j];
        value_ = value;
        return true;
      }
      const double over = value - value_ + t * fall; // what the straight line at the point did not tell
      t *= std::clamp(std::isfinite(over) && over > 0 ? t * fall / (2 * over) : 0.1, 0.1, 0.5);
    }
    return false;
  }

  NewtonSolution gave_up(std::string why) {
    solution_.gave_up = true;
    solution_.stop = std::move(why);
    return kept();
  }
  NewtonSolution kept() {
    DoubleDouble b = at_[p_];
    for (Index j = 0; j < p_; ++j) b -= two_prod(mean_[j], at_[j]);
    solution_.b = b.hi;
    at_.pop_back();
    solution_.w = std::move(at_);
    return std::move(solution_);
  }

  const LossObjective& objective_;
  const LossFacts& facts_;
  const HeldRows& rows_;
  RowProducts products_;
  RowSlopes slopes_;
  descent::Attention attention_;
  Index n_, p_;
  const NewtonProblem& problem_;
  double goal_, curvatures_ = 0, factored_ = INFINITY; // sums of the curvature: here, and where it was factored
  double first_bound_ = 0, value_ = 0;
  Numbers penalty_, mean_; // lambda2 u_j, zero where the coefficient stays zero; of the columns
  Numbers at_, gradient_, inverse_, first_, second_; // at: with the intercept about the means
  Numbers z_, trial_, along_;                        // by row
  std::vector<Index> frequent_;
  std::vector<int> place_; // of a column among the frequent ones
  std::optional<Cholesky<double>> factor_;
  NewtonSolution solution_;
};

} // namespace

Result<NewtonSolution> solve_by_conjugate_newton(const NewtonProblem& problem, RowSource& rows, Pool& pool,
                                                 const Watch& watch) {
  const auto held = HeldRows::hold(rows);
  if (!held) return std::unexpected(held.error());
  return ConjugateNewton(problem, **held, pool, watch).run();
}

} // namespace recta
