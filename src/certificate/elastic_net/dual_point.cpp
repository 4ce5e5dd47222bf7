#include "certificate/elastic_net/dual_point.hpp"

#include "base/factor/cholesky.hpp"
#include "base/numbers.hpp"
#include "base/sums.hpp"

#include <algorithm>
#include <cmath>

namespace recta {
namespace {

// The change that a solve on some columns would make.
struct Move {
  std::vector<char> solved; // p, or empty: none
  double eta = 0;           // at most

  bool has(Index j) const { return !solved.empty() && solved[j] != 0; }
};

double sign(double x) {
  return x > 0 ? 1 : x < 0 ? -1 : 0;
}

// e on the columns S that do not depend on others, and eta.
template <class T>
Move solve_on(const std::vector<Term>& terms, const ColumnFacts& facts, const TargetAnswer& answer,
              const std::vector<Index>& s, const Products& products, Pool& pool) {
  const auto size = static_cast<Index>(s.size());
  std::vector<T> h = products.among<T>(s), e(s.size());
  for (Index c = 0; c < size; ++c) {
    const Term& term = terms[s[c]];
    const double w = answer.w[s[c]];
    h[c + c * size] = h[c + c * size] + static_cast<T>(facts.weight * term.t);
    const double side = sign(w != 0 ? w : answer.g[s[c]].hi);
    const DoubleDouble rest = answer.g[s[c]] - term.a * side - two_prod(term.t, w);
    e[c] = static_cast<T>(rest * facts.weight);
  }
  const Cholesky<T> factor(std::move(h), size, products.tolerance(), &pool);
  const std::vector<T> z = factor.forward(e), q = factor.backward(z);
  T sum = 0.0;
  for (const T& x : z) sum = sum + x * x;
  Move move{std::vector<char>(terms.size()), 0};
  double noise = 0;
  for (Index c = 0; c < size; ++c) {
    if (!factor.is_basic(c)) continue;
    const Index j = s[c];
    const double w = answer.w[j], moved = w + static_cast<double>(q[c]);
    // The step would carry w across zero, out of the reach of the bound.
    if (terms[j].a > 0 && terms[j].t * std::abs(moved) > terms[j].a && moved * w < 0) return {{}, kInfinity};
    const double error = (answer.error[j] + terms[j].rounding + 4 * kUnit * std::abs(terms[j].t * w)) *
                         facts.weight.hi * factor.column_scale(c);
    noise += error * error;
    move.solved[j] = 1;
  }
  const double condition = factor.condition_estimate(), unit = std::is_same_v<T, double> ? kUnit : 0x1p-102;
  const double relative = std::min(1.0, 8 * static_cast<double>(size) * unit * condition);
  const double eta = std::sqrt(static_cast<double>(sum)) * (1 + relative) + std::sqrt(6 * condition * noise);
  move.eta = (1 + 16 * kUnit) * eta / std::sqrt(facts.weight.hi);
  return move;
}

Move solve_on(const std::vector<Term>& terms, const ColumnFacts& facts, const TargetAnswer& answer,
              const SolvedColumns& chosen, Pool& pool) {
  const Products& products = *chosen.products;
  Move move = solved_in_double_double(products, chosen.columns.size())
                  ? solve_on<DoubleDouble>(terms, facts, answer, chosen.columns, products, pool)
                  : solve_on<double>(terms, facts, answer, chosen.columns, products, pool);
  if (!std::isfinite(move.eta)) return move;
  for (const Combination& combination : chosen.implied)
    if (std::ranges::all_of(combination.terms, [&](const auto& part) { return move.has(part.first); }))
      move.solved[combination.column] = 1;
  return move;
}

// The m at which eta is least, e = z - m v sgn(w): by H^-1, so that a column of large numbers, whose z is mostly the
// rounding of w, counts for no more than it costs.
template <class T>
double least_multiplier(const std::vector<Term>& terms, const ColumnFacts& facts, const TargetAnswer& answer,
                        const std::vector<Index>& s, const Products& products, Pool& pool) {
  const auto size = static_cast<Index>(s.size());
  std::vector<T> h = products.among<T>(s), z(s.size()), v(s.size());
  for (Index c = 0; c < size; ++c) {
    const Term& term = terms[s[c]];
    const double w = answer.w[s[c]];
    h[c + c * size] = h[c + c * size] + static_cast<T>(facts.weight * term.t);
    z[c] = static_cast<T>((answer.g[s[c]] - two_prod(term.t, w)) * facts.weight);
    v[c] = static_cast<T>(facts.weight * (term.a * sign(w)));
  }
  const Cholesky<T> factor(std::move(h), size, products.tolerance(), &pool);
  const std::vector<T> along = factor.forward(v), of = factor.forward(z);
  T product = 0.0, square = 0.0;
  for (std::size_t c = 0; c < along.size(); ++c) // as many as there are independent columns
    product = product + along[c] * of[c], square = square + along[c] * along[c];
  return static_cast<double>(product) / static_cast<double>(square);
}

class Bounds {
public:
  Bounds(const std::vector<Term>& terms, const TargetAnswer& answer, const Move& move, const ColumnFacts* facts)
      : terms_(terms), answer_(answer), move_(move), margin_(answer.error) {
    for (std::size_t j = 0; j < margin_.size(); ++j)
      margin_[j] += terms[j].rounding + 4 * kUnit * std::abs(answer.g[j].hi);
    for (std::size_t j = 0; move.eta > 0 && j < margin_.size(); ++j)
      margin_[j] += std::sqrt(facts->square[j]) * move.eta;
  }

  GapBound best() const {
    GapBound least{kInfinity, 0};
    if (!std::isfinite(move_.eta)) return least;
    const std::vector<double> tried = scales();
    const std::vector<std::size_t> counting = columns_counting(std::ranges::max(tried));
    for (const double c : tried) {
      const GapBound bound = at(c, counting);
      if (bound.gap + bound.slack < least.gap + least.slack) least = bound;
    }
    return least;
  }

private:
  // The least of `c` and the largest c at which column j keeps |c g_j| <= a in the directions asked for.
  double reach(std::size_t j, bool up, bool down, double c) const {
    const double high = answer_.g[j].hi + margin_[j], low = answer_.g[j].hi - margin_[j];
    if (up && high > 0) c = std::min(c, (1 - 4 * kUnit) * (terms_[j].a / high));
    if (down && low < 0) c = std::min(c, (1 - 4 * kUnit) * (terms_[j].a / -low));
    return c;
  }

  // Inside its bounds with the roundings, a column without a coefficient adds nothing: most are of this kind.
  bool surely_zero(std::size_t j, double c) const {
    return (1 + 8 * kUnit) * c * (std::abs(answer_.g[j].hi) + margin_[j]) <= terms_[j].a;
  }
  // All the others add nothing at any scale up to `most`.
  std::vector<std::size_t> columns_counting(double most) const {
    std::vector<std::size_t> out;
    for (std::size_t j = 0; j < terms_.size(); ++j)
      if (terms_[j].left_out || answer_.w[j] != 0 || !surely_zero(j, most)) out.push_back(j);
    return out;
  }

  // Candidates are c = 1; the largest that is feasible; the largest that breaks no bound of a penalty at all; the best
  // of both kinds for the loss alone; and that of the elastic net taken for a lasso with more rows.
  std::vector<double> scales() const {
    double feasible = kInfinity, tight = kInfinity, joined = 1;
    DoubleDouble used = 0.0; // <r, fitted part of y>
    for (std::size_t j = 0; j < terms_.size(); ++j) {
      const Term& term = terms_[j];
      if (term.left_out) continue;
      if (answer_.w[j] != 0) used += answer_.g[j] * answer_.w[j];
      if (move_.has(j)) {
        feasible = term.t == 0 ? std::min(feasible, 1.0) : feasible;
        tight = std::min(tight, 1.0);
        continue;
      }
      const double most = std::max({feasible, tight, joined});
      if (term.t == 0 && std::isfinite(most) &&
          (1 + 16 * kUnit) * most * (std::abs(answer_.g[j].hi) + margin_[j]) <= term.a)
        continue; // moves none of them: most columns are so
      if (term.t == 0) feasible = reach(j, std::isinf(term.high), std::isinf(term.low), feasible);
      tight = reach(j, term.high > 0, term.low < 0, tight);
      const double slope = term.t == 0 ? answer_.g[j].hi : (answer_.g[j] - two_prod(term.t, answer_.w[j])).hi;
      const double z = std::abs(slope) + margin_[j];
      if (z > term.a) joined = std::min(joined, term.a / z);
    }
    const double square = answer_.mean_square.hi;
    const double free = square > 0 ? 1 + used.hi / square : 1;
    std::vector<double> all{0, std::min(1.0, feasible)};
    for (const double c : {tight, joined, free, feasible})
      if (std::isfinite(c) && c >= 0) all.push_back(std::min(c, feasible));
    if (!move_.solved.empty())
      for (double& c : all) c = std::min(c, 1.0);
    return all;
  }

  GapBound at(double c, const std::vector<std::size_t>& counting) const {
    CompensatedSum gap, slack;
    gap.add(answer_.intercept.gap), slack.add(answer_.intercept.slack);
    const double rest = std::abs(1 - c) * std::sqrt(std::max(0.0, answer_.mean_square.hi));
    if (move_.solved.empty()) {
      gap.add(rest * rest / 2);
    } else {
      const double moved = rest + c * move_.eta;
      gap.add(c == 1 ? move_.eta * move_.eta / 2 : moved * moved / 2 + c * move_.eta * move_.eta / 2);
    }
    for (const std::size_t j : counting) {
      const Term& term = terms_[j];
      const double w = answer_.w[j];
      if (term.left_out) gap.add(term.value(w));
      if (term.left_out || (move_.has(j) && c == 1)) continue;
      if (move_.has(j)) {
        gap.add((1 - c) * term.value(w));
        continue;
      }
      if (w == 0 && surely_zero(j, c)) continue;
      const DoubleDouble g = answer_.g[j] * c;
      const double here = conjugate_gap(term, w, g).hi, margin = c * margin_[j];
      const double most = std::max(conjugate_gap(term, w, g + margin).hi, conjugate_gap(term, w, g - margin).hi);
      if (!std::isfinite(most)) return {kInfinity, 0};
      gap.add(here);
      slack.add(std::max(0.0, most - here));
    }
    const double total = std::max(0.0, gap.value());
    return {total, slack.value() + 64 * kUnit * total};
  }

  const std::vector<Term>& terms_;
  const TargetAnswer& answer_;
  const Move& move_;
  std::vector<double> margin_;
};

// With M at least every |z_j| / v_j, psi M - sum z w = M (psi - sum v |w|) + sum (M v |w| - z w): no term is negative.
// On columns that were solved, z_j = m v_j sgn(w_j) exactly, and their squares have moved by eta^2 / 2 at most.
// `move`: that of the solve with the penalties m v_j.
BallBound ball_at(double m, const std::vector<Term>& terms, double psi, const ColumnFacts& facts,
                  const TargetAnswer& answer, const Move& move) {
  if (!std::isfinite(move.eta)) return {{kInfinity, 0}, m};
  std::vector<double> z(terms.size()), margin(terms.size());
  double most = m, surely = m; // M, and M with the roundings
  for (std::size_t j = 0; j < terms.size(); ++j) {
    if (terms[j].left_out || move.has(j)) continue;
    z[j] = (answer.g[j] - two_prod(terms[j].t, answer.w[j])).hi;
    margin[j] = answer.error[j] + std::sqrt(facts.square[j]) * move.eta + 4 * kUnit * std::abs(z[j]);
    if (terms[j].low == 0 && z[j] + margin[j] <= 0) continue; // no way down
    most = std::max(most, std::abs(z[j]) / terms[j].a);
    surely = std::max(surely, (std::abs(z[j]) + margin[j]) / (terms[j].a - terms[j].rounding));
  }
  if (!std::isfinite(most) || !std::isfinite(surely)) return {{kInfinity, 0}, m}; // a weight of zero, and no g of zero
  CompensatedSum gap, slack, length;
  for (std::size_t j = 0; j < terms.size(); ++j) {
    const double w = answer.w[j], penalty = terms[j].a * std::abs(w);
    if (terms[j].left_out || w == 0) continue;
    length.add_product(terms[j].a, std::abs(w));
    gap.add(move.has(j) ? (most - m) * penalty : std::max(0.0, (two_prod(most, penalty) - two_prod(z[j], w)).hi));
    slack.add((margin[j] + most * terms[j].rounding) * std::abs(w));
  }
  const double left = (DoubleDouble(psi) - length.total()).hi;
  gap.add(answer.intercept.gap), slack.add(answer.intercept.slack);
  gap.add(move.eta * move.eta / 2);
  gap.add(most * std::max(0.0, left));
  slack.add((surely - most) * psi);
  const double total = gap.value();
  return {{total, slack.value() + 64 * kUnit * (total + most * psi)}, most};
}

} // namespace

bool solved_in_double_double(const Products& products, std::size_t columns) {
  constexpr std::size_t kExtended = 300; // columns up to which double-double costs nothing to speak of
  return products.extended() && columns <= kExtended;
}

GapBound bound_by_residual(const std::vector<Term>& terms, const TargetAnswer& answer) {
  return Bounds(terms, answer, Move{}, nullptr).best();
}

GapBound bound_by_solve(const std::vector<Term>& terms, const ColumnFacts& facts, const TargetAnswer& answer,
                        const SolvedColumns& chosen, Pool& pool) {
  const Move move = solve_on(terms, facts, answer, chosen, pool);
  return Bounds(terms, answer, move, &facts).best();
}

// The multiplier is tried as that of the columns in use, and as zero, which it is if the bound is not in use.
BallBound bound_by_ball(const std::vector<Term>& terms, double psi, const ColumnFacts& facts,
                        const TargetAnswer& answer, const SolvedColumns& chosen, Pool& pool) {
  const auto bound_at = [&](double m) {
    std::vector<Term> scaled = terms;
    for (Term& term : scaled) term.a *= m, term.rounding *= m;
    const Move move = chosen.columns.empty() ? Move{} : solve_on(scaled, facts, answer, chosen, pool);
    return ball_at(m, terms, psi, facts, answer, move);
  };
  CompensatedSum along, weights;
  for (const Index j : chosen.columns) {
    if (terms[j].a == 0 || answer.w[j] == 0) continue;
    along.add((answer.g[j] - two_prod(terms[j].t, answer.w[j])).hi * sign(answer.w[j]));
    weights.add(terms[j].a);
  }
  BallBound best = bound_at(0);
  if (!(weights.value() > 0)) return best;
  const double even = along.value() / weights.value();
  const Products& products = *chosen.products;
  const double least = solved_in_double_double(products, chosen.columns.size())
                           ? least_multiplier<DoubleDouble>(terms, facts, answer, chosen.columns, products, pool)
                           : least_multiplier<double>(terms, facts, answer, chosen.columns, products, pool);
  for (const double m : {even, least}) {
    if (!(m > 0) || !std::isfinite(m)) continue;
    const BallBound used = bound_at(m);
    if (used.bound.gap + used.bound.slack < best.bound.gap + best.bound.slack) best = used;
  }
  return best;
}

} // namespace recta
