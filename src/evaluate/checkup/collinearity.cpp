#include "evaluate/checkup/collinearity.hpp"

#include "base/blas.hpp"
#include "base/numbers.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace recta::checkup {
namespace {

constexpr double kSuspect = 1e-10;     // of 1 - R^2: the rows are asked
constexpr double kExact = 1e-10;       // share of the terms that may be left over in a row
constexpr double kNothing = 1e-7;      // a factor that is rounding, of scaled columns
constexpr double kFloor = 1e-15;       // 1 - R^2 of a column that the rows say is independent
constexpr std::size_t kMostTerms = 30; // looked at for one dependency
constexpr double kLoss = 0.25;         // leaving terms out may raise 1 - R^2 by this share

struct Square { // by column
  std::size_t n = 0;
  std::vector<double> x;
  explicit Square(std::size_t size) : n(size), x(size * size, 0.0) {}
  double& at(std::size_t i, std::size_t j) { return x[i + j * n]; }
  double at(std::size_t i, std::size_t j) const { return x[i + j * n]; }
  blas::Matrix matrix() { return {x.data(), static_cast<Index>(n)}; }
};

// R restricted to some columns, inverted. A matrix that rounding has made indefinite gets the least diagonal that
// helps.
Square inverse_of(const Correlations& all, const std::vector<Index>& columns) {
  const auto n = columns.size();
  for (double extra = 0;; extra = extra == 0 ? kFloor : 10 * extra) {
    Square a(n);
    for (std::size_t j = 0; j < n; ++j)
      for (std::size_t i = j; i < n; ++i) a.at(i, j) = all.at(columns[i], columns[j]) + (i == j ? extra : 0);
    if (n == 0) return a;
    if (blas::potrf(a.matrix()) != 0 || blas::potri(a.matrix()) != 0) continue;
    for (std::size_t j = 0; j < n; ++j)
      for (std::size_t i = 0; i < j; ++i) a.at(i, j) = a.at(j, i);
    return a;
  }
}

// From factors of scaled columns, largest first, to the units of the data.
Combination in_units(const Correlations& all, Index column, std::vector<std::pair<Index, double>> factors) {
  std::ranges::sort(factors, [](auto& a, auto& b) {
    return std::pair(-std::abs(a.second), a.first) < std::pair(-std::abs(b.second), b.first);
  });
  const auto mean = [&](Index j) { return all.means[static_cast<std::size_t>(j)]; };
  const auto deviation = [&](Index j) { return all.deviations[static_cast<std::size_t>(j)]; };
  Combination combination{column, {}, mean(column)};
  for (const auto& [j, factor] : factors) {
    const double in_data = factor * deviation(column) / deviation(j);
    combination.terms.emplace_back(j, in_data);
    combination.intercept -= in_data * mean(j);
  }
  return combination;
}

NearDependency named(const Correlations& all, const Combination& combination, double r2, bool exact) {
  const auto name = [&](Index j) { return all.names[static_cast<std::size_t>(j)]; };
  NearDependency dependency;
  dependency.column = name(combination.column);
  dependency.r2 = r2;
  dependency.intercept = combination.intercept;
  dependency.exact = exact;
  for (const auto& [j, factor] : combination.terms) dependency.terms.emplace_back(name(j), factor);
  return dependency;
}

// Cholesky of R in the order of the columns; a column that those before it determine is left out and written down.
class Independent {
public:
  Independent(const Correlations& all, const WorstRow& worst_row, Collinearity& out)
      : all_(all), worst_row_(worst_row), out_(out), l_(static_cast<std::size_t>(all.size())) {}

  std::vector<Index> run() {
    for (Index j = 0; j < all_.size(); ++j) take(j);
    return kept_;
  }

private:
  void take(Index j) {
    std::vector<double> v = forward(j);
    const double left = 1 - std::inner_product(v.begin(), v.end(), v.begin(), 0.0);
    if (left < kSuspect && determined(j, v)) return;
    const std::size_t row = kept_.size();
    for (std::size_t k = 0; k < row; ++k) l_.at(row, k) = v[k];
    l_.at(row, row) = std::sqrt(std::max(left, kFloor));
    kept_.push_back(j);
  }
  std::vector<double> forward(Index j) const {
    std::vector<double> v;
    for (std::size_t i = 0; i < kept_.size(); ++i) {
      double x = all_.at(kept_[i], j);
      for (std::size_t k = 0; k < i; ++k) x -= l_.at(i, k) * v[k];
      v.push_back(x / l_.at(i, i));
    }
    return v;
  }
  bool determined(Index j, std::vector<double> v) {
    for (std::size_t i = v.size(); i-- > 0;) { // L' b = v
      for (std::size_t k = i + 1; k < v.size(); ++k) v[i] -= l_.at(k, i) * v[k];
      v[i] /= l_.at(i, i);
    }
    std::vector<std::pair<Index, double>> factors;
    for (std::size_t i = 0; i < v.size(); ++i)
      if (std::abs(v[i]) > kNothing) factors.emplace_back(kept_[i], v[i]);
    const Combination combination = in_units(all_, j, std::move(factors));
    const bool full = std::ssize(kept_) >= all_.rows - 1; // so many centred columns span everything
    if (!full && worst_row_(combination) > kExact) return false;
    out_.inflation[static_cast<std::size_t>(j)] = kInfinity;
    for (const auto& term : combination.terms) out_.inflation[static_cast<std::size_t>(term.first)] = kInfinity;
    if (!full && out_.dependencies.size() < kMostDependencies)
      out_.dependencies.push_back(named(all_, combination, 1, true));
    return true;
  }

  const Correlations& all_;
  const WorstRow& worst_row_;
  Collinearity& out_;
  Square l_;
  std::vector<Index> kept_;
};

// The regression of one column on a few: factors of scaled columns, the inverse's diagonal, 1 - R^2.
struct Regression {
  std::vector<double> factor, diagonal;
  double left = 1;
};
Regression regress(const Correlations& all, Index column, const std::vector<Index>& on) {
  const Square inverse = inverse_of(all, on);
  Regression fit;
  for (std::size_t i = 0; i < on.size(); ++i) {
    double factor = 0;
    for (std::size_t k = 0; k < on.size(); ++k) factor += inverse.at(i, k) * all.at(on[k], column);
    fit.factor.push_back(factor);
    fit.diagonal.push_back(inverse.at(i, i));
    fit.left -= factor * all.at(on[i], column);
  }
  return fit;
}

// Leaves out the term that explains least, as long as the rest explains nearly as much as all columns together.
NearDependency shortened(const Correlations& all, Index column, std::vector<Index> on, double left) {
  Regression fit = regress(all, column, on);
  const double allowed = std::max(left, fit.left) * (1 + kLoss) + 1e-12;
  while (on.size() > 1) {
    const auto loss = [&](std::size_t i) { return fit.factor[i] * fit.factor[i] / fit.diagonal[i]; };
    std::size_t least = 0;
    for (std::size_t i = 1; i < on.size(); ++i)
      if (loss(i) < loss(least)) least = i;
    if (fit.left + loss(least) > allowed) break;
    on.erase(on.begin() + static_cast<std::ptrdiff_t>(least));
    fit = regress(all, column, on);
  }
  std::vector<std::pair<Index, double>> factors;
  for (std::size_t i = 0; i < on.size(); ++i) factors.emplace_back(on[i], fit.factor[i]);
  return named(all, in_units(all, column, std::move(factors)), 1 - fit.left, false);
}

// Column c of the inverse, as predictors of column c: the kMostTerms largest factors among those still here.
std::vector<Index> strongest(const Square& m, std::size_t c, const std::vector<Index>& columns,
                             const std::vector<bool>& gone) {
  std::vector<std::size_t> order;
  for (std::size_t k = 0; k < columns.size(); ++k)
    if (k != c && !gone[k]) order.push_back(k);
  std::ranges::sort(order, {}, [&](std::size_t k) { return std::pair(-std::abs(m.at(k, c)), k); });
  order.resize(std::min(order.size(), kMostTerms));
  std::ranges::sort(order);
  std::vector<Index> on;
  for (const std::size_t k : order) on.push_back(columns[k]);
  return on;
}

// Taking column c away from R changes R^-1 by a rank-one term.
void name_dependencies(const Correlations& all, const std::vector<Index>& columns, Square m, Collinearity& out) {
  std::vector<bool> gone(columns.size(), false);
  while (out.dependencies.size() < kMostDependencies) {
    std::size_t c = columns.size();
    for (std::size_t k = 0; k < columns.size(); ++k)
      if (!gone[k] && (c == columns.size() || m.at(k, k) > m.at(c, c))) c = k;
    if (c == columns.size() || m.at(c, c) <= kInflation) return;
    out.dependencies.push_back(shortened(all, columns[c], strongest(m, c, columns, gone), 1 / m.at(c, c)));
    gone[c] = true;
    for (std::size_t j = 0; j < columns.size(); ++j) {
      if (gone[j]) continue;
      const double share = m.at(c, j) / m.at(c, c);
      for (std::size_t i = 0; i < columns.size(); ++i)
        if (!gone[i]) m.at(i, j) -= m.at(i, c) * share;
    }
  }
}

double condition_of(const Correlations& all) {
  std::vector<double> r = all.r, values(all.names.size());
  if (blas::syevd(false, {r.data(), all.size()}, values.data()) != 0) return kInfinity;
  return std::sqrt(values.back() / std::max(values.front(), kFloor * values.back()));
}

} // namespace

Collinearity study(const Correlations& correlations, const WorstRow& worst_row) {
  const blas::SerialBlas serial;
  Collinearity out;
  out.inflation.assign(correlations.names.size(), 1);
  if (correlations.size() == 0) return out;
  const auto kept = Independent(correlations, worst_row, out).run();
  out.rank = std::ssize(kept);
  out.condition = out.rank < correlations.size() ? kInfinity : condition_of(correlations);
  const bool full = out.rank >= correlations.rows - 1; // the columns span all rows: every dependency is by accident
  if (full && out.rank < correlations.size()) out.inflation.assign(out.inflation.size(), kInfinity);
  Square m = inverse_of(correlations, kept);
  for (std::size_t k = 0; k < kept.size(); ++k) {
    double& inflation = out.inflation[static_cast<std::size_t>(kept[k])];
    inflation = std::max(inflation, m.at(k, k)); // an infinity stays
  }
  if (!full) name_dependencies(correlations, kept, std::move(m), out);
  return out;
}

} // namespace recta::checkup
