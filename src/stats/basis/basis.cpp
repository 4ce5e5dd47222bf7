#include "stats/basis/basis.hpp"

#include <algorithm>
#include <ranges>

namespace recta {

std::vector<double> Basis::Scores::weights() const {
  std::vector<double> out;
  for (const DoubleDouble& x : w) out.push_back(x.hi);
  return out;
}

bool Basis::any_left_out() const {
  return std::ranges::any_of(columns, [](const Column& c) { return c.left_out; });
}
bool Basis::any_kept() const {
  return std::ranges::any_of(columns, [](const Column& c) { return !c.left_out; });
}

// x_j = u_j + sum c_jk x_k + m_j, from the last column to the first.
Basis::Scores Basis::into(std::span<const double> w, DoubleDouble b) const {
  Scores out{{w.begin(), w.end()}, b};
  for (const Column& each : std::views::reverse(columns)) {
    const DoubleDouble v = out.w[each.column];
    for (const auto& [k, c] : each.terms) out.w[k] += c * v;
    out.b += each.constant * v;
  }
  return out;
}

Basis::Scores Basis::back(std::span<const DoubleDouble> v, DoubleDouble b) const {
  Scores out{{v.begin(), v.end()}, b};
  for (const Column& each : columns) {
    for (const auto& [k, c] : each.terms) out.w[k] -= c * v[each.column];
    out.b -= each.constant * v[each.column];
  }
  return out;
}

std::vector<double> Basis::absolute(std::span<const DoubleDouble> v) const {
  std::vector<double> out;
  for (const DoubleDouble& each : v) out.push_back(std::abs(each.hi));
  for (const Column& each : columns)
    for (const auto& [k, c] : each.terms) out[k] += std::abs(c.hi * v[each.column].hi);
  return out;
}

double Basis::rounding() const {
  std::size_t most = 0;
  for (const Column& each : columns) most = std::max(most, each.terms.size());
  return static_cast<double>(most + 8) * 0x1p-103; // a product and a sum per term, each within 3 u^2
}

} // namespace recta
