#include "certificate/loss/kink_dual.hpp"

#include "base/numbers.hpp"

#include <algorithm>
#include <cmath>

namespace recta {
namespace {

constexpr std::size_t kMostFree = 4000;
// A column with lambda2 pays only the square of its shortfall, while the intercept must be met: it weighs less.
constexpr double kForgiving = 1e-3;
constexpr int kRefinements = 3; // the right side afresh, in double-double

} // namespace

KinkLeft KinkDual::left(const KinkSums& sums, const std::vector<double>& d) const {
  KinkLeft out{.intercept = sums.sum, .squares = sums.squares, .sum_abs = sums.sum_abs};
  std::vector<DoubleDouble> raw;
  std::vector<double> size = sums.gradient_abs;
  for (Index j = 0; j < sums.cols; ++j) raw.push_back({sums.gradient[j], sums.gradient_low[j]});
  for (std::size_t k = 0; k < d.size(); ++k) {
    const NearRow& row = sums.near[k];
    const DoubleDouble product = two_prod(row.weight, d[k]);
    out.intercept += product;
    out.squares += product * d[k];
    out.sum_abs += std::abs(product.hi);
    for (std::size_t j = 0; j < raw.size(); ++j) {
      raw[j] += row.x_low.empty() ? product * row.x[j] : product * DoubleDouble(row.x[j], row.x_low[j]);
      size[j] += std::abs(product.hi * row.x[j]);
    }
  }
  const std::vector<double>& centre = geometry_.centre();
  for (std::size_t j = 0; j < raw.size(); ++j) {
    const double m = centre.empty() ? 0 : centre[j];
    out.columns.push_back(raw[j] - out.intercept * m);
    out.size.push_back(size[j] + std::abs(m) * out.sum_abs);
    out.error.push_back(4 * KinkSums::kRounding * out.size[j] + 2 * kUnit * kUnit * std::abs(out.columns.back().hi) +
                        (basis_error_.empty() ? 0 : basis_error_[j]));
  }
  return out;
}

// A coefficient so near zero that it is taken for zero: its own slope is then free.
bool KinkDual::open(std::size_t j, double near) const {
  const double size = std::sqrt((facts_.sums.squares[j] / facts_.sums.weight).hi);
  return terms_[j].a > 0 && !terms_[j].left_out && std::abs(claimed_.w[j]) * size <= near;
}

double KinkDual::target(std::size_t j, double g, double near) const {
  const double w = claimed_.w[j], a = terms_[j].a, square = terms_[j].t * w;
  if (open(j, near)) return std::clamp(g - square, -a, a) + square;
  return a * (w > 0 ? 1 : w < 0 ? -1 : 0) + square;
}

// Columns weigh by their length, or those that forgive a shortfall by what it costs: if the rows at kinks cannot meet
// all of them, and their units differ by far, only the latter leaves the cheapest.
std::vector<double> KinkDual::units(Weighing weighing) const {
  std::vector<double> unit(terms_.size());
  double longest = 0; // square of the length beside what a shortfall costs
  const auto forgives = [&](std::size_t j) { return terms_[j].t > 0 && !exact(j); };
  const auto square = [&](std::size_t j) { return geometry_.square(static_cast<Index>(j)) * facts_.weight(); };
  for (std::size_t j = 0; j < unit.size(); ++j)
    if (forgives(j) && !terms_[j].left_out) longest = std::max(longest, square(j) / terms_[j].t);
  for (std::size_t j = 0; j < unit.size(); ++j) {
    if (terms_[j].left_out || !(square(j) > 0)) continue;
    const double size = forgives(j) && weighing == Weighing::by_cost ? longest * terms_[j].t : square(j);
    unit[j] = (forgives(j) ? kForgiving : 1) / std::sqrt(size);
  }
  return unit;
}

std::size_t KinkDual::free_count(const KinkSums& sums, double near) const {
  const FreeRows free = free_rows(sums, near);
  return free.rows.size() + free.columns.size();
}

// Rows at a kink begin in the middle between their slopes, from where the change of least length is most likely to stay
// between them.
KinkDual::FreeRows KinkDual::free_rows(const KinkSums& sums, double near) const {
  FreeRows out;
  for (std::size_t k = 0; k < sums.near.size(); ++k) {
    const NearRow& row = sums.near[k];
    const bool at_kink = std::abs(row.off) <= near;
    if (at_kink) out.rows.push_back(k);
    out.d.push_back(at_kink ? (row.low + row.high) / 2 : row.off > 0 ? row.high : row.low);
  }
  for (std::size_t j = 0; j < terms_.size(); ++j)
    if (open(j, near)) out.columns.push_back(j);
  return out;
}

// The conditions in units of their own, those of the columns first. Columns that have none are not in it.
KinkDual::Conditions KinkDual::conditions(const KinkSums& sums, const FreeRows& free, Weighing weighing) const {
  Conditions out{.unit = units(weighing), .columns = {}, .intercept = 0, .system = {}};
  const double w = facts_.weight();
  if (claimed_.objective.intercept) out.intercept = 1 / w;
  for (std::size_t j = 0; j < out.unit.size(); ++j)
    if (out.unit[j] > 0) out.columns.push_back(j);
  const std::vector<double>& centre = geometry_.centre();
  BoundedSystem& system = out.system;
  system.rows = std::ssize(out.columns) + (out.intercept > 0 ? 1 : 0);
  for (const std::size_t k : free.rows) {
    const NearRow& row = sums.near[k];
    for (const std::size_t j : out.columns)
      system.g.push_back(row.weight * (row.x[j] - (centre.empty() ? 0 : centre[j])) * out.unit[j]);
    if (out.intercept > 0) system.g.push_back(row.weight * out.intercept);
    system.low.push_back(row.low), system.high.push_back(row.high);
  }
  for (const std::size_t open : free.columns) {
    for (const std::size_t j : out.columns) system.g.push_back(j == open ? -w * terms_[j].a * out.unit[j] : 0);
    if (out.intercept > 0) system.g.push_back(0);
    system.low.push_back(-1), system.high.push_back(1);
  }
  return out;
}

// The shortfall of every condition, in double-double until it is rounded.
std::vector<double> KinkDual::lacking(const Conditions& conditions, const KinkLeft& now, const FreeRows& free,
                                      const std::vector<double>& x, double near) const {
  const double w = facts_.weight();
  std::vector<double> due(terms_.size()), out;
  for (std::size_t j = 0; j < due.size(); ++j)
    due[j] = open(j, near) ? terms_[j].t * claimed_.w[j] : target(j, 0, near);
  std::vector<double> penalised(terms_.size());
  for (std::size_t s = 0; s < free.columns.size(); ++s)
    penalised[free.columns[s]] = w * terms_[free.columns[s]].a * x[free.rows.size() + s];
  for (const std::size_t j : conditions.columns)
    out.push_back(((DoubleDouble(due[j]) * w - now.columns[j]).hi + penalised[j]) * conditions.unit[j]);
  if (conditions.intercept > 0) out.push_back(-now.intercept.hi * conditions.intercept);
  return out;
}

std::vector<double> KinkDual::chosen(const KinkSums& sums, double near, Weighing weighing) const {
  FreeRows free = free_rows(sums, near);
  if (free.rows.size() > kMostFree) return {};
  Conditions conditions = this->conditions(sums, free, weighing);
  BoundedSystem& change = conditions.system; // in what is to be added
  const std::vector<double> low = change.low, high = change.high;
  std::vector<double> x(free.rows.size() + free.columns.size());
  for (std::size_t s = 0; s < free.rows.size(); ++s) x[s] = free.d[free.rows[s]];
  double before = kInfinity;
  for (int refine = 0; refine < kRefinements; ++refine) {
    change.e = lacking(conditions, left(sums, free.d), free, x, near);
    double most = 0;
    for (const double each : change.e) most = std::max(most, std::abs(each));
    if (!(most < before / 2)) break; // nothing but the bounds is in the way
    before = most;
    for (std::size_t s = 0; s < x.size(); ++s) change.low[s] = low[s] - x[s], change.high[s] = high[s] - x[s];
    const std::vector<double> more = solve_bounded(change, std::vector<double>(x.size())).x;
    for (std::size_t s = 0; s < x.size(); ++s) x[s] = std::clamp(x[s] + more[s], low[s], high[s]);
    for (std::size_t s = 0; s < free.rows.size(); ++s) free.d[free.rows[s]] = x[s];
  }
  return std::move(free.d);
}

} // namespace recta
