#include "certificate/loss/kink_dual.hpp"

#include "base/numbers.hpp"
#include "certificate/loss/bounded.hpp"

#include <algorithm>
#include <cmath>

namespace recta {
namespace {

constexpr std::size_t kMostFree = 4000;
// A column with lambda2 pays only the square of its shortfall, while the intercept must be met: it weighs less.
constexpr double kForgiving = 1e-3;

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

std::vector<double> KinkDual::units() const {
  std::vector<double> unit(terms_.size());
  for (std::size_t j = 0; j < unit.size(); ++j) {
    const double square = geometry_.square(static_cast<Index>(j)) * facts_.weight();
    if (terms_[j].left_out || !(square > 0)) continue;
    unit[j] = (terms_[j].t > 0 && !exact(j) ? kForgiving : 1) / std::sqrt(square);
  }
  return unit;
}

std::vector<double> KinkDual::chosen(const KinkSums& sums, double near) const {
  const Index p = sums.cols;
  const double w = facts_.weight();
  std::vector<double> d;
  std::vector<std::size_t> free, open_columns;
  for (std::size_t k = 0; k < sums.near.size(); ++k) {
    const NearRow& row = sums.near[k];
    const bool at_kink = std::abs(row.off) <= near;
    if (at_kink) free.push_back(k);
    d.push_back(at_kink ? std::clamp(0.0, row.low, row.high) : row.off > 0 ? row.high : row.low);
  }
  if (free.size() > kMostFree) return {};
  for (std::size_t j = 0; j < terms_.size(); ++j)
    if (open(j, near)) open_columns.push_back(j);
  BoundedSystem system;
  system.rows = p + 1;
  const std::vector<double> scale = units();
  const double constant = claimed_.objective.intercept ? 1 / w : 0;
  const std::vector<double>& centre = geometry_.centre();
  for (const std::size_t k : free) {
    const NearRow& row = sums.near[k];
    for (Index j = 0; j < p; ++j)
      system.g.push_back(row.weight * (row.x[j] - (centre.empty() ? 0 : centre[j])) * scale[j]);
    system.g.push_back(row.weight * constant);
    system.low.push_back(row.low), system.high.push_back(row.high);
  }
  for (const std::size_t j : open_columns) {
    for (Index i = 0; i < p; ++i) system.g.push_back(i == static_cast<Index>(j) ? -w * terms_[j].a * scale[j] : 0);
    system.g.push_back(0);
    system.low.push_back(-1), system.high.push_back(1);
  }
  std::vector<double> x(free.size() + open_columns.size());
  for (std::size_t s = 0; s < free.size(); ++s) x[s] = d[free[s]];
  for (int refine = 0; refine < 3; ++refine) { // the right side afresh, in double-double
    const KinkLeft now = left(sums, d);
    system.e.clear();
    for (Index j = 0; j < p; ++j) {
      const double due = open(j, near) ? terms_[j].t * claimed_.w[j] : target(j, 0, near);
      system.e.push_back((DoubleDouble(due) * w - now.columns[j]).hi * scale[j]);
    }
    system.e.push_back(-now.intercept.hi * constant);
    BoundedSystem change = system; // in what is to be added
    for (std::size_t s = 0; s < open_columns.size(); ++s)
      change.e[open_columns[s]] += w * terms_[open_columns[s]].a * scale[open_columns[s]] * x[free.size() + s];
    for (std::size_t s = 0; s < x.size(); ++s) change.low[s] -= x[s], change.high[s] -= x[s];
    const std::vector<double> more = solve_bounded(change, std::vector<double>(x.size()));
    for (std::size_t s = 0; s < x.size(); ++s) x[s] = std::clamp(x[s] + more[s], system.low[s], system.high[s]);
    for (std::size_t s = 0; s < free.size(); ++s) d[free[s]] = x[s];
  }
  return d;
}

} // namespace recta
