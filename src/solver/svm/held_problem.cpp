#include "solver/svm/held_problem.hpp"

#include "base/blas.hpp"
#include "base/listening.hpp"
#include "base/numbers.hpp"

#include <algorithm>
#include <cmath>

namespace recta::svm {
namespace {

using Numbers = std::vector<double>;

Numbers margins(const HeldProblem& problem, const Numbers& x) { // <a_i, x>
  Numbers out(problem.k.size());
  if (!out.empty())
    blas::gemv(1, blas::transposed({problem.a.data(), problem.size, problem.rows()}), x.data(), 0, out.data());
  return out;
}

void add_combination(const HeldProblem& problem, const Numbers& by, double factor, Numbers& sum) { // sum_i by_i a_i
  if (!by.empty()) blas::gemv(factor, {problem.a.data(), problem.size, problem.rows()}, by.data(), 1, sum.data());
}

// Q x - q - sum_i alpha_i a_i.
Numbers gradient(const HeldProblem& problem, const Numbers& x, const Numbers& alpha) {
  Numbers out = problem.q;
  blas::symv(1, {problem.square.data(), problem.size}, x.data(), -1, out.data());
  add_combination(problem, alpha, -1, out);
  return out;
}

// Q + sum_i d_i a_i a_i', factored. An unknown that nothing holds keeps its value.
class HeldSystem {
public:
  explicit HeldSystem(const HeldProblem& problem) : problem_(problem) {}

  bool factor(const Numbers& d) {
    const std::size_t size = at(problem_.size);
    l_ = problem_.square, tile_.clear();
    for (std::size_t i = 0; i < d.size(); ++i) {
      if (d[i] == 0) continue;
      const double root = std::sqrt(d[i]);
      for (std::size_t j = 0; j < size; ++j) tile_.push_back(root * problem_.a[i * size + j]);
    }
    const Index used = std::ssize(tile_) / problem_.size;
    if (used > 0) blas::syrk(1, {tile_.data(), problem_.size, used}, 1, {l_.data(), problem_.size});
    for (std::size_t j = 0; j < size; ++j)
      if (l_[j * size + j] == 0) l_[j * size + j] = 1;
    return blas::potrf({l_.data(), problem_.size}) == 0;
  }
  void solve(Numbers& right) const { blas::potrs({l_.data(), problem_.size}, {right.data(), problem_.size, 1}); }

private:
  const HeldProblem& problem_;
  Numbers l_, tile_;
};

// The place of a row: its dual coefficient is at one end of its box, between the ends, or at the other.
enum class Place : std::uint8_t { zero, zone, full };

class HeldInterior {
public:
  HeldInterior(const HeldProblem& problem, const Numbers& start) : problem_(problem), system_(problem), x_(start) {
    const Numbers m = margins(problem, x_);
    for (std::size_t i = 0; i < m.size(); ++i) {
      const double k = problem.k[i], apart = m[i] - 1 + problem.width / 2;
      a_.push_back(k / 2), s_.push_back(std::max(apart, 0.0) + 0.1), xi_.push_back(s_[i] - apart);
    }
  }

  void run(double tolerance) {
    constexpr int kSteps = 100;
    for (int step = 0; step < kSteps; ++step) {
      keep_going();
      const double left = measure();
      const double near = std::max(1e-3 * problem_.width, 1e-13); // scores are rounded to about that
      if ((left <= tolerance && off_ <= near) || !advance(left)) return;
    }
  }
  const Numbers& x() const { return x_; }
  std::vector<Place> places() const {
    std::vector<Place> out;
    for (std::size_t i = 0; i < a_.size(); ++i) {
      const double k = problem_.k[i];
      out.push_back(xi_[i] * k >= k - a_[i] ? Place::full : a_[i] > s_[i] * k ? Place::zone : Place::zero);
    }
    return out;
  }

private:
  struct Direction {
    Numbers x, a, s, xi;
  };

  double ridge(std::size_t i) const { return problem_.width / problem_.k[i]; }

  // Residuals; returns the complementarity that is left.
  double measure() {
    short_x_ = gradient(problem_, x_, a_);
    const Numbers m = margins(problem_, x_);
    short_z_.resize(m.size());
    double left = 0;
    off_ = 0;
    for (std::size_t i = 0; i < m.size(); ++i) {
      short_z_[i] = s_[i] - xi_[i] - (m[i] - 1 + ridge(i) * a_[i]);
      off_ = std::max(off_, std::abs(short_z_[i]));
      left += a_[i] * s_[i] + (problem_.k[i] - a_[i]) * xi_[i];
    }
    return left;
  }

  bool advance(double left) {
    inverse_.resize(a_.size());
    for (std::size_t i = 0; i < a_.size(); ++i)
      inverse_[i] = 1 / (s_[i] / a_[i] + xi_[i] / (problem_.k[i] - a_[i]) + ridge(i));
    if (!system_.factor(inverse_)) return false;
    const Direction predicted = direction(0, nullptr);
    const double reach = length(predicted, 1);
    double after = 0;
    for (std::size_t i = 0; i < a_.size(); ++i)
      after += (a_[i] + reach * predicted.a[i]) * (s_[i] + reach * predicted.s[i]) +
               (problem_.k[i] - a_[i] - reach * predicted.a[i]) * (xi_[i] + reach * predicted.xi[i]);
    const double share = after / left;
    const Direction taken = direction(left / (2 * static_cast<double>(a_.size())) * share * share * share, &predicted);
    const double go = length(taken, 0.995);
    for (std::size_t j = 0; j < x_.size(); ++j) x_[j] += go * taken.x[j];
    for (std::size_t i = 0; i < a_.size(); ++i)
      a_[i] += go * taken.a[i], s_[i] += go * taken.s[i], xi_[i] += go * taken.xi[i];
    return go > 1e-10;
  }

  // `before`: the predictor, whose products correct the complementarity.
  Direction direction(double mu, const Direction* before) const {
    const std::size_t m = a_.size();
    Direction out{{}, Numbers(m), Numbers(m), Numbers(m)};
    Numbers pull(m), by_row(m);
    for (std::size_t i = 0; i < m; ++i) {
      const double up = problem_.k[i] - a_[i];
      out.s[i] = mu - a_[i] * s_[i] - (before ? before->a[i] * before->s[i] : 0);
      out.xi[i] = mu - up * xi_[i] + (before ? before->a[i] * before->xi[i] : 0);
      pull[i] = short_z_[i] + out.s[i] / a_[i] - out.xi[i] / up;
      by_row[i] = inverse_[i] * pull[i];
    }
    out.x.assign(x_.size(), 0.0);
    for (std::size_t j = 0; j < x_.size(); ++j) out.x[j] = -short_x_[j];
    add_combination(problem_, by_row, 1, out.x);
    system_.solve(out.x);
    const Numbers moved = margins(problem_, out.x);
    for (std::size_t i = 0; i < m; ++i) {
      out.a[i] = inverse_[i] * (pull[i] - moved[i]);
      out.s[i] = (out.s[i] - s_[i] * out.a[i]) / a_[i];
      out.xi[i] = (out.xi[i] + xi_[i] * out.a[i]) / (problem_.k[i] - a_[i]);
    }
    return out;
  }

  // The longest step that stays inside, times `share` if it is limited.
  double length(const Direction& d, double share) const {
    double most = kInfinity;
    const auto limit = [&](double value, double change) {
      if (change < 0) most = std::min(most, -value / change);
    };
    for (std::size_t i = 0; i < a_.size(); ++i) {
      limit(a_[i], d.a[i]), limit(problem_.k[i] - a_[i], -d.a[i]);
      limit(s_[i], d.s[i]), limit(xi_[i], d.xi[i]);
    }
    return std::min(1.0, share * most);
  }

  const HeldProblem& problem_;
  HeldSystem system_;
  Numbers x_, a_, s_, xi_, inverse_, short_x_, short_z_;
  double off_ = kInfinity;
};

double largest(const Numbers& numbers) {
  double most = 0;
  for (const double one : numbers) most = std::max(most, std::abs(one));
  return most;
}

// Newton's steps, first with the places given, then with those that the point has; the point of least gradient.
Numbers polished(const HeldProblem& problem, Numbers x, std::vector<Place> places) {
  constexpr int kSteps = 9;
  HeldSystem system(problem);
  Numbers best = x, alpha(problem.k.size()), d(problem.k.size());
  double least = kInfinity;
  for (int step = 0; step < kSteps; ++step) {
    const Numbers m = margins(problem, x);
    for (std::size_t i = 0; i < m.size(); ++i) {
      const double share = (1 - m[i]) / problem.width;
      if (step > 0) places[i] = share <= 0 ? Place::zero : share >= 1 ? Place::full : Place::zone;
      const bool inside = places[i] == Place::zone;
      alpha[i] = problem.k[i] * (inside ? share : places[i] == Place::full ? 1 : 0);
      d[i] = inside ? problem.k[i] / problem.width : 0;
    }
    Numbers change = gradient(problem, x, alpha);
    if (const double size = largest(change); step > 0 && size < least) least = size, best = x;
    if (!system.factor(d)) break;
    system.solve(change);
    for (std::size_t j = 0; j < x.size(); ++j) x[j] -= change[j];
  }
  return best;
}

} // namespace

std::vector<double> solve_held(const HeldProblem& problem, const std::vector<double>& start, double tolerance) {
  if (problem.k.empty()) return polished(problem, start, {});
  HeldInterior interior(problem, start);
  interior.run(tolerance);
  return polished(problem, interior.x(), interior.places());
}

} // namespace recta::svm
