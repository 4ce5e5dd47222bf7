#include "solver/svm/free_set.hpp"

#include "base/blas.hpp"
#include "base/factor/cholesky.hpp"
#include "base/listening.hpp"

#include <numeric>

namespace recta::svm {
namespace {

class FreeSet {
public:
  FreeSet(const Problem& problem, const FreeSetRows& rows, State& state)
      : problem_(problem), rows_(rows), state_(state), slopes_(problem), side_(at(problem.rows())) {
    for (Index i = 0; i < problem.rows(); ++i)
      if (const double beta = state.beta[at(i)]; beta != 0 && slopes_.may_grow(i, beta) && slopes_.may_shrink(i, beta))
        join(i, beta > 0);
  }

  Index size() const { return std::ssize(free_); }

  // One step towards the minimum over the set; returns its length, at most 1.
  double step() {
    const std::vector<double> change = direction();
    double length = 1;
    for (std::size_t k = 0; k < free_.size(); ++k) length = std::min(length, room(free_[k], change[k]));
    std::vector<double> taken(change);
    for (double& one : taken) one *= length;
    rows_.move(free_, taken, state_);
    move_heavy(length);
    leave_ends(change, length);
    return length;
  }

  // A whole step over the set; then those beyond an end of their box leave the set there, and all rows whose slopes are
  // on the wrong side of those of the set join it. Returns how many did.
  Index step_at_once() {
    const std::vector<double> change = direction();
    rows_.move(free_, change, state_);
    move_heavy(1);
    std::vector<std::pair<Index, bool>> joining;
    for (Index i = 0; i < problem_.rows(); ++i) {
      if (side_[at(i)] != 0) continue;
      const double beta = state_.beta[at(i)];
      const bool grows = slopes_.may_grow(i, beta) && slopes_.up(i, state_) < level_;
      const bool shrinks = slopes_.may_shrink(i, beta) && slopes_.down(i, state_) > level_;
      if (grows || shrinks) joining.emplace_back(i, grows);
    }
    std::vector<Index> leaving, kept;
    std::vector<double> back, ends;
    for (const Index i : free_) {
      const double beta = state_.beta[at(i)], low = lowest(i), high = highest(i);
      if (beta > low && beta < high) {
        kept.push_back(i);
        continue;
      }
      leaving.push_back(i), ends.push_back(beta <= low ? low : high), back.push_back(ends.back() - beta);
      side_[at(i)] = 0;
    }
    rows_.move(leaving, back, state_);
    for (std::size_t k = 0; k < leaving.size(); ++k) state_.beta[at(leaving[k])] = ends[k]; // not next to them
    free_ = std::move(kept);
    for (const auto& [i, grows] : joining) join(i, grows);
    std::ranges::sort(free_);
    return std::ssize(leaving) + std::ssize(joining);
  }

  // Rows that violate the conditions most join the set, at most `most` on either side.
  void invite(Index most) {
    const Extremes e = extremes(problem_, state_);
    const double middle = problem_.intercept ? (e.least_up + e.largest_down) / 2 : 0;
    std::vector<std::pair<double, Index>> candidates;
    for (Index i = 0; i < problem_.rows(); ++i) {
      if (side_[at(i)] != 0) continue;
      const double beta = state_.beta[at(i)];
      const double grow = slopes_.may_grow(i, beta) ? middle - slopes_.up(i, state_) : 0;
      const double shrink = slopes_.may_shrink(i, beta) ? slopes_.down(i, state_) - middle : 0;
      if (std::max(grow, shrink) > 0) candidates.emplace_back(-std::max(grow, shrink), grow > shrink ? i + 1 : -i - 1);
    }
    const auto some = std::min<std::ptrdiff_t>(2 * most, std::ssize(candidates));
    std::ranges::partial_sort(candidates, candidates.begin() + some);
    for (std::ptrdiff_t k = 0; k < some; ++k) {
      const Index signed_row = candidates[static_cast<std::size_t>(k)].second;
      join(std::abs(signed_row) - 1, signed_row > 0);
    }
    std::ranges::sort(free_);
  }

private:
  void join(Index i, bool grows) {
    free_.push_back(i);
    const double beta = state_.beta[at(i)];
    side_[at(i)] = beta > 0 || (beta == 0 && grows) ? 1 : -1;
  }

  // Its box, on its side of zero if the tube has a corner there.
  double lowest(Index i) const { return slopes_.tube() > 0 && side_[at(i)] > 0 ? 0 : problem_.low(i); }
  double highest(Index i) const { return slopes_.tube() > 0 && side_[at(i)] < 0 ? 0 : problem_.high(i); }

  // How far along `change` row i stays inside its box, and on its side of zero if the tube has a corner there.
  double room(Index i, double change) const {
    const double beta = state_.beta[at(i)];
    double end = change > 0 ? problem_.high(i) : problem_.low(i);
    if (slopes_.tube() > 0 && (change > 0) != (side_[at(i)] > 0)) end = 0;
    return change == 0 ? 1 : std::max(0.0, (end - beta) / change);
  }

  void leave_ends(const std::vector<double>& change, double length) {
    std::vector<Index> kept;
    for (std::size_t k = 0; k < free_.size(); ++k) {
      const Index i = free_[k];
      double& beta = state_.beta[at(i)];
      const double end = ended(i, change[k]);
      const double scale = std::max(std::abs(end), std::abs(length * change[k]));
      if (std::isfinite(end) && change[k] != 0 && std::abs(beta - end) <= 1e-14 * scale) {
        beta = end;
        side_[at(i)] = 0;
      } else {
        kept.push_back(i);
      }
    }
    free_ = std::move(kept);
  }
  double ended(Index i, double change) const {
    const double end = change > 0 ? problem_.high(i) : problem_.low(i);
    return slopes_.tube() > 0 && (change > 0) != (side_[at(i)] > 0) ? 0 : end;
  }

  std::vector<double> direction() {
    const Index k = size();
    std::vector<double> gram(at(k * k)), slope(at(k));
    rows_.gram(free_, gram.data());
    for (Index s = 0; s < k; ++s) {
      const Index i = free_[at(s)];
      gram[at(s * k + s)] += problem_.ridge(i);
      slope[at(s)] = -(slopes_.smooth(i, state_) + slopes_.tube() * side_[at(i)]);
    }
    const auto cubed = static_cast<double>(k) * static_cast<double>(k) * static_cast<double>(k);
    announce("solving for the free coefficients", cubed / 3);
    tie(gram);
    const Cholesky<double> factor(std::move(gram), k, 1e-13, &rows_.pool);
    std::vector<double> change = factor.solve(slope);
    meet_conditions(factor, change);
    return change;
  }

  // With an intercept e'd is known, and t e e' added to K_FF changes nothing but nu. Rows about their mean depend on
  // each other when all of them are free: with it they do not.
  void tie(std::vector<double>& gram) {
    const std::size_t k = free_.size();
    tie_ = 0;
    for (std::size_t s = 0; problem_.intercept && s < k; ++s) tie_ += gram[s * k + s] / static_cast<double>(k);
    for (double& one : gram) one += tie_;
  }

  // One of the conditions that the coefficients have to meet, sum_i along_i beta_i = a number.
  struct Condition {
    std::vector<double> along, solved; // of the set, and K_FF^-1 times that
    double owed = 0, give = 0;         // of along'd - give mu = owed
  };
  std::vector<Condition> conditions(const Cholesky<double>& factor) const {
    std::vector<Condition> out;
    for (const HeavyColumn& one : rows_.heavy) {
      const double q = one.penalty();
      Condition& condition = out.emplace_back();
      for (const Index i : free_) condition.along.push_back(one.z[at(i)]);
      condition.owed = owed(one) / (1 - q), condition.give = q / (1 - q);
    }
    if (problem_.intercept) {
      // What the coefficients add up to so far is made up for: an interior point has them sum to zero roughly.
      const double sum = std::accumulate(state_.beta.begin(), state_.beta.end(), 0.0);
      out.push_back({std::vector<double>(free_.size(), 1.0), {}, -sum});
    }
    for (Condition& one : out) one.solved = factor.solve(one.along);
    return out;
  }
  double owed(const HeavyColumn& one) const { return one.penalty() * one.weight - sum_of(one, state_.beta).sum; }

  // Takes the multipliers of all conditions, and from the change what they make of it.
  void meet_conditions(const Cholesky<double>& factor, std::vector<double>& change) {
    const std::vector<Condition> all = conditions(factor);
    const Index m = std::ssize(all);
    const auto dot = [](const std::vector<double>& a, const std::vector<double>& b) {
      return std::inner_product(a.begin(), a.end(), b.begin(), 0.0);
    };
    std::vector<double> system(at(m * m)), mu(at(m));
    for (Index a = 0; a < m; ++a) {
      for (Index b = a; b < m; ++b) system[at(a * m + b)] = dot(all[at(a)].along, all[at(b)].solved);
      system[at(a * m + a)] += all[at(a)].give;
      mu[at(a)] = dot(all[at(a)].along, change) - all[at(a)].owed;
    }
    if (m > 0 && blas::potrf({system.data(), m}) == 0)
      blas::potrs({system.data(), m}, {mu.data(), m, 1});
    else
      std::ranges::fill(mu, 0.0); // the set cannot meet them
    for (Index a = 0; a < m; ++a)
      for (std::size_t s = 0; s < change.size(); ++s) change[s] -= mu[at(a)] * all[at(a)].solved[s];
    level_ = problem_.intercept ? -(mu.back() + tie_ * all.back().owed) : 0;
    heavy_change_.clear();
    for (std::size_t h = 0; h < rows_.heavy.size(); ++h)
      heavy_change_.push_back((mu[h] + owed(rows_.heavy[h])) / (1 - rows_.heavy[h].penalty()));
  }
  void move_heavy(double length) {
    for (std::size_t h = 0; h < rows_.heavy.size(); ++h) {
      HeavyColumn& one = rows_.heavy[h];
      const double by = length * heavy_change_[h];
      one.weight += by;
      for (std::size_t i = 0; i < one.z.size(); ++i) state_.f[i] += by * one.z[i];
    }
  }

  const Problem& problem_;
  const FreeSetRows& rows_;
  State& state_;
  Slopes slopes_;
  std::vector<Index> free_;
  double tie_ = 0;                   // added to all of K_FF
  double level_ = 0;                 // of all slopes of the set, after a whole step
  std::vector<double> heavy_change_; // of the weights of heavy columns in that step
  std::vector<double> side_;         // of rows in the set: the sign of their coefficient; 0: not in the set
};

} // namespace

namespace {

// Whether the set settled. If not, coefficients that left it have put the sum of all out of balance.
bool finish_at_once(const FreeSetLimits& limits, FreeSet& set) {
  constexpr Index kTooMany = 4; // the set is not nearly the right one if more than a quarter of it moves
  for (Index round = 0; round < limits.rounds; ++round) {
    const Index size = set.size();
    if (size == 0 || size > limits.largest) return false;
    const Index moved = set.step_at_once();
    if (moved == 0) return true;
    if (moved > size / kTooMany) return false;
  }
  return false;
}

} // namespace

bool finish_on_free_set(const Problem& problem, const FreeSetRows& rows, const FreeSetLimits& limits, State& state) {
  FreeSet set(problem, rows, state);
  if (limits.at_once) return finish_at_once(limits, set);
  Index stuck = 0;
  for (Index round = 0; round < limits.rounds; ++round) {
    if (set.size() == 0) set.invite(1);
    if (set.size() == 0 || set.size() > limits.largest) break;
    const double length = set.step();
    stuck = length < 1e-12 ? stuck + 1 : 0;
    if (stuck > 5) break;
    if (length < 1) continue;
    if (violation(problem, extremes(problem, state)) <= limits.violation) return true;
    set.invite(1 + set.size() / 20);
  }
  return violation(problem, extremes(problem, state)) <= limits.violation;
}

} // namespace recta::svm
