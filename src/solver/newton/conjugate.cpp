#include "solver/newton/conjugate.hpp"

#include "base/sums.hpp"
#include "solver/coordinate_descent/attention.hpp"
#include "solver/line_search.hpp"
#include "solver/newton/frequent.hpp"
#include "solver/newton/row_slopes.hpp"
#include "solver/row_coordinates/row_coordinates.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <optional>

namespace recta {
namespace {

constexpr Index kConjugateSteps = 200, kInner = 2000;

constexpr double kStale = 0.5;         // a factor is reused until curvatures fall to this share of what they were
constexpr Index kConjugateTile = 8192; // numbers per task

using Numbers = std::vector<double>; // p, then the intercept's

// The units and means of the columns: those of the data, or of rows in other coordinates.
struct ConjugateColumns {
  Numbers unit, mean; // u_j^2, zero if the coefficient stays zero; m_j

  explicit ConjugateColumns(Index count) : unit(static_cast<std::size_t>(count), 1.0), mean(unit.size()) {}
  explicit ConjugateColumns(const NewtonProblem& problem) {
    const LossObjective& objective = problem.objective;
    const LossFacts& facts = *problem.facts;
    for (Index j = 0; j < facts.sums.cols; ++j) {
      const double of_one = facts.unit(objective, j);
      const bool fixed = facts.sums.constant(j, objective.intercept) || !(of_one > 0);
      unit.push_back(fixed ? 0 : of_one * of_one);
      mean.push_back(objective.intercept && !fixed ? facts.sums.mean(j).hi : 0);
    }
  }
};

class ConjugateNewton {
public:
  ConjugateNewton(const NewtonProblem& problem, const ConjugateColumns& columns, const HeldRows& rows, Pool& pool,
                  const Watch& watch)
      : objective_(problem.objective), facts_(*problem.facts), rows_(rows), pool_(pool), products_(rows, pool),
        slopes_(problem.objective, facts_.weight(), rows.target(0), rows.weight(), pool), attention_(watch),
        n_(products_.rows()), p_(products_.cols()), problem_(problem), goal_(problem.goal()), mean_(columns.mean) {
    for (const double unit : columns.unit) {
      penalty_.push_back(objective_.lambda2 * unit);
      ease_.push_back(unit > 0 ? 1 / (2 * penalty_.back()) : 0);
    }
    for (auto* each : {&at_, &gradient_, &inverse_, &first_, &second_})
      each->assign(static_cast<std::size_t>(p_) + 1, 0.0);
    for (auto* each : {&z_, &trial_, &along_}) each->assign(static_cast<std::size_t>(n_), 0.0);
  }

  // Starts at these weights and this intercept about the means. No weights: all of them zero.
  NewtonSolution run(Numbers start, double intercept) {
    const bool near = !start.empty();
    if (near) std::ranges::copy(start, at_.begin());
    at_[p_] = intercept;
    if (near) products_.multiply(std::span(at_).first(static_cast<std::size_t>(p_)), z_);
    const double shift = at_[p_] - about_mean(at_);
    for (Index i = 0; i < n_; ++i)
      z_[i] = products_.present(i) ? z_[i] + shift + (rows_.offset().empty() ? 0 : rows_.offset()[i]) : 0;
    value_ = slopes_.look(z_) + penalty(at_);
    double least = INFINITY;
    Index stalled = 0;
    for (; solution_.steps < kConjugateSteps && !attention_.stop(); ++solution_.steps) {
      differentiate(!near || solution_.steps > 0);
      const double bound = bound_of(gradient_);
      attention_.gap = bound;
      if (solution_.steps == 0) first_bound_ = bound;
      if (bound <= goal_) return kept();
      if (!frequent_) differentiate(true);
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
  static constexpr Index kStalled = 8; // steps that did not halve the bound

  // The sum of visit(first, end) over the tiles of the numbers; the bits do not depend on the threads.
  template <class Visit>
  double by_tiles(Index count, const Visit& visit) const {
    Numbers parts(static_cast<std::size_t>((count + kConjugateTile - 1) / kConjugateTile));
    pool_.run(static_cast<Index>(parts.size()), [&](Index tile, int) {
      parts[static_cast<std::size_t>(tile)] =
          visit(tile * kConjugateTile, std::min(count, (tile + 1) * kConjugateTile));
    });
    double sum = 0;
    for (const double part : parts) sum += part;
    return sum;
  }

  double about_mean(const Numbers& v) const {
    double sum = 0;
    for (Index j = 0; objective_.intercept && j < p_; ++j) sum += mean_[j] * v[j];
    return sum;
  }

  double penalty(const Numbers& w) const {
    CompensatedSum sum;
    for (Index j = 0; j < p_; ++j) sum.add(penalty_[j] * w[j] * w[j] / 2);
    return sum.value();
  }

  // Computes the gradient, and the preconditioner if one is wanted and curvatures have fallen since the last was made.
  void differentiate(bool preconditioned) {
    double down = 0;
    curvatures_ = 0;
    for (Index i = 0; i < n_; ++i) down += slopes_.down()[i], curvatures_ += slopes_.curvature()[i];
    const bool fresh = preconditioned && !(curvatures_ >= kStale * factored_);
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

  // One over the diagonal of the Hessian, zero for columns whose coefficient stays zero and for those in the factor.
  void make_preconditioner() {
    factored_ = curvatures_;
    for (Index j = 0; j < p_; ++j) {
      const double m = mean_[j], square = second_[j] - 2 * m * first_[j] + m * m * curvatures_;
      inverse_[j] = penalty_[j] > 0 ? 1 / (std::max(square, 0.0) + penalty_[j]) : 0;
    }
    inverse_[p_] = objective_.intercept && curvatures_ > 0 ? 1 / curvatures_ : 0;
    if (!frequent_) frequent_.emplace(products_, penalty_, mean_);
    if (!frequent_->factor(slopes_.curvature(), curvatures_)) return;
    for (const Index j : frequent_->columns()) inverse_[j] = 0;
  }

  double bound_of(const Numbers& g) const {
    const double sum = by_tiles(p_, [&](Index first, Index end) {
      double part = 0;
      for (Index j = first; j < end; ++j) part += g[j] * g[j] * ease_[j];
      return part;
    });
    return sum + (curvatures_ > 0 ? g[p_] * g[p_] / curvatures_ / 2 : 0);
  }

  // H v; along: the change of the predictions. Returns <v, H v>.
  double multiply(const Numbers& v, Numbers& along, Numbers& out) {
    const double shift = v[p_] - about_mean(v);
    const double sum = products_.curved(slopes_.curvature(), v, shift, along, out);
    ++solution_.passes;
    out[p_] = objective_.intercept ? sum : 0;
    return v[p_] * out[p_] + by_tiles(p_, [&](Index first, Index end) {
             double part = 0;
             for (Index j = first; j < end; ++j) {
               out[j] = penalty_[j] > 0 ? out[j] - mean_[j] * sum + penalty_[j] * v[j] : 0;
               part += v[j] * out[j];
             }
             return part;
           });
  }

  struct Way {
    Numbers step, rest, eased, way, image, along;
    Way(std::size_t size, std::size_t rows)
        : step(size), rest(size), eased(size), way(size), image(size), along(rows) {}
  };

  // Goes a length along the direction and preconditions the new residual. Returns <rest, eased>.
  double advance(Way& at, double length) {
    const double sum = by_tiles(p_ + 1, [&](Index first, Index end) {
      double part = 0;
      for (Index j = first; j < end; ++j) {
        at.step[j] += length * at.way[j];
        at.rest[j] -= length * at.image[j];
        at.eased[j] = inverse_[j] * at.rest[j];
        part += at.rest[j] * at.eased[j];
      }
      return part;
    });
    return sum + frequent_->solve(at.rest, at.eased);
  }

  // The Newton step, as exactly as it pays: less exactly far from the optimum. along_ becomes its predictions.
  Numbers direction(double bound) {
    Way at(gradient_.size(), along_.size());
    std::ranges::fill(along_, 0.0);
    std::ranges::transform(gradient_, at.rest.begin(), std::negate<>());
    double rz = advance(at, 0);
    at.way = at.eased;
    const double share = std::min(0.2, std::sqrt(bound / first_bound_)), enough = share * share * rz;
    for (Index k = 0; k < kInner && rz > 0 && !attention_.stop(); ++k) {
      const double curvature = multiply(at.way, at.along, at.image);
      if (!(curvature > 0)) break;
      const double length = rz / curvature, next = advance(at, length);
      (void)by_tiles(n_, [&](Index first, Index end) {
        for (Index i = first; i < end; ++i) along_[i] += length * at.along[i];
        return 0.0;
      });
      if (next <= enough || bound_of(at.rest) <= goal_ / 4) break;
      (void)by_tiles(p_ + 1, [&](Index first, Index end) {
        for (Index j = first; j < end; ++j) at.way[j] = at.eased[j] + next / rz * at.way[j];
        return 0.0;
      });
      rz = next;
    }
    return std::move(at.step);
  }

  // Whether the objective fell.
  bool descend(const Numbers& step) {
    double fall = 0, linear = 0, square = 0;
    for (std::size_t j = 0; j < step.size(); ++j) fall -= gradient_[j] * step[j];
    for (Index j = 0; j < p_; ++j) {
      linear += penalty_[j] * at_[j] * step[j];
      square += penalty_[j] * step[j] * step[j];
    }
    if (!(fall > 0)) return false;
    const double before = penalty(at_);
    for (LineSearch line(value_, fall); line.goes_on();) {
      const double t = line.length();
      for (Index i = 0; i < n_; ++i) trial_[i] = z_[i] + t * along_[i];
      const double value = slopes_.look(trial_) + before + t * linear + t * t * square / 2;
      if (line.takes(value)) {
        std::swap(z_, trial_);
        for (std::size_t j = 0; j < step.size(); ++j) at_[j] += t * step[j];
        value_ = value;
        return true;
      }
      line.shorten(value);
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
  Pool& pool_;
  RowProducts products_;
  RowSlopes slopes_;
  descent::Attention attention_;
  Index n_, p_;
  const NewtonProblem& problem_;
  double goal_, curvatures_ = 0, factored_ = INFINITY; // sums of the curvature: here, and where it was factored
  double first_bound_ = 0, value_ = 0;
  Numbers penalty_, ease_; // lambda2 u_j and 1 / (2 lambda2 u_j), both zero if the coefficient stays zero
  Numbers mean_;           // of the columns
  Numbers at_, gradient_, inverse_, first_, second_; // at: with the intercept about the means
  Numbers z_, trial_, along_;                        // by row
  std::optional<FrequentColumns> frequent_;
  NewtonSolution solution_;
};

} // namespace

Result<NewtonSolution> solve_by_conjugate_newton(const NewtonProblem& problem, RowSource& rows, Pool& pool,
                                                 const Watch& watch) {
  const auto held = HeldRows::hold(rows);
  if (!held) return std::unexpected(held.error());
  const ConjugateColumns columns(problem);
  NewtonSolution near; // from rows in other coordinates
  near.b = problem.facts->null_intercept;
  if (auto other = RowCoordinates::find(**held, {columns.unit, columns.mean}, 1, pool)) {
    const auto spanning = HeldRows::hold(other->rows());
    if (!spanning) return std::unexpected(spanning.error());
    near = ConjugateNewton(problem, ConjugateColumns(other->rows().cols()), **spanning, pool, watch).run({}, near.b);
    near.w = other->weights(std::move(near.w), pool);
  }
  NewtonSolution solution = ConjugateNewton(problem, columns, **held, pool, watch).run(std::move(near.w), near.b);
  solution.steps += near.steps;
  solution.passes += near.passes;
  return solution;
}

} // namespace recta
