#include "solver/svm/dual_descent.hpp"

#include "base/listening.hpp"
#include "base/random.hpp"

#include <numeric>

namespace recta::svm {
namespace {

class DualDescent {
public:
  DualDescent(const Problem& problem, const LinearRows& rows, const DescentSettings& settings, DescentPoint& point)
      : problem_(problem), rows_(rows), settings_(settings), point_(point),
        tube_(labelled(problem.terms.loss) ? 0 : problem.terms.epsilon),
        wanted_(problem.intercept ? 0.1 : std::min(0.1, 4 * settings.violation)), run_(rows_in_a_run(rows)) {
    const auto n = static_cast<double>(problem.rows());
    for (Index i = 0; i < problem.rows(); ++i) {
      rho_ += rows.square(i) * std::min(1.0, kPush / n) / n;
      sum_ += point.beta[at(i)];
    }
    if (!problem.intercept) rho_ = 0;
    rho_ = problem.intercept && rho_ == 0 ? 1 : rho_;
    point_.b -= rho_ * sum_; // so that b + rho sum is the intercept given
    for (const HeavyColumn& one : settings.heavy) {
      const double d = one.penalty(), sum = sum_of(one, point.beta).sum;
      multipliers_.push_back((point.w[at(one.column)] - sum) / (1 - d)); // the weight is the one given
      sizes_.push_back(root_mean_square(one.z));
    }
    restore();
  }

  Index run() {
    Index pass = 0;
    Random random(settings_.seed);
    for (; pass < settings_.passes; ++pass) {
      keep_going();
      const double off = one_pass(random);
      const bool all = std::ssize(active_) == problem_.rows();
      if (off <= wanted_) {
        if (!all) {
          restore();
          continue;
        }
        if (off <= settings_.violation && settled()) break;
        wanted_ = std::max(settings_.violation, wanted_ / 4);
        renew_multiplier();
        restore();
      }
    }
    point_.b += rho_ * sum_;
    return pass;
  }

private:
  static constexpr double kPush = 100;
  static constexpr Index kAhead = 2; // rows

  // A step of the multipliers would hardly move the scores.
  bool settled() const {
    double off = rho_ * std::abs(sum_);
    for (std::size_t h = 0; h < multipliers_.size(); ++h) {
      const double v = point_.w[at(settings_.heavy[h].column)];
      off = std::max(off, sizes_[h] * std::abs(v - multipliers_[h]));
    }
    return off <= settings_.violation;
  }
  static double root_mean_square(const std::vector<double>& z) {
    double sum = 0;
    for (const double one : z) sum += one * one;
    return std::sqrt(sum / static_cast<double>(z.size()));
  }

  void renew_multiplier() {
    sum_ = std::accumulate(point_.beta.begin(), point_.beta.end(), 0.0); // without the rounding of the steps
    point_.b += rho_ * sum_;
    for (std::size_t h = 0; h < multipliers_.size(); ++h) {
      const HeavyColumn& one = settings_.heavy[h];
      double& v = point_.w[at(one.column)];
      const double d = one.penalty(), sum = sum_of(one, point_.beta).sum;
      multipliers_[h] = sum + (1 - d) * multipliers_[h];
      v = sum + (1 - d) * multipliers_[h];
    }
  }

  void restore() {
    active_.resize(at(problem_.rows()));
    std::iota(active_.begin(), active_.end(), Index{0});
    highest_ = kInfinity, lowest_ = -kInfinity;
  }

  // Rows that follow one another in memory are read far faster than rows here and there: runs of neighbours, each in
  // one direction or the other, come in random order. Rows that all fit into the cache come one by one.
  static Index rows_in_a_run(const LinearRows& rows) {
    constexpr Index kCache = 1 << 16, kRun = 1 << 12; // numbers
    if (rows.rows() == 0 || rows.numbers() <= kCache) return 1;
    return std::clamp<Index>(kRun / (1 + rows.numbers() / rows.rows()), 1, kRun);
  }

  // Returns the largest violation met on the way.
  double one_pass(Random& random) {
    high_ = low_ = 0;
    const Index count = std::ssize(active_);
    runs_.resize(at((count + run_ - 1) / run_));
    std::iota(runs_.begin(), runs_.end(), Index{0});
    random.shuffle(std::span(runs_));
    for (const Index run : runs_) {
      const Index first = run * run_, last = std::min(count, first + run_) - 1;
      const bool backwards = run_ > 1 && random.bits() % 2 == 1;
      for (Index k = first; k <= last; ++k) {
        Index& i = active_[at(backwards ? first + last - k : k)];
        if (k + kAhead <= last) rows_.prefetch(active_[at(backwards ? first + last - k - kAhead : k + kAhead)]);
        if (!improve(i)) i = -1;
      }
    }
    std::erase(active_, -1);
    highest_ = high_ > 0 ? high_ : kInfinity;
    lowest_ = low_ < 0 ? low_ : -kInfinity;
    return std::max(high_, -low_);
  }

  // False: the row is left out from now on.
  bool improve(Index i) {
    double& beta = point_.beta[at(i)];
    const double curve = rows_.square(i) + rho_ + problem_.ridge(i);
    const double slope =
        rows_.dot(i, point_.w.data()) + point_.b + rho_ * sum_ + problem_.ridge(i) * beta - problem_.target[at(i)];
    const bool at_high = !(beta < problem_.high(i)), at_low = !(beta > problem_.low(i));
    const double up = slope + (beta >= 0 ? tube_ : -tube_), down = slope + (beta > 0 ? tube_ : -tube_);
    if ((at_high && down < lowest_) || (at_low && up > highest_)) return false;
    const double off = !at_high && up < 0 ? up : !at_low && down > 0 ? down : 0;
    high_ = std::max(high_, off), low_ = std::min(low_, off);
    if (off != 0 && curve > 0) step(i, beta, slope, curve);
    return true;
  }

  // The minimum along one coefficient: of curve / 2 d^2 + slope d + tube |beta + d|.
  void step(Index i, double& beta, double slope, double curve) {
    const double centre = beta - slope / curve, corner = tube_ / curve;
    const double free = centre > corner ? centre - corner : centre < -corner ? centre + corner : 0;
    const double next = std::clamp(free, problem_.low(i), problem_.high(i)), change = next - beta;
    if (change == 0) return;
    beta = next;
    sum_ += change;
    rows_.add_to(i, change, point_.w.data());
  }

  const Problem& problem_;
  const LinearRows& rows_;
  const DescentSettings& settings_;
  DescentPoint& point_;
  double tube_, rho_ = 0, sum_ = 0, wanted_;
  double highest_ = kInfinity, lowest_ = -kInfinity; // of the last pass, for shrinking
  double high_ = 0, low_ = 0;                        // of this one
  Index run_;
  std::vector<Index> active_, runs_;        // rows in the order of memory, and their runs in that of a pass
  std::vector<double> multipliers_, sizes_; // of the heavy columns
};

} // namespace

Index descend(const Problem& problem, const LinearRows& rows, const DescentSettings& settings, DescentPoint& point) {
  return DualDescent(problem, rows, settings, point).run();
}

} // namespace recta::svm
