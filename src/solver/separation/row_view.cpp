#include "solver/separation/row_view.hpp"

#include "base/listening.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace recta::separation {
namespace {

constexpr Index kChunk = 4096;     // rows per task
constexpr double kVanished = 1e-9; // of a point's length, after projection to right angles

double power_of_two_near(double x) {
  return x > 0 && std::isfinite(x) ? std::ldexp(1.0, std::ilogb(x)) : 1;
}

// The product with a centred row; a row that stores few numbers is centred as a whole, by `offset`.
double centred_dot(const DenseRow& row, const double* w, const double* mean, double) {
  return row.with_numbers(
      [&](auto number) { return sum_of_terms(row.count, [&](Index j) { return (number(j) - mean[j]) * w[j]; }); });
}
template <class I>
double centred_dot(const CompressedRow<I>& row, const double* w, const double*, double offset) {
  return row.dot(w) - offset;
}

double length(std::span<const double> z) {
  double sum = 0;
  for (const double x : z) sum += x * x;
  return std::sqrt(sum);
}

} // namespace

RowView::RowView(const Labelled& problem, Pool& pool)
    : problem_(problem), pool_(pool), units_(problem.rows, problem.sign), constant_(problem.constant) {
  cols_ = std::visit([](const auto& rows) { return rows.cols; }, problem.rows);
  for (std::size_t i = 0; i < problem.sign.size(); ++i)
    if (problem.sign[i] != 0) present_.push_back(static_cast<Index>(i));
  mean_.resize(static_cast<std::size_t>(cols_));
  spread_.resize(mean_.size());
  scale_.assign(mean_.size(), 1);
  std::visit([&](const auto& rows) { measure(rows); }, units_.rows());
}

// Means, and the largest distance from them. A column that a compressed row does not store is zero there.
template <class Rows>
void RowView::measure(const Rows& rows) {
  std::vector<double> low(mean_.size()), high(mean_.size());
  std::vector<Index> stored(mean_.size());
  const double share = 1 / static_cast<double>(present_.size());
  for (const Index i : present_) {
    keep_going();
    row_of(rows, i).each([&](Index at, double x) {
      const auto j = static_cast<std::size_t>(at);
      if (stored[j] == 0) low[j] = high[j] = x;
      low[j] = std::min(low[j], x);
      high[j] = std::max(high[j], x);
      ++stored[j];
      mean_[j] += share * x;
    });
  }
  for (std::size_t j = 0; j < mean_.size(); ++j) {
    if (stored[j] < static_cast<Index>(present_.size())) {
      low[j] = std::min(low[j], 0.0);
      high[j] = std::max(high[j], 0.0);
    }
    if (!problem_.intercept) mean_[j] = 0;
    if (problem_.intercept && low[j] == high[j]) mean_[j] = low[j]; // a constant column vanishes
    spread_[j] = std::max(high[j] - mean_[j], mean_[j] - low[j]);
  }
}

void RowView::scale_columns() {
  for (std::size_t j = 0; j < scale_.size(); ++j) scale_[j] = 1 / power_of_two_near(spread_[j]);
  unit_ = 1;
}

void RowView::scale_together() {
  int top = problem_.constant ? 0 : std::numeric_limits<int>::min(); // exponent of the largest, in units of the data
  for (std::size_t j = 0; j < spread_.size(); ++j)
    if (spread_[j] > 0) top = std::max(top, std::ilogb(spread_[j]) - units_.shift(j));
  if (top == std::numeric_limits<int>::min()) top = 0;
  unit_ = std::ldexp(1.0, -top);
  for (std::size_t j = 0; j < scale_.size(); ++j) // a constant column is zero whatever its scale
    scale_[j] = spread_[j] > 0 ? std::ldexp(1.0, -top - units_.shift(j)) : 0;
}

double RowView::project(std::span<double> z) const {
  for (int again = 0; again < 2; ++again) // once more for what the first time left by rounding
    for (const auto& q : basis_) {
      double dot = 0;
      for (std::size_t j = 0; j < z.size(); ++j) dot += q[j] * z[j];
      for (std::size_t j = 0; j < z.size(); ++j) z[j] -= dot * q[j];
    }
  return length(z);
}

std::vector<Index> RowView::pass_through(std::span<const Index> rows) {
  constant_ = problem_.intercept || problem_.constant;
  std::vector<double> z(static_cast<std::size_t>(dimension()));
  const auto raw_length = [&](Index row) {
    raw_point(row, z);
    return length(z);
  };
  for (const Index row : rows) {
    const double whole = raw_length(row), left = project(z);
    if (!(left > kVanished * whole)) continue;
    for (double& x : z) x /= left;
    basis_.push_back(z);
  }
  if (static_cast<Index>(basis_.size()) == dimension()) return std::exchange(present_, {});
  std::vector<Index> gone, staying;
  for (const Index row : present_) {
    keep_going();
    const double whole = raw_length(row);
    (project(z) > kVanished * whole ? staying : gone).push_back(row);
  }
  present_ = std::move(staying);
  return gone;
}

void RowView::point(Index row, std::span<double> z) const {
  raw_point(row, z);
  if (!basis_.empty()) project(z);
}

void RowView::raw_point(Index row, std::span<double> z) const {
  const double y = sign(row);
  for (std::size_t j = 0; j < mean_.size(); ++j) z[j] = -y * mean_[j] * scale_[j];
  std::visit(
      [&](const auto& rows) {
        row_of(rows, row).each([&](Index at, double x) {
          const auto j = static_cast<std::size_t>(at);
          z[j] = y * (x - mean_[j]) * scale_[j];
        });
      },
      units_.rows());
  if (constant_) z[mean_.size()] = y * unit_;
}

// Projected points have the same products with v, since v is at right angles itself.
void RowView::products(std::span<const double> v, std::vector<double>& f) const {
  f.resize(present_.size());
  std::vector<double> w(mean_.size());
  double offset = 0;
  const double constant = constant_ ? v[mean_.size()] * unit_ : 0;
  for (std::size_t j = 0; j < w.size(); ++j) w[j] = v[j] * scale_[j], offset += w[j] * mean_[j];
  const Index n = static_cast<Index>(present_.size());
  std::visit(
      [&](const auto& rows) {
        run_listening(&pool_, (n + kChunk - 1) / kChunk, [&](Index task, int) {
          for (Index k = task * kChunk; k < std::min(n, (task + 1) * kChunk); ++k) {
            const Index i = present_[static_cast<std::size_t>(k)];
            const double dot = centred_dot(row_of(rows, i), w.data(), mean_.data(), offset);
            f[static_cast<std::size_t>(k)] = sign(i) * (dot + constant);
          }
        });
      },
      units_.rows());
}

double RowView::hyperplane(std::span<const double> v, std::vector<double>& w) const {
  w.resize(mean_.size());
  double b = constant_ ? v[mean_.size()] * unit_ : 0;
  for (std::size_t j = 0; j < w.size(); ++j) {
    w[j] = v[j] * scale_[j];
    b -= w[j] * mean_[j];
  }
  return in_data_units(w, constant_ ? b : 0);
}

double RowView::in_data_units(std::vector<double>& w, double b) const {
  if (!units_.changed()) return b;
  constexpr int kHighest = 1000, kLowest = -500; // of the largest weight: it is a double, and so are products with it
  int top = std::numeric_limits<int>::min();
  for (std::size_t j = 0; j < w.size(); ++j)
    if (w[j] != 0) top = std::max(top, std::ilogb(w[j]) + units_.shift(j));
  const int by = top == std::numeric_limits<int>::min() ? 0 : std::clamp(top, kLowest, kHighest) - top;
  for (std::size_t j = 0; j < w.size(); ++j) w[j] = std::ldexp(w[j], units_.shift(j) + by);
  return std::ldexp(b, by);
}

} // namespace recta::separation
