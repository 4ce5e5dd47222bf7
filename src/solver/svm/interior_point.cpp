#include "solver/svm/interior_point.hpp"

#include "base/listening.hpp"
#include "base/sums.hpp"
#include "solver/svm/weighted_system.hpp"

#include <numeric>

namespace recta::svm {
namespace {

using Numbers = std::vector<double>;

class Interior {
public:
  Interior(const Problem& problem, const LinearRows& rows, Pool& pool)
      : problem_(problem), rows_(rows), pool_(pool), n_(problem.rows()), p_(rows.cols()),
        m_(labelled(problem.terms.loss) ? n_ : 2 * n_), bounded_(!squared(problem.terms.loss)),
        system_(rows, problem.intercept, pool), size_(system_.size()) {
    start();
  }

  InteriorPoint run(const InteriorSettings& settings) {
    InteriorPoint out;
    double last = kInfinity, best = kInfinity;
    bool close_enough = false;
    for (Index settled = 0; out.steps < settings.steps && settled < kSettlings; ++out.steps) {
      keep_going();
      const double left = measure();
      close_enough = left <= settings.gap && close(settings.gap);
      if (close_enough || !(left < 1e6 * last) || !std::isfinite(b_)) break;
      last = left;
      if (apart_ > kApart || left + far_ < best) {
        keep();
        best = apart_ > kApart ? kInfinity : left + far_;
      }
      settling_ = left <= settings.gap;
      const double mu = left / static_cast<double>(m_ * (bounded_ ? 2 : 1));
      if (!(settling_ ? settle(mu) : step(mu))) break;
      settled += settling_ ? 1 : 0;
    }
    if (!close_enough) restore(); // rounding: no point after it is better
    measure();
    out.beta = at_ends();
    out.w = std::move(w_), out.inner = std::move(beta_);
    return out;
  }

private:
  struct Direction {
    Numbers w, a, s, xi;
    double b = 0;
  };

  static constexpr double kApart = 1e-9;
  static constexpr Index kSettlings = 10; // at most; two or three are usual

  // The conditions are met to a few digits, or what w lacks costs less than the goal: of a large C, w is a small
  // difference of large terms, and no step takes their rounding off. Coefficients that do not add up to zero cost the
  // more, the longer the rows are.
  bool close(double gap) const {
    return unbalanced_ * unbalanced_ / 2 <= gap && (off_ <= 1e-9 || (far_ <= gap && apart_ <= kApart));
  }

  void keep() { kept_ = {w_, a_, up_, s_, xi_}, kept_b_ = b_; }
  void restore() {
    if (kept_.empty()) return;
    w_ = kept_[0], a_ = kept_[1], up_ = kept_[2], s_ = kept_[3], xi_ = kept_[4], b_ = kept_b_;
  }

  Index row(Index k) const { return k < n_ ? k : k - n_; }
  double sigma(Index k) const { return m_ == n_ ? problem_.target[at(k)] : k < n_ ? 1 : -1; }
  double theta(Index k) const { return m_ == n_ ? 1 : sigma(k) * problem_.target[at(row(k))] - problem_.terms.epsilon; }
  double cost(Index k) const { return problem_.cost[at(row(k))]; }
  double ridge(Index k) const { return problem_.ridge(row(k)); }

  void start() {
    double mean = 0;
    for (Index i = 0; i < n_; ++i) mean += rows_.square(i) / static_cast<double>(n_);
    const double scale = slope_scale(problem_);
    const double room = (mean > 0 ? 1 / mean : 1) * scale;
    w_.assign(at(p_), 0);
    b_ = best_intercepts(problem_, Numbers(at(n_))).middle();
    z_.assign(at(n_), b_);
    a_.resize(at(m_)), s_.resize(at(m_)), xi_.assign(at(m_), 0), up_.resize(at(m_));
    // Half way up if C is large: products a s and (C - a) xi of very different sizes would allow tiny steps only.
    for (Index k = 0; k < m_; ++k) {
      a_[at(k)] = bounded_ ? (room < 1e-3 * cost(k) ? cost(k) / 2 : std::min(cost(k) / 2, room))
                           : std::min(cost(k) * scale, room);
      const double apart = sigma(k) * b_ - theta(k) + ridge(k) * a_[at(k)];
      s_[at(k)] = std::max(apart, 0.0) + scale;
      if (bounded_) xi_[at(k)] = s_[at(k)] - apart;
      up_[at(k)] = cost(k) - a_[at(k)];
    }
  }

  // Residuals and the complementarity that is left.
  double measure() {
    beta_.assign(at(n_), 0);
    for (Index k = 0; k < m_; ++k) // a rounds to more than C where C - a is smaller than its last digit
      beta_[at(row(k))] += sigma(k) * (bounded_ ? std::min(a_[at(k)], cost(k)) : a_[at(k)]);
    short_w_ = settling_ ? rows_.lacking(w_, beta_, pool_) : rows_.combination(beta_, pool_);
    if (!settling_)
      for (Index j = 0; j < p_; ++j) short_w_[at(j)] = w_[at(j)] - short_w_[at(j)];
    double far = 0, size = 0;
    for (Index j = 0; j < p_; ++j) {
      far += short_w_[at(j)] * short_w_[at(j)], size += w_[at(j)] * w_[at(j)];
    }
    CompensatedSum total;
    for (const double beta : beta_) total.add(beta);
    short_b_ = problem_.intercept ? total.value() : 0;
    unbalanced_ = std::abs(short_b_) * rows_.longest();
    rows_.scores(w_, z_, pool_);
    double left = 0, apart = 0;
    short_z_.resize(at(m_));
    for (Index k = 0; k < m_; ++k) {
      const double margin = sigma(k) * (z_[at(row(k))] + b_) - theta(k) + ridge(k) * a_[at(k)];
      short_z_[at(k)] = s_[at(k)] - xi_[at(k)] - margin;
      apart = std::max(apart, std::abs(short_z_[at(k)]));
      left += a_[at(k)] * s_[at(k)] + (bounded_ ? up_[at(k)] * xi_[at(k)] : 0);
    }
    far_ = (std::sqrt(far) + unbalanced_) * (std::sqrt(far) + unbalanced_) / 2, apart_ = apart / slope_scale(problem_);
    off_ = std::sqrt(far / std::max(size, 1e-300)) + apart_;
    return left;
  }

  bool step(double mu) {
    weigh();
    if (!system_.factor(weight_)) return false;
    const Direction predicted = direction(0, nullptr);
    const double reach = length(predicted, 1);
    double after = 0;
    for (Index k = 0; k < m_; ++k) {
      after += (a_[at(k)] + reach * predicted.a[at(k)]) * (s_[at(k)] + reach * predicted.s[at(k)]);
      if (bounded_) after += (up_[at(k)] - reach * predicted.a[at(k)]) * (xi_[at(k)] + reach * predicted.xi[at(k)]);
    }
    const double share = after / (mu * static_cast<double>(m_ * (bounded_ ? 2 : 1)));
    return go_along(direction(mu * share * share * share, &predicted));
  }

  // The complementarity is small enough and what w and b lack is not: a step that leaves mu as it is. A smaller mu
  // would cost the system the digits it needs for them.
  bool settle(double mu) {
    weigh();
    return system_.factor(weight_) && go_along(direction(mu, nullptr));
  }

  bool go_along(const Direction& taken) {
    const double go = length(taken, 0.995);
    for (Index j = 0; j < p_; ++j) w_[at(j)] += go * taken.w[at(j)];
    b_ += go * taken.b;
    for (Index k = 0; k < m_; ++k) {
      a_[at(k)] += go * taken.a[at(k)], up_[at(k)] -= go * taken.a[at(k)], s_[at(k)] += go * taken.s[at(k)];
      if (bounded_) xi_[at(k)] += go * taken.xi[at(k)];
    }
    return go > 1e-10;
  }

  void weigh() {
    inverse_.resize(at(m_)), weight_.assign(at(n_), 0);
    for (Index k = 0; k < m_; ++k) {
      const double upper = bounded_ ? xi_[at(k)] / up_[at(k)] : 0;
      inverse_[at(k)] = 1 / (s_[at(k)] / a_[at(k)] + upper + ridge(k));
      weight_[at(row(k))] += inverse_[at(k)];
    }
  }

  // `before`: the predictor, whose products correct the complementarity.
  Direction direction(double mu, const Direction* before) const {
    Numbers pull(at(m_)), by_row(at(n_));
    Direction out{Numbers(at(p_)), Numbers(at(m_)), Numbers(at(m_)), Numbers(bounded_ ? at(m_) : 0)};
    for (Index k = 0; k < m_; ++k) {
      const double a = a_[at(k)], up = up_[at(k)];
      out.s[at(k)] = mu - a * s_[at(k)] - (before ? before->a[at(k)] * before->s[at(k)] : 0);
      pull[at(k)] = short_z_[at(k)] + out.s[at(k)] / a;
      if (bounded_) {
        out.xi[at(k)] = mu - up * xi_[at(k)] + (before ? before->a[at(k)] * before->xi[at(k)] : 0);
        pull[at(k)] -= out.xi[at(k)] / up;
      }
      by_row[at(row(k))] += sigma(k) * inverse_[at(k)] * pull[at(k)];
    }
    Numbers right = rows_.combination(by_row, pool_);
    for (Index j = 0; j < p_; ++j) right[at(j)] -= short_w_[at(j)];
    if (size_ > p_) right.push_back(short_b_ + std::accumulate(by_row.begin(), by_row.end(), 0.0));
    system_.solve(right);
    if (size_ > p_) out.b = right.back();
    right.resize(at(p_));
    Numbers moved;
    rows_.scores(right, moved, pool_);
    out.w = std::move(right);
    for (Index k = 0; k < m_; ++k) {
      const double a = a_[at(k)];
      out.a[at(k)] = inverse_[at(k)] * (pull[at(k)] - sigma(k) * (moved[at(row(k))] + out.b));
      out.s[at(k)] = (out.s[at(k)] - s_[at(k)] * out.a[at(k)]) / a;
      if (bounded_) out.xi[at(k)] = (out.xi[at(k)] + xi_[at(k)] * out.a[at(k)]) / up_[at(k)];
    }
    return out;
  }

  // The longest step that stays inside, times `share` if it is limited.
  double length(const Direction& d, double share) const {
    double most = kInfinity;
    const auto limit = [&](double value, double change) {
      if (change < 0) most = std::min(most, -value / change);
    };
    for (Index k = 0; k < m_; ++k) {
      limit(a_[at(k)], d.a[at(k)]), limit(s_[at(k)], d.s[at(k)]);
      if (bounded_) limit(up_[at(k)], -d.a[at(k)]), limit(xi_[at(k)], d.xi[at(k)]);
    }
    return std::min(1.0, share * most);
  }

  // A coefficient is at the end whose slack is larger, beside its distance from the end as a share of C.
  Numbers at_ends() const {
    Numbers beta(at(n_));
    for (Index k = 0; k < m_; ++k) {
      const double a = a_[at(k)], c = cost(k);
      const bool low = s_[at(k)] * c > a, high = bounded_ && xi_[at(k)] * c > up_[at(k)];
      beta[at(row(k))] += sigma(k) * (low ? 0 : high ? c : a);
    }
    return beta;
  }

  const Problem& problem_;
  const LinearRows& rows_;
  Pool& pool_;
  Index n_, p_, m_;
  bool bounded_;
  WeightedSystem system_;
  Index size_;
  Numbers w_, z_, a_, up_, s_, xi_, beta_, inverse_, weight_; // up: C - a, which would round to zero
  std::vector<Numbers> kept_;                                 // the best point so far
  Numbers short_w_, short_z_;
  double b_ = 0, kept_b_ = 0, short_b_ = 0, off_ = kInfinity, far_ = 0, apart_ = 0, unbalanced_ = 0;
  bool settling_ = false; // only what w and b lack is left
};

} // namespace

InteriorPoint solve_by_interior_point(const Problem& problem, const LinearRows& rows, const InteriorSettings& settings,
                                      Pool& pool) {
  return Interior(problem, rows, pool).run(settings);
}

} // namespace recta::svm
