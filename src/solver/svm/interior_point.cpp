#include "solver/svm/interior_point.hpp"

#include "base/listening.hpp"
#include "base/sums.hpp"
#include "solver/svm/weighted_system.hpp"

#include <numeric>

namespace recta::svm {
namespace {

using Numbers = std::vector<double>;

// The pieces, and the levels that groups of them share: an intercept b has along = sigma and the coefficients add up to
// nothing; r_g has along = -1.
struct Pieces {
  explicit Pieces(const Problem& problem)
      : rows(problem.rows()), bounded(!squared(problem.terms.loss)), total(problem.intercept ? 1 : 0) {
    const Index m = labelled(problem.terms.loss) ? rows : 2 * rows;
    for (Index k = 0; k < m; ++k) {
      const Index i = k < rows ? k : k - rows;
      const double t = problem.target[at(i)], side = m == rows ? t : k < rows ? 1 : -1;
      row.push_back(i), level.push_back(0), sigma.push_back(side), along.push_back(problem.intercept ? side : 0);
      theta.push_back(m == rows ? 1 : side * t - problem.terms.epsilon);
      cost.push_back(problem.cost[at(i)]), ridge.push_back(problem.ridge(i));
    }
  }
  Pieces(const GroupedProblem& problem, Index rows) : rows(rows) {
    for (const auto& group : problem.groups) total.push_back(-group.mass);
    for (Index v = 0; v < problem.terms(); ++v) {
      row.push_back(problem.row[at(v)]), level.push_back(problem.group[at(v)]);
      sigma.push_back(problem.sigma(v)), along.push_back(-1);
      theta.push_back(problem.sigma(v) * problem.target[at(v)]);
      cost.push_back(problem.cost[at(v)]), ridge.push_back(0);
    }
  }

  Index count() const { return std::ssize(row); }
  Index rows;
  bool bounded = true;
  std::vector<Index> row, level;
  Numbers sigma, along, theta, cost, ridge;
  Numbers total; // of along a, by level
};

// Where a method begins, and what it is measured by.
struct Outset {
  Numbers w, levels, a;
  double scale = 1;        // of slacks
  double slack_unit = 0;   // slacks are met to a share kApart of it; 0: until what they lack costs less than the goal
  bool one_column = false; // the only level is an intercept: a column of ones
};

class Interior {
public:
  using Goal = std::function<double(const Numbers& levels)>; // the complementarity that is asked for

  Interior(const Pieces& pieces, Outset outset, const LinearRows& rows, Pool& pool)
      : pieces_(pieces), rows_(rows), pool_(pool), n_(pieces.rows), p_(rows.cols()), m_(pieces.count()),
        bounded_(pieces.bounded), system_(rows, std::ssize(pieces.total), pool), size_(system_.size()),
        slack_unit_(outset.slack_unit), one_column_(outset.one_column) {
    for (const double c : pieces.cost) all_costs_ += c;
    start(std::move(outset));
  }

  // The weights, and the coefficients of the pieces in `inner` and, if they go to an end of their box, there in `beta`.
  InteriorPoint run(const Goal& goal, Index most) {
    InteriorPoint out;
    double last = kInfinity, best = kInfinity;
    bool close_enough = false;
    for (Index settled = 0; out.steps < most && settled < kSettlings; ++out.steps) {
      keep_going();
      goal_ = goal(levels_);
      const double left = measure();
      close_enough = left <= goal_ && close();
      if (close_enough || !(left < 1e6 * last) || !finite()) break;
      last = left;
      if (apart_ > kApart || left + far_ < best) {
        keep();
        best = apart_ > kApart ? kInfinity : left + far_;
      }
      settling_ = left <= goal_;
      const double mu = left / static_cast<double>(m_ * (bounded_ ? 2 : 1));
      if (!(settling_ ? settle(mu) : step(mu))) break;
      settled += settling_ ? 1 : 0;
    }
    if (!close_enough) restore(); // rounding: no point after it is better
    out.beta = at_ends();
    out.w = std::move(w_), out.inner = inside();
    return out;
  }

private:
  struct Direction {
    Numbers w, a, s, xi, levels;
  };

  static constexpr double kApart = 1e-9;
  static constexpr Index kSettlings = 10; // at most; two or three are usual

  // The conditions are met to a few digits, or what w lacks costs less than the goal: of a large C, w is a small
  // difference of large terms, and no step takes their rounding off. Coefficients that do not add up to zero cost the
  // more, the longer the rows are.
  bool close() const {
    return unbalanced_ * unbalanced_ / 2 <= goal_ && (off_ <= 1e-9 || (far_ <= goal_ && apart_ <= kApart));
  }
  bool finite() const {
    return std::ranges::all_of(levels_, [](double r) { return std::isfinite(r); });
  }

  void keep() { kept_ = {w_, a_, up_, s_, xi_, levels_}; }
  void restore() {
    if (kept_.empty()) return;
    w_ = kept_[0], a_ = kept_[1], up_ = kept_[2], s_ = kept_[3], xi_ = kept_[4], levels_ = kept_[5];
  }

  Index row(Index k) const { return pieces_.row[at(k)]; }
  double sigma(Index k) const { return pieces_.sigma[at(k)]; }
  double theta(Index k) const { return pieces_.theta[at(k)]; }
  double cost(Index k) const { return pieces_.cost[at(k)]; }
  double ridge(Index k) const { return pieces_.ridge[at(k)]; }
  // What the level of a piece, or a change of it, adds to its margin.
  double level(Index k, const Numbers& levels) const {
    return levels.empty() ? 0 : pieces_.along[at(k)] * levels[at(pieces_.level[at(k)])];
  }

  void start(Outset outset) {
    w_ = std::move(outset.w), levels_ = std::move(outset.levels), a_ = std::move(outset.a);
    rows_.scores(w_, z_, pool_);
    s_.resize(at(m_)), xi_.assign(at(m_), 0), up_.resize(at(m_));
    for (Index k = 0; k < m_; ++k) {
      const double apart = sigma(k) * z_[at(row(k))] + level(k, levels_) - theta(k) + ridge(k) * a_[at(k)];
      s_[at(k)] = std::max(apart, 0.0) + outset.scale;
      if (bounded_) xi_[at(k)] = s_[at(k)] - apart;
      up_[at(k)] = cost(k) - a_[at(k)];
    }
  }

  // Residuals and the complementarity that is left.
  double measure() {
    const Numbers a = inside();
    beta_.assign(at(n_), 0);
    std::vector<CompensatedSum> total(pieces_.total.size());
    for (Index k = 0; k < m_; ++k) {
      beta_[at(row(k))] += sigma(k) * a[at(k)];
      if (!total.empty()) total[at(pieces_.level[at(k)])].add(pieces_.along[at(k)] * a[at(k)]);
    }
    short_w_ = settling_ ? rows_.lacking(w_, beta_, pool_) : rows_.combination(beta_, pool_);
    if (!settling_)
      for (Index j = 0; j < p_; ++j) short_w_[at(j)] = w_[at(j)] - short_w_[at(j)];
    double far = 0, size = 0;
    for (Index j = 0; j < p_; ++j) {
      far += short_w_[at(j)] * short_w_[at(j)], size += w_[at(j)] * w_[at(j)];
    }
    short_total_.clear(), unbalanced_ = 0;
    for (std::size_t g = 0; g < total.size(); ++g) {
      total[g].add(-pieces_.total[g]);
      short_total_.push_back(total[g].value());
      unbalanced_ += std::abs(short_total_[g]) * rows_.longest();
    }
    rows_.scores(w_, z_, pool_);
    double left = 0, apart = 0;
    short_z_.resize(at(m_));
    for (Index k = 0; k < m_; ++k) {
      const double margin = sigma(k) * z_[at(row(k))] + level(k, levels_) - theta(k) + ridge(k) * a_[at(k)];
      short_z_[at(k)] = s_[at(k)] - xi_[at(k)] - margin;
      apart = std::max(apart, std::abs(short_z_[at(k)]));
      left += a_[at(k)] * s_[at(k)] + (bounded_ ? up_[at(k)] * xi_[at(k)] : 0);
    }
    far_ = (std::sqrt(far) + unbalanced_) * (std::sqrt(far) + unbalanced_) / 2;
    apart_ = slack_unit_ > 0 ? apart / slack_unit_ : kApart * apart * all_costs_ / goal_;
    off_ = std::sqrt(far / std::max(size, 1e-300)) + apart_;
    return left;
  }

  bool step(double mu) {
    weigh();
    if (!factor()) return false;
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
    return factor() && go_along(direction(mu, nullptr));
  }

  bool go_along(const Direction& taken) {
    const double go = length(taken, 0.995);
    for (Index j = 0; j < p_; ++j) w_[at(j)] += go * taken.w[at(j)];
    for (std::size_t g = 0; g < levels_.size(); ++g) levels_[g] += go * taken.levels[g];
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
  bool factor() {
    if (one_column_ || levels_.empty()) return system_.factor(weight_);
    std::vector<LevelWeights> by_level(levels_.size(), {Numbers(at(n_))});
    for (Index k = 0; k < m_; ++k) {
      LevelWeights& own = by_level[at(pieces_.level[at(k)])];
      own.by_row[at(row(k))] += sigma(k) * pieces_.along[at(k)] * inverse_[at(k)];
      own.own += inverse_[at(k)];
    }
    return system_.factor(weight_, by_level);
  }

  // `before`: the predictor, whose products correct the complementarity.
  Direction direction(double mu, const Direction* before) const {
    Numbers pull(at(m_)), by_row(at(n_));
    Direction out{{}, Numbers(at(m_)), Numbers(at(m_)), Numbers(bounded_ ? at(m_) : 0), Numbers(levels_.size())};
    for (Index k = 0; k < m_; ++k) {
      const double a = a_[at(k)], up = up_[at(k)];
      out.s[at(k)] = mu - a * s_[at(k)] - (before ? before->a[at(k)] * before->s[at(k)] : 0);
      pull[at(k)] = short_z_[at(k)] + out.s[at(k)] / a;
      if (bounded_) {
        out.xi[at(k)] = mu - up * xi_[at(k)] + (before ? before->a[at(k)] * before->xi[at(k)] : 0);
        pull[at(k)] -= out.xi[at(k)] / up;
      }
      const double moves = inverse_[at(k)] * pull[at(k)];
      by_row[at(row(k))] += sigma(k) * moves;
      if (!levels_.empty()) out.levels[at(pieces_.level[at(k)])] += pieces_.along[at(k)] * moves;
    }
    Numbers right = rows_.combination(by_row, pool_);
    for (Index j = 0; j < p_; ++j) right[at(j)] -= short_w_[at(j)];
    for (std::size_t g = 0; g < out.levels.size(); ++g) right.push_back(short_total_[g] + out.levels[g]);
    system_.solve(right);
    out.levels.assign(right.begin() + p_, right.end());
    right.resize(at(p_));
    Numbers moved;
    rows_.scores(right, moved, pool_);
    out.w = std::move(right);
    for (Index k = 0; k < m_; ++k) {
      const double a = a_[at(k)];
      out.a[at(k)] = inverse_[at(k)] * (pull[at(k)] - (sigma(k) * moved[at(row(k))] + level(k, out.levels)));
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

  // a rounds to more than C where C - a is smaller than its last digit.
  Numbers inside() const {
    Numbers out = a_;
    for (Index k = 0; bounded_ && k < m_; ++k) out[at(k)] = std::min(out[at(k)], cost(k));
    return out;
  }
  // A coefficient is at the end whose slack is larger, beside its distance from the end as a share of C.
  Numbers at_ends() const {
    Numbers out = a_;
    for (Index k = 0; k < m_; ++k) {
      const double c = cost(k);
      const bool low = s_[at(k)] * c > a_[at(k)], high = bounded_ && xi_[at(k)] * c > up_[at(k)];
      if (low || high) out[at(k)] = low ? 0 : c;
    }
    return out;
  }

  const Pieces& pieces_;
  const LinearRows& rows_;
  Pool& pool_;
  Index n_, p_, m_;
  bool bounded_;
  WeightedSystem system_;
  Index size_;
  Numbers w_, z_, a_, up_, s_, xi_, beta_, inverse_, weight_; // up: C - a, which would round to zero
  std::vector<Numbers> kept_;                                 // the best point so far
  Numbers levels_, short_w_, short_z_, short_total_;
  double slack_unit_, all_costs_ = 0, goal_ = 0;
  double off_ = kInfinity, far_ = 0, apart_ = 0, unbalanced_ = 0;
  bool one_column_;
  bool settling_ = false; // only what w and b lack is left
};

Outset outset_of(const Problem& problem, const Pieces& pieces, const LinearRows& rows) {
  const double n = static_cast<double>(pieces.rows), scale = slope_scale(problem);
  double mean = 0;
  for (Index i = 0; i < pieces.rows; ++i) mean += rows.square(i) / n;
  const double room = (mean > 0 ? 1 / mean : 1) * scale;
  Outset out{.w = Numbers(at(rows.cols())), .levels = {}, .a = {}, .scale = scale, .slack_unit = scale};
  out.one_column = true;
  if (problem.intercept) out.levels = {best_intercepts(problem, Numbers(at(pieces.rows))).middle()};
  // Half way up if C is large: products a s and (C - a) xi of very different sizes would allow tiny steps only.
  for (const double c : pieces.cost)
    out.a.push_back(pieces.bounded ? (room < 1e-3 * c ? c / 2 : std::min(c / 2, room)) : std::min(c * scale, room));
  return out;
}

// The mass of a group is shared out by the costs, so that nothing lacks at the beginning.
Outset outset_of(const GroupedProblem& problem, const Pieces& pieces, const LinearRows& rows, Pool& pool) {
  Numbers costs(problem.groups.size()), beta(at(pieces.rows)), z;
  for (Index v = 0; v < problem.terms(); ++v) costs[at(problem.group[at(v)])] += problem.cost[at(v)];
  Outset out;
  for (Index v = 0; v < problem.terms(); ++v) {
    const std::size_t g = at(problem.group[at(v)]);
    out.a.push_back(problem.cost[at(v)] * (problem.groups[g].mass / costs[g]));
    beta[at(problem.row[at(v)])] += problem.sigma(v) * out.a.back();
  }
  out.w = rows.combination(beta, pool);
  rows.scores(out.w, z, pool);
  out.levels = best_level_of_groups(problem, z);
  out.scale = 0;
  for (Index v = 0; v < problem.terms(); ++v)
    out.scale +=
        std::abs(problem.lead(v, z) - out.levels[at(problem.group[at(v)])]) / static_cast<double>(problem.terms());
  if (out.scale == 0) out.scale = 1;
  return out;
}

Numbers by_row(const Pieces& pieces, const Numbers& a) {
  Numbers out(at(pieces.rows));
  for (Index k = 0; k < pieces.count(); ++k) out[at(pieces.row[at(k)])] += pieces.sigma[at(k)] * a[at(k)];
  return out;
}

} // namespace

InteriorPoint solve_by_interior_point(const Problem& problem, const LinearRows& rows, const InteriorSettings& settings,
                                      Pool& pool) {
  const Pieces pieces(problem);
  InteriorPoint out = Interior(pieces, outset_of(problem, pieces, rows), rows, pool)
                          .run([&](const Numbers&) { return settings.gap; }, settings.steps);
  out.beta = by_row(pieces, out.beta), out.inner = by_row(pieces, out.inner);
  return out;
}

InteriorPoint solve_by_interior_point(const GroupedProblem& problem, const LinearRows& rows,
                                      const GroupedInteriorSettings& settings, Pool& pool) {
  const Pieces pieces(problem, rows.rows());
  InteriorPoint out =
      Interior(pieces, outset_of(problem, pieces, rows, pool), rows, pool).run(settings.gap, settings.steps);
  for (Numbers* const a : {&out.beta, &out.inner})
    for (Index k = 0; k < pieces.count(); ++k) (*a)[at(k)] *= pieces.sigma[at(k)];
  return out;
}

} // namespace recta::svm
