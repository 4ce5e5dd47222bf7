#include "solver/separation/nearest_point.hpp"

#include "base/blas.hpp"
#include "base/listening.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace recta::separation {
namespace {

constexpr double kDependent = 1e-14; // of a pivot to its diagonal, both squares
constexpr double kRounding = 1e-15;
constexpr int kCorrections = 2;
constexpr Index kWithoutGain = 5;

double product(std::span<const double> x, std::span<const double> y) {
  return x.empty() ? 0 : blas::dot(static_cast<Index>(x.size()), x.data(), y.data());
}

} // namespace

bool CorralFactor::append(std::span<const double> products) {
  if (size_ == room_) {
    const Index room = std::max<Index>(16, 2 * room_);
    std::vector<double> larger(static_cast<std::size_t>(room * room));
    for (Index i = 0; i < size_; ++i) std::copy_n(l_.data() + i * room_, i + 1, larger.data() + i * room);
    l_ = std::move(larger);
    room_ = room;
  }
  double left = products[static_cast<std::size_t>(size_)];
  const double whole = left;
  double* row = l_.data() + size_ * room_;
  for (Index j = 0; j < size_; ++j) {
    const double below = j == 0 ? 0 : blas::dot(j, row, l_.data() + j * room_);
    row[j] = (products[static_cast<std::size_t>(j)] - below) / at(j, j);
    left -= row[j] * row[j];
  }
  if (!(left > kDependent * whole)) return false;
  row[size_] = std::sqrt(left);
  ++size_;
  return true;
}

// Rows below move up; rotations bring the protruding column back into the triangle.
void CorralFactor::remove(Index place) {
  for (Index i = place; i + 1 < size_; ++i) std::copy_n(l_.data() + (i + 1) * room_, i + 2, l_.data() + i * room_);
  --size_;
  for (Index j = place; j < size_; ++j) {
    const double kept = at(j, j), out = at(j, j + 1);
    const double length = std::hypot(kept, out), c = kept / length, s = out / length;
    for (Index i = j; i < size_; ++i) {
      const double x = at(i, j), y = at(i, j + 1);
      at(i, j) = c * x + s * y;
      at(i, j + 1) = c * y - s * x;
    }
  }
}

void CorralFactor::solve(std::span<double> rhs) const {
  // By row, so the triangle is the upper one of the transposed matrix by column.
  if (size_ == 0) return;
  blas::trsv(blas::Triangle::upper, blas::transposed({l_.data(), size_, size_, room_}), rhs.data());
  blas::trsv(blas::Triangle::upper, {l_.data(), size_, size_, room_}, rhs.data());
}

Index NearestPoint::add(Index group, std::span<const double> z) {
  z_.insert(z_.end(), z.begin(), z.end());
  group_.push_back(group);
  a_.push_back(0);
  refused_.push_back(0);
  longest_ = std::max(longest_, std::sqrt(product(z, z)));
  return count() - 1;
}

void NearestPoint::keep(std::span<const Index> points) {
  std::vector<Index> now(static_cast<std::size_t>(count()), -1);
  for (std::size_t to = 0; to < points.size(); ++to) {
    const auto from = static_cast<std::size_t>(points[to]);
    now[from] = static_cast<Index>(to);
    std::copy_n(z_.begin() + points[to] * dimension_, dimension_, z_.begin() + static_cast<Index>(to) * dimension_);
    group_[to] = group_[from];
    a_[to] = a_[from];
    refused_[to] = 0;
  }
  z_.resize(points.size() * static_cast<std::size_t>(dimension_));
  group_.resize(points.size());
  a_.resize(points.size());
  refused_.resize(points.size());
  for (Index& i : corral_) i = now[static_cast<std::size_t>(i)];
}

double NearestPoint::norm() const {
  return std::sqrt(product(v_, v_));
}

// One point per group: the shortest of the first group, and the point of the second group nearest to it.
void NearestPoint::begin() {
  v_.assign(static_cast<std::size_t>(dimension_), 0);
  value_.assign(static_cast<std::size_t>(groups_), 0);
  const double share = 1 / static_cast<double>(groups_);
  weight_ = longest_ > 0 ? longest_ * longest_ : 1;
  for (Index g = 0; g < groups_; ++g) {
    Index best = -1;
    double least = std::numeric_limits<double>::infinity();
    for (Index i = 0; i < count(); ++i) {
      if (group_[static_cast<std::size_t>(i)] != g) continue;
      double square = 0;
      for (Index j = 0; j < dimension_; ++j) {
        const double x = share * point(i)[static_cast<std::size_t>(j)] + v_[static_cast<std::size_t>(j)];
        square += x * x;
      }
      if (best < 0 || square < least) least = square, best = i;
    }
    enter(best);
    a_[static_cast<std::size_t>(best)] = share;
    for (Index j = 0; j < dimension_; ++j)
      v_[static_cast<std::size_t>(j)] += share * point(best)[static_cast<std::size_t>(j)];
  }
}

bool NearestPoint::enter(Index i) {
  std::vector<double> products;
  products.reserve(corral_.size() + 1);
  const auto group = group_[static_cast<std::size_t>(i)];
  for (const Index k : corral_)
    products.push_back(product(point(i), point(k)) + (group_[static_cast<std::size_t>(k)] == group ? weight_ : 0));
  products.push_back(product(point(i), point(i)) + weight_);
  if (!factor_.append(products)) return false;
  corral_.push_back(i);
  return true;
}

void NearestPoint::leave(std::size_t place) {
  a_[static_cast<std::size_t>(corral_[place])] = 0;
  factor_.remove(static_cast<Index>(place));
  corral_.erase(corral_.begin() + static_cast<std::ptrdiff_t>(place));
}

void NearestPoint::sum_up() {
  std::ranges::fill(v_, 0);
  for (const Index i : corral_) blas::axpy(dimension_, a_[static_cast<std::size_t>(i)], point(i).data(), v_.data());
  std::ranges::fill(value_, 0);
  for (const Index i : corral_)
    value_[static_cast<std::size_t>(group_[static_cast<std::size_t>(i)])] +=
        a_[static_cast<std::size_t>(i)] * static_cast<double>(groups_) * product(point(i), v_);
}

// The point furthest below its group by more than the slack; -1: none.
Index NearestPoint::lowest(double slack) const {
  std::vector<double> f(static_cast<std::size_t>(count()));
  if (dimension_ > 0) blas::gemv(1, blas::transposed({z_.data(), dimension_, count()}), v_.data(), 0, f.data());
  Index lowest_point = -1;
  double least = -slack;
  for (std::size_t i = 0; i < f.size(); ++i) {
    if (refused_[i] != 0 || a_[i] > 0) continue;
    const double below = f[i] - value_[static_cast<std::size_t>(group_[i])];
    if (below < least) least = below, lowest_point = static_cast<Index>(i);
  }
  return lowest_point;
}

// Adds the step that makes z'v the same within each group and the sums 1 / groups, as the factor sees it.
void NearestPoint::correct(std::vector<double>& a) const {
  const std::size_t k = corral_.size();
  std::vector<double> v(static_cast<std::size_t>(dimension_)), residual(k);
  for (std::size_t q = 0; q < k; ++q) blas::axpy(dimension_, a[q], point(corral_[q]).data(), v.data());
  for (std::size_t q = 0; q < k; ++q) residual[q] = product(point(corral_[q]), v);
  factor_.solve(residual);
  std::vector<std::vector<double>> u(static_cast<std::size_t>(groups_), std::vector<double>(k)); // K^-1 E'
  for (std::size_t q = 0; q < k; ++q) u[static_cast<std::size_t>(group_[static_cast<std::size_t>(corral_[q])])][q] = 1;
  const auto indicators = u;
  for (auto& column : u) factor_.solve(column);
  double m[2][2] = {{1, 0}, {0, 1}}, lack[2] = {0, 0}; // E K^-1 E', and what E a lacks with E K^-1 g
  for (std::size_t g = 0; g < u.size(); ++g) {
    for (std::size_t h = 0; h < u.size(); ++h) m[g][h] = product(indicators[g], u[h]);
    lack[g] = 1 / static_cast<double>(groups_) - product(indicators[g], a) + product(indicators[g], residual);
  }
  const double determinant = m[0][0] * m[1][1] - m[0][1] * m[1][0];
  const double step[2] = {(m[1][1] * lack[0] - m[0][1] * lack[1]) / determinant,
                          (m[0][0] * lack[1] - m[1][0] * lack[0]) / determinant};
  for (std::size_t q = 0; q < k; ++q) {
    a[q] -= residual[q];
    for (std::size_t g = 0; g < u.size(); ++g) a[q] += step[g] * u[g][q];
  }
}

std::vector<double> NearestPoint::minimiser() const {
  std::vector<double> a(corral_.size());
  for (int i = 0; i <= kCorrections; ++i) correct(a); // the first from zero is the solution itself
  return a;
}

void NearestPoint::to_minimiser() {
  for (;;) {
    const std::vector<double> goal = minimiser();
    double step = 1;
    for (std::size_t q = 0; q < goal.size(); ++q) {
      const double a = a_[static_cast<std::size_t>(corral_[q])];
      if (goal[q] <= 0) step = std::min(step, a / (a - goal[q]));
    }
    const bool whole = std::ranges::all_of(goal, [](double x) { return x > 0; });
    for (std::size_t q = 0; q < goal.size(); ++q) {
      double& a = a_[static_cast<std::size_t>(corral_[q])];
      a = whole ? goal[q] : a + step * (goal[q] - a);
    }
    if (whole) return;
    // Every point at zero leaves; at least the one that stopped the step, which is the lowest of those going down.
    std::size_t blocking = goal.size();
    double least = std::numeric_limits<double>::infinity();
    for (std::size_t q = 0; q < goal.size(); ++q)
      if (goal[q] <= 0 && a_[static_cast<std::size_t>(corral_[q])] < least)
        least = a_[static_cast<std::size_t>(corral_[q])], blocking = q;
    if (blocking == goal.size()) return; // the values are no longer numbers
    for (std::size_t q = goal.size(); q-- > 0;)
      if (q == blocking || (goal[q] <= 0 && a_[static_cast<std::size_t>(corral_[q])] <= kRounding)) leave(q);
    for (Index g = 0; g < groups_; ++g) { // rounding alone could empty a group
      const bool there =
          std::ranges::any_of(corral_, [&](Index i) { return group_[static_cast<std::size_t>(i)] == g; });
      if (!there) return;
    }
  }
}

NearestPoint::End NearestPoint::solve(double zero) {
  if (corral_.empty()) begin();
  std::ranges::fill(refused_, 0);
  to_minimiser();
  sum_up();
  double best = norm();
  for (Index without_gain = 0;;) {
    keep_going();
    const double length = norm();
    if (length <= zero * longest_) return End::zero;
    const double slack = 4 * kRounding * std::sqrt(static_cast<double>(dimension_) + 1) * longest_ * length;
    const Index next = lowest(slack);
    if (next < 0) return End::optimal;
    if (!enter(next)) {
      refused_[static_cast<std::size_t>(next)] = 1;
      continue;
    }
    to_minimiser();
    sum_up();
    const double now = norm();
    without_gain = now < best ? 0 : without_gain + 1;
    best = std::min(best, now);
    if (without_gain > kWithoutGain) return End::stalled;
  }
}

} // namespace recta::separation
