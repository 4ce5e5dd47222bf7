#include "solver/constrained/constrained.hpp"

#include "base/double_double.hpp"

#include <algorithm>
#include <cmath>

namespace recta {
namespace {

constexpr int kHalvings = 45, kSteps = 200;
constexpr double kApart = 16; // ratio of the ends above which the midpoint is that of the logarithms

DoubleDouble length_of(const std::vector<double>& w, std::span<const double> unit) {
  DoubleDouble sum = 0.0;
  for (std::size_t j = 0; j < w.size(); ++j)
    if (w[j] != 0) sum += two_prod(unit[j], std::abs(w[j]));
  return sum;
}

struct End {
  double lambda1 = 0;
  ElasticNetSolution solution;
  double length = 0;
};

class Search {
public:
  Search(ElasticNetSolver& solver, ElasticNetObjective objective, double psi, std::span<const double> unit,
         double tolerance, const Watch& watch)
      : solver_(solver), objective_(std::move(objective)), psi_(psi), unit_(unit), tolerance_(tolerance),
        watch_(watch) {}

  ConstrainedSolution run() {
    const double most = solver_.lambda1_max(objective_);
    above_ = at(most);
    if (psi_ <= 0 || most <= 0) return finish(above_, most);
    below_ = above_;
    for (int k = 1; below_.length < psi_ && !stopped_; ++k) {
      if (below_.lambda1 == 0) return finish(below_, most); // the bound is not active
      above_ = below_;
      below_ = at(k <= kHalvings ? std::ldexp(most, -k) : 0);
    }
    if (below_.lambda1 == 0) approach_zero();
    interpolate();
    return finish(joined(), most);
  }

private:
  End at(double lambda1) {
    objective_.lambda1 = lambda1;
    End end{lambda1, solver_.solve(objective_, tolerance_, watch_), 0};
    sweeps_ += end.solution.sweeps;
    passes_ += end.solution.passes;
    stopped_ = stopped_ || end.solution.interrupted;
    end.length = length_of(end.solution.w, unit_).hi;
    return end;
  }

  // Columns of very different sizes enter at very different penalties: go down by larger and larger factors until the
  // length is too large.
  void approach_zero() {
    for (int k = 1; k < 120 && above_.lambda1 > 0 && !stopped_ && !same_signs(); ++k) {
      End end = at(std::ldexp(above_.lambda1, -8));
      if (stopped_ || end.lambda1 == 0) return;
      const bool too_long = end.length >= psi_;
      (too_long ? below_ : above_) = std::move(end);
      if (too_long) return;
    }
  }

  bool same_signs() const {
    for (std::size_t j = 0; j < unit_.size(); ++j) {
      const double a = below_.solution.w[j], b = above_.solution.w[j];
      if (unit_[j] > 0 && ((a > 0) != (b > 0) || (a < 0) != (b < 0))) return false;
    }
    return true;
  }

  // below_ is too long or exact, above_ is too short.
  void interpolate() {
    double low = below_.length - psi_, high = above_.length - psi_; // low >= 0 > high
    for (int step = 0; step < kSteps && !stopped_ && low > 0 && !same_signs(); ++step) {
      const double width = below_.lambda1 - above_.lambda1;
      double next = above_.lambda1 + width * (high / (high - low));
      const double a = std::min(below_.lambda1, above_.lambda1), b = std::max(below_.lambda1, above_.lambda1);
      if (a > 0 && b > kApart * a) next = std::sqrt(a) * std::sqrt(b);
      if (!(next > a && next < b)) next = a + (b - a) / 2;
      if (!(next > a && next < b)) return; // neighbours
      End end = at(next);
      const double excess = end.length - psi_;
      if (excess >= 0) {
        below_ = std::move(end);
        low = excess;
        if (last_ == 1) high /= 2;
        last_ = 1;
      } else {
        above_ = std::move(end);
        high = excess;
        if (last_ == -1) low /= 2;
        last_ = -1;
      }
    }
  }

  // The point of the segment at which the length is psi, slightly less to allow for roundings.
  End joined() const {
    if (stopped_ && below_.length > psi_ && above_.length > psi_) return above_;
    const double target = psi_ * (1 - 0x1p-46);
    const double span = below_.length - above_.length;
    const double share = span > 0 ? std::clamp((target - above_.length) / span, 0.0, 1.0) : 0.0;
    End end = above_;
    for (std::size_t j = 0; j < end.solution.w.size(); ++j) {
      const double a = above_.solution.w[j], b = below_.solution.w[j];
      end.solution.w[j] = (DoubleDouble(a) + share * (two_sum(b, -a))).hi;
    }
    end.solution.b = above_.solution.b + share * (below_.solution.b - above_.solution.b);
    end.lambda1 = above_.lambda1 + share * (below_.lambda1 - above_.lambda1);
    end.length = length_of(end.solution.w, unit_).hi;
    return end;
  }

  ConstrainedSolution finish(End end, double most) const {
    end.solution.sweeps = sweeps_;
    end.solution.passes = passes_;
    end.solution.interrupted = stopped_;
    return {std::move(end.solution), end.lambda1, most};
  }

  ElasticNetSolver& solver_;
  ElasticNetObjective objective_;
  double psi_;
  std::span<const double> unit_;
  double tolerance_;
  const Watch& watch_;
  End below_, above_;
  int last_ = 0;
  Index sweeps_ = 0, passes_ = 0;
  bool stopped_ = false;
};

} // namespace

ConstrainedSolution solve_constrained(ElasticNetSolver& solver, ElasticNetObjective objective, double psi,
                                      std::span<const double> length, double tolerance, const Watch& watch) {
  return Search(solver, std::move(objective), psi, length, tolerance, watch).run();
}

} // namespace recta
