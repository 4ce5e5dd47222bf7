#include "solver/svm/free_gradients.hpp"

#include "base/listening.hpp"
#include "base/sums.hpp"

namespace recta::svm {
namespace {

using Numbers = std::vector<double>;

class FreeGradients {
public:
  FreeGradients(const Problem& problem, const LinearRows& rows, State& state, Pool& pool)
      : problem_(problem), rows_(rows), slopes_(problem), state_(state), pool_(pool) {
    for (Index i = 0; i < problem.rows(); ++i) {
      const double beta = state.beta[at(i)], curve = rows.square(i) + problem.ridge(i);
      if (beta == 0 || !slopes_.may_grow(i, beta) || !slopes_.may_shrink(i, beta) || !(curve > 0)) continue;
      free_.push_back(i), beta_.push_back(beta), curve_.push_back(curve);
      left_.push_back(-slopes_.smooth(i, state) - (beta > 0 ? slopes_.tube() : -slopes_.tube()));
    }
    step_.assign(free_.size(), 0);
  }

  Index run(const FreeGradientsLimits& limits) {
    if (free_.empty()) return 0;
    project();
    double first = gap_, mark = first;
    if (problem_.intercept) {
      balance();
      project();
      first = std::min(first, gap_), mark = gap_;
    }
    Numbers along = turned_;
    Index steps = 0;
    while (steps < limits.steps && gap_ > limits.gap) {
      keep_going();
      if (!advance(along)) break;
      ++steps;
      const bool look = steps % kLook == 0, near = gap_ <= kWellWithin * first;
      if (!look && !near) continue;
      const Index beyond = count_beyond();
      if (beyond > std::ssize(free_) / kTooMany) return 0;
      if (near && beyond > 0) break; // the set changes: its exact minimum is not the one to go to
      if (steps % kPatience != 0) continue;
      if (gap_ > mark / 2) break;
      mark = gap_;
    }
    if (steps > 0) take();
    return steps;
  }

private:
  static constexpr Index kLook = 10;          // steps between two looks at the boxes, if the gap is not small
  static constexpr Index kPatience = 60;      // steps in which the gap has to halve
  static constexpr Index kTooMany = 50;       // of the set, one in so many beyond its box: this is not the set
  static constexpr double kWellWithin = 0.05; // of the gap at the beginning

  // Subtracts the level that the slopes share if there is an intercept, and divides what is left by their curves.
  void project() {
    double weighted = 0, weights = 0;
    for (std::size_t k = 0; problem_.intercept && k < free_.size(); ++k)
      weighted += left_[k] / curve_[k], weights += 1 / curve_[k];
    const double level = weights > 0 ? weighted / weights : 0;
    turned_.resize(free_.size());
    square_ = gap_ = 0;
    const bool quadratic = squared(problem_.terms.loss);
    for (std::size_t k = 0; k < free_.size(); ++k) {
      left_[k] -= level;
      turned_[k] = left_[k] / curve_[k];
      square_ += left_[k] * turned_[k];
      gap_ += quadratic ? left_[k] * left_[k] * problem_.cost[at(free_[k])] / 2
                        : std::abs((beta_[k] + step_[k]) * left_[k]);
    }
  }

  // The set makes up for what all coefficients add up to; steps keep their sum.
  void balance() {
    Numbers to = beta_;
    make_up(sum_of_others(), to);
    for (std::size_t k = 0; k < free_.size(); ++k) step_[k] = to[k] - beta_[k];
    multiply(step_);
    for (std::size_t k = 0; k < free_.size(); ++k) left_[k] -= moved_[k];
  }

  // By how much a step moves the slopes.
  void multiply(const Numbers& step) {
    rows_.scores(free_, rows_.combination(free_, step, pool_), moved_, pool_);
    for (std::size_t k = 0; k < free_.size(); ++k) moved_[k] += problem_.ridge(free_[k]) * step[k];
  }

  bool advance(Numbers& along) {
    multiply(along);
    double bend = 0;
    for (std::size_t k = 0; k < free_.size(); ++k) bend += moved_[k] * along[k];
    if (!(bend > 0)) return false; // the rows depend on each other
    const double length = square_ / bend, before = square_;
    for (std::size_t k = 0; k < free_.size(); ++k) step_[k] += length * along[k], left_[k] -= length * moved_[k];
    project();
    for (std::size_t k = 0; k < free_.size(); ++k) along[k] = turned_[k] + square_ / before * along[k];
    return true;
  }

  // The box of a coefficient, on its side of zero if the tube has a corner there.
  double lowest(Index i) const { return slopes_.tube() > 0 && state_.beta[at(i)] > 0 ? 0 : problem_.low(i); }
  double highest(Index i) const { return slopes_.tube() > 0 && state_.beta[at(i)] < 0 ? 0 : problem_.high(i); }
  Index count_beyond() const {
    Index out = 0;
    for (std::size_t k = 0; k < free_.size(); ++k) {
      const double beta = beta_[k] + step_[k];
      out += beta < lowest(free_[k]) || beta > highest(free_[k]) ? 1 : 0;
    }
    return out;
  }

  void take() {
    constexpr int kRounds = 3; // those that make up for the sum may leave their boxes in turn
    Numbers to(free_.size());
    for (std::size_t k = 0; k < free_.size(); ++k)
      to[k] = std::clamp(beta_[k] + step_[k], lowest(free_[k]), highest(free_[k]));
    const double others = problem_.intercept ? sum_of_others() : 0;
    for (int round = 0; problem_.intercept && round < kRounds; ++round) make_up(others, to);
    for (std::size_t k = 0; k < free_.size(); ++k) state_.beta[at(free_[k])] = to[k];
  }
  double sum_of_others() const {
    CompensatedSum sum;
    for (const double beta : state_.beta) sum.add(beta);
    for (const Index i : free_) sum.add(-state_.beta[at(i)]);
    return sum.value();
  }
  void make_up(double others, Numbers& to) const {
    CompensatedSum sum{others};
    double weights = 0;
    for (std::size_t k = 0; k < free_.size(); ++k) {
      sum.add(to[k]);
      weights += to[k] > lowest(free_[k]) && to[k] < highest(free_[k]) ? 1 / curve_[k] : 0;
    }
    const double by = weights > 0 ? -sum.value() / weights : 0;
    for (std::size_t k = 0; k < free_.size(); ++k)
      if (to[k] > lowest(free_[k]) && to[k] < highest(free_[k]))
        to[k] = std::clamp(to[k] + by / curve_[k], lowest(free_[k]), highest(free_[k]));
  }

  const Problem& problem_;
  const LinearRows& rows_;
  Slopes slopes_;
  State& state_;
  Pool& pool_;
  std::vector<Index> free_;
  Numbers beta_, curve_, left_, turned_, moved_,
      step_;          // by row of the set; left: minus its slope; turned: over its curve
  double square_ = 0; // left'turned
  double gap_ = 0;    // of P - D, what the rows of the set have
};

} // namespace

Index follow_free_gradients(const Problem& problem, const LinearRows& rows, const FreeGradientsLimits& limits,
                            State& state, Pool& pool) {
  return FreeGradients(problem, rows, state, pool).run(limits);
}

} // namespace recta::svm
