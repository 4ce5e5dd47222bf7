#include "solver/separation/search.hpp"

#include "base/random.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace recta::separation {
namespace {

constexpr double kClearSide = 0.05;      // of |v|^2: a side is found
constexpr double kRoom = 4e6;            // numbers that join at once
constexpr Index kLeast = 8, kMost = 256; // rows that join at once

} // namespace

Search::Search(const RowView& view, double jitter)
    : view_(view), nearest_(view.dimension(), view.groups()), jitter_(jitter), inside_(view.present().size()) {
  const Index d = view.dimension() + 2;
  each_ = std::clamp(std::min(2 * d, static_cast<Index>(kRoom / static_cast<double>(d))), kLeast, kMost);
}

void Search::join(std::size_t place) {
  if (inside_[place] != 0) return;
  const Index row = view_.present()[place];
  std::vector<double> z(static_cast<std::size_t>(view_.dimension()));
  view_.point(row, z);
  if (jitter_ > 0) {
    double longest = 0;
    for (const double x : z) longest = std::max(longest, std::abs(x));
    Random random(1, static_cast<std::uint64_t>(row));
    for (double& x : z) x += jitter_ * longest * (random.uniform() - 0.5);
  }
  nearest_.add(view_.group(row), z);
  rows_.push_back(row);
  place_.push_back(place);
  inside_[place] = 1;
}

// Adds as many rows of each group as join at once, evenly spaced over it.
void Search::join_some() {
  const auto& rows = view_.present();
  std::vector<std::vector<std::size_t>> of(static_cast<std::size_t>(view_.groups()));
  for (std::size_t k = 0; k < rows.size(); ++k) of[static_cast<std::size_t>(view_.group(rows[k]))].push_back(k);
  for (const auto& places : of) {
    const std::size_t step = std::max<std::size_t>(1, places.size() / static_cast<std::size_t>(each_));
    for (std::size_t k = 0; k < places.size(); k += step) join(places[k]);
  }
}

// Adds the rows, among all, that lie below their group, the furthest first. False: there are none.
bool Search::join_lowest() {
  const double slack =
      1e-14 * std::sqrt(static_cast<double>(view_.dimension()) + 1) * nearest_.longest() * nearest_.norm();
  bool any = false;
  for (Index g = 0; g < view_.groups(); ++g) {
    std::vector<std::pair<double, std::size_t>> below;
    for (std::size_t k = 0; k < f_.size(); ++k)
      if (inside_[k] == 0 && view_.group(view_.present()[k]) == g && f_[k] < nearest_.value(g) - slack)
        below.emplace_back(f_[k], k);
    const auto count = std::min(below.size(), static_cast<std::size_t>(each_));
    std::ranges::partial_sort(below, below.begin() + static_cast<std::ptrdiff_t>(count));
    for (std::size_t k = 0; k < count; ++k) join(below[k].second);
    any = any || count > 0;
  }
  return any;
}

// If there are many rows, those without a multiplier leave; they come back if they are missed.
void Search::leave_idle() {
  if (nearest_.count() < 16 * each_ + 4 * static_cast<Index>(nearest_.corral().size())) return;
  std::vector<Index> kept;
  for (Index i = 0; i < nearest_.count(); ++i)
    if (nearest_.multiplier(i) > 0) kept.push_back(i);
  nearest_.keep(kept);
  std::vector<Index> rows;
  std::vector<std::size_t> places;
  std::ranges::fill(inside_, 0);
  for (const Index i : kept) {
    rows.push_back(rows_[static_cast<std::size_t>(i)]);
    places.push_back(place_[static_cast<std::size_t>(i)]);
    inside_[places.back()] = 1;
  }
  rows_ = std::move(rows);
  place_ = std::move(places);
}

NearestPoint::End Search::run(Goal goal, std::span<const Index> begin_with, double zero) {
  join_some();
  for (const Index row : begin_with) {
    const auto at = std::ranges::lower_bound(view_.present(), row);
    if (at != view_.present().end() && *at == row) join(static_cast<std::size_t>(at - view_.present().begin()));
  }
  double before = std::numeric_limits<double>::infinity();
  for (;;) {
    const NearestPoint::End end = nearest_.solve(zero);
    if (end == NearestPoint::End::zero) return end;
    const double norm = nearest_.norm();
    view_.products(nearest_.v(), f_);
    ++looks_;
    std::vector<double> least(static_cast<std::size_t>(view_.groups()), std::numeric_limits<double>::infinity());
    for (std::size_t k = 0; k < f_.size(); ++k) {
      double& lowest = least[static_cast<std::size_t>(view_.group(view_.present()[k]))];
      lowest = std::min(lowest, f_[k]);
    }
    double side = 0;
    for (const double lowest : least) side += lowest / static_cast<double>(view_.groups());
    if (goal == Goal::side && side > kClearSide * norm * norm) return NearestPoint::End::optimal;
    if (!(norm < before)) return NearestPoint::End::stalled; // only rounding is left
    before = norm;
    leave_idle();
    if (!join_lowest()) return NearestPoint::End::optimal;
  }
}

std::vector<std::pair<Index, double>> Search::multipliers() const {
  std::vector<std::pair<Index, double>> out;
  for (const Index i : nearest_.corral())
    if (nearest_.multiplier(i) > 0) out.emplace_back(rows_[static_cast<std::size_t>(i)], nearest_.multiplier(i));
  std::ranges::sort(out);
  return out;
}

} // namespace recta::separation
