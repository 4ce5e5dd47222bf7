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
        tube_(labelled(problem.terms.loss) ? 0 : problem.terms.epsilon) {
    for (Index i = 0; i < problem.rows(); ++i) {
      rho_ += rows.square(i) / static_cast<double>(problem.rows());
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
      random.shuffle(std::span(active_));
      const double off = one_pass();
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

  // Returns the largest violation met on the way.
  double one_pass() {
    double high = 0, low = 0;
    std::size_t kept = 0;
    for (std::size_t k = 0; k < active_.size(); ++k) {
      const Index i = active_[k];
      double& beta = point_.beta[at(i)];
      const double curve = rows_.square(i) + rho_ + problem_.ridge(i);
      const double slope =
          rows_.dot(i, point_.w.data()) + point_.b + rho_ * sum_ + problem_.ridge(i) * beta - problem_.target[at(i)];
      const bool at_high = !(beta < problem_.high(i)), at_low = !(beta > problem_.low(i));
      const double up = slope + (beta >= 0 ? tube_ : -tube_), down = slope + (beta > 0 ? tube_ : -tube_);
      if ((at_high && down < lowest_) || (at_low && up > highest_)) continue; // shrunk
      active_[kept++] = i;
      const double off = !at_high && up < 0 ? up : !at_low && down > 0 ? down : 0;
      high = std::max(high, off), low = std::min(low, off);
      if (off != 0 && curve > 0) step(i, beta, slope, curve);
    }
    active_.resize(kept);
    highest_ = high > 0 ? high : kInfinity;
    lowest_ = low < 0 ? low : -kInfinity;
    return std::max(high, -low);
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
  double tube_, rho_ = 0, sum_ = 0, wanted_ = 0.1;
  double highest_ = kInfinity, lowest_ = -kInfinity; // of the last pass, for shrinking
  std::vector<Index> active_;
  std::vector<double> multipliers_, sizes_; // of the heavy columns
};

} // namespace

Index descend(const Problem& problem, const LinearRows& rows, const DescentSettings& settings, DescentPoint& point) {
  return DualDescent(problem, rows, settings, point).run();
}

} // namespace recta::svm
