#include "certificate/loss/bounded.hpp"

#include "base/blas.hpp"
#include "base/factor/cholesky.hpp"
#include "base/listening.hpp"

#include <algorithm>
#include <cmath>

namespace recta {
namespace {

constexpr double kMostOperations = 4e10; // a second or two
constexpr Index kLeastFactors = 8;       // however large they are
constexpr double kWorthwhile = 1e-3;     // share of the residual that a step of many bounds takes off, at least
constexpr double kProgress = 1e-9;       // the same of a step of one
constexpr double kDependent = 1e-13;     // remainder of a column, by its square
constexpr double kNothing = 1e-15;       // share of the first residual that is as good as none

class Active {
public:
  Active(const BoundedSystem& system, std::vector<double> start)
      : s_(system), x_(std::move(start)), free_(x_.size(), 0) {
    for (std::size_t i = 0; i < x_.size(); ++i) x_[i] = std::clamp(x_[i], s_.low[i], s_.high[i]);
    rest_ = residual(x_);
  }

  BoundedSolution run() {
    const double none = kNothing * length(rest_);
    while (length(rest_) > none && goes_on() && (step_together() || step_in_turn())) {
    }
    return {std::move(x_), factors_};
  }

private:
  const double* column(std::size_t i) const { return s_.g.data() + i * static_cast<std::size_t>(s_.rows); }
  static double length(const std::vector<double>& of) {
    return std::sqrt(blas::dot(std::ssize(of), of.data(), of.data()));
  }
  double along(std::size_t i, const std::vector<double>& rest) const {
    return blas::dot(s_.rows, column(i), rest.data());
  }
  bool inside(std::size_t i) const { return s_.low[i] < x_[i] && x_[i] < s_.high[i]; }
  bool goes_on() const {
    keep_going();
    return operations_ < kMostOperations || factors_ < kLeastFactors;
  }

  std::vector<double> residual(const std::vector<double>& x) const {
    std::vector<double> rest = s_.e;
    if (!x.empty() && s_.rows > 0) blas::gemv(-1, {s_.g.data(), s_.rows, std::ssize(x)}, x.data(), 1, rest.data());
    return rest;
  }

  // The least change of the free ones that brings G x nearest to e.
  std::vector<double> wish() {
    std::vector<std::size_t> free;
    for (std::size_t i = 0; i < x_.size(); ++i)
      if (free_[i]) free.push_back(i);
    std::vector<double> step(x_.size());
    if (free.empty() || s_.rows == 0) return step;
    const Index r = s_.rows, f = std::ssize(free);
    const double fewer = static_cast<double>(std::min(r, f));
    operations_ += fewer * static_cast<double>(r) * static_cast<double>(f) + fewer * fewer * fewer / 3;
    ++factors_;
    std::vector<double> g;
    g.reserve(static_cast<std::size_t>(r * f));
    for (const std::size_t i : free) g.insert(g.end(), column(i), column(i) + r);
    std::vector<double> change(free.size());
    if (f <= r) { // G'G change = G'rest
      std::vector<double> right(free.size());
      blas::gemv(1, blas::transposed({g.data(), r, f}), rest_.data(), 0, right.data());
      change = Cholesky<double>(products(blas::transposed({g.data(), r, f})), f, kDependent).solve(right);
    } else { // G'b with G G'b = rest
      const Cholesky<double> factor(products({g.data(), r, f}), r, kDependent);
      const std::vector<double> back = factor.solve(reachable(factor, rest_));
      blas::gemv(1, blas::transposed({g.data(), r, f}), back.data(), 0, change.data());
    }
    for (std::size_t k = 0; k < free.size(); ++k) step[free[k]] = change[k];
    return step;
  }

  // G G', its upper triangle.
  static std::vector<double> products(blas::ConstMatrix g) {
    const blas::SerialBlas serial;
    const Index size = g.height();
    std::vector<double> square(static_cast<std::size_t>(size * size));
    blas::syrk(1, g, 0, {square.data(), size});
    for (Index c = 0; c < size; ++c)
      for (Index r = 0; r < c; ++r) square[r + c * size] = square[c + r * size];
    return square;
  }

  // Rows of G that are combinations of others, G = C G_B: the point among all that G x can be, C u, that is nearest to
  // the rest.
  static std::vector<double> reachable(const Cholesky<double>& factor, std::vector<double> rest) {
    const Index k = factor.size(), rank = factor.rank();
    if (rank == k) return rest;
    std::vector<double> square(static_cast<std::size_t>(rank * rank)), right;
    for (Index c = 0; c < rank; ++c) square[c + c * rank] = 1, right.push_back(rest[factor.basic()[c]]);
    for (Index row = 0; row < k; ++row) {
      if (factor.is_basic(row)) continue;
      const std::vector<double> shares = factor.combination(row);
      for (Index c = 0; c < rank; ++c) {
        const double share = shares[factor.basic()[c]];
        right[c] += share * rest[row];
        for (Index r = 0; r <= c; ++r) square[r + c * rank] += shares[factor.basic()[r]] * share;
      }
    }
    const std::vector<double> u = Cholesky<double>(std::move(square), rank, 0).solve(right);
    for (Index c = 0; c < rank; ++c) rest[factor.basic()[c]] = u[c];
    return rest;
  }

  // How fast the residual falls as number i leaves the bound that it is at; below zero: it rises.
  double pull_inside(std::size_t i) const {
    if (!(s_.low[i] < s_.high[i])) return 0;
    const double pull = along(i, rest_);
    return x_[i] <= s_.low[i] ? pull : -pull;
  }

  // The step of all that may move, without those that it would take out of their bounds at once.
  std::vector<double> wish_together() {
    for (std::size_t i = 0; i < x_.size(); ++i) free_[i] = inside(i) || pull_inside(i) > 0;
    std::vector<double> step;
    for (int tries = 0; tries < 3; ++tries) {
      step = wish();
      bool outward = false;
      for (std::size_t i = 0; i < x_.size(); ++i)
        if (free_[i] && !inside(i) && (x_[i] <= s_.low[i] ? step[i] < 0 : step[i] > 0))
          free_[i] = 0, step[i] = 0, outward = true;
      if (!outward) break;
    }
    return step;
  }

  // The share of the step at which the first bound is met.
  double reach(const std::vector<double>& step, std::size_t* first) const {
    double t = 1;
    for (std::size_t i = 0; i < x_.size(); ++i) {
      if (!free_[i] || step[i] == 0) continue;
      const double room = step[i] > 0 ? s_.high[i] - x_[i] : s_.low[i] - x_[i];
      if (room / step[i] < t) t = std::max(0.0, room / step[i]), *first = i;
    }
    return t;
  }

  std::vector<double> moved(const std::vector<double>& step, double t) const {
    std::vector<double> out = x_;
    for (std::size_t i = 0; i < x_.size(); ++i)
      if (step[i] != 0) out[i] = std::clamp(x_[i] + t * step[i], s_.low[i], s_.high[i]);
    return out;
  }

  // Moves all that may move, as far as serves best. False: that brings next to nothing.
  bool step_together() {
    const std::vector<double> step = wish_together();
    std::size_t first = x_.size();
    const double shortest = reach(step, &first), limit = (1 - kWorthwhile) * length(rest_);
    std::vector<double> best_x, best_rest;
    double best = limit;
    for (const double t : {1.0, 0.5, 0.25, 0.125, shortest}) {
      std::vector<double> x = moved(step, t);
      std::vector<double> rest = residual(x);
      if (const double now = length(rest); now < best) {
        best = now;
        best_x = std::move(x);
        best_rest = std::move(rest);
      }
      if (first == x_.size()) break; // no bound was met
    }
    if (!(best < limit)) return false;
    x_ = std::move(best_x), rest_ = std::move(best_rest);
    return true;
  }

  // To the optimum with the present bounds, then without the one that holds the residual up most. False: no bound
  // does, or nothing is won.
  bool step_in_turn() {
    const double before = length(rest_);
    for (std::size_t i = 0; i < x_.size(); ++i) free_[i] = inside(i);
    while (goes_on() && !approach()) {
    }
    if (!release()) return false;
    while (goes_on() && !approach()) {
    }
    return length(rest_) < before * (1 - kProgress);
  }

  // Makes one step on the free ones; false: a bound was met on the way.
  bool approach() {
    const std::vector<double> step = wish();
    std::size_t first = x_.size();
    const double t = reach(step, &first);
    x_ = moved(step, t);
    if (first < x_.size()) x_[first] = step[first] > 0 ? s_.high[first] : s_.low[first], free_[first] = 0;
    rest_ = residual(x_);
    return first == x_.size();
  }

  bool release() {
    double most = 0;
    std::size_t which = x_.size();
    for (std::size_t i = 0; i < x_.size(); ++i) {
      if (free_[i]) continue;
      if (const double pull = pull_inside(i); pull > most) most = pull, which = i;
    }
    if (which == x_.size()) return false;
    free_[which] = 1;
    return true;
  }

  const BoundedSystem& s_;
  std::vector<double> x_, rest_;
  std::vector<char> free_;
  double operations_ = 0;
  Index factors_ = 0;
};

} // namespace

BoundedSolution solve_bounded(const BoundedSystem& system, std::vector<double> start) {
  return Active(system, std::move(start)).run();
}

} // namespace recta
