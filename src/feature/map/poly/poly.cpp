#include "feature/map/poly/poly.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <map>

namespace recta::feature {

Index Poly::count(Index columns, Index degree, PolyTerms terms) {
  if (terms == PolyTerms::powers) return columns > kMost / degree ? kMost + 1 : columns * degree;
  // Monomials of degree g: C(p + g - 1, g) with repeats, C(p, g) without.
  double all = 0, of_degree = 1;
  for (Index g = 1; g <= degree && all <= static_cast<double>(kMost); ++g) {
    const Index factor = terms == PolyTerms::all ? columns + g - 1 : columns - g + 1;
    of_degree = of_degree * static_cast<double>(factor) / static_cast<double>(g);
    all += of_degree;
    if (factor <= 0) break;
  }
  return all > static_cast<double>(kMost) ? kMost + 1 : static_cast<Index>(std::llround(all));
}

// Monomials of one degree are made from those of the degree before, each multiplied by the columns from its own last
// one on, which names every product of columns once and in order.
Poly::Poly(std::vector<std::string> columns, Index degree, PolyTerms terms)
    : columns_(std::move(columns)), degree_(degree) {
  for (std::size_t j = 0; j < columns_.size(); ++j) monomials_.push_back({-1, j});
  std::size_t begin = 0, end = monomials_.size();
  for (Index g = 2; g <= degree; ++g) {
    for (std::size_t parent = begin; parent < end; ++parent) {
      const std::size_t last = monomials_[parent].column;
      const std::size_t from = terms == PolyTerms::interactions ? last + 1 : last;
      const std::size_t to = terms == PolyTerms::powers ? last + 1 : columns_.size();
      for (std::size_t j = from; j < to; ++j) monomials_.push_back({static_cast<Index>(parent), j});
    }
    begin = end;
    end = monomials_.size();
  }
}

std::vector<std::size_t> Poly::factors(Index k) const {
  std::vector<std::size_t> columns;
  for (; k >= 0; k = monomials_[static_cast<std::size_t>(k)].parent)
    columns.push_back(monomials_[static_cast<std::size_t>(k)].column);
  std::ranges::reverse(columns);
  return columns;
}

std::string Poly::name(Index k) const {
  const auto all = factors(k);
  std::string text;
  for (std::size_t s = 0, next = 0; s < all.size(); s = next) {
    while (next < all.size() && all[next] == all[s]) ++next;
    const std::string name = all.size() == 1 ? columns_[all[s]] : quoted_name(columns_[all[s]]);
    text += (s > 0 ? "*" : "") + name + (next - s > 1 ? fmt::format("^{}", next - s) : "");
  }
  return text;
}

std::vector<std::vector<Index>> Poly::kin() const {
  std::map<std::vector<std::size_t>, std::size_t> group_of;
  std::vector<std::vector<Index>> groups;
  for (Index k = 0; k < count(); ++k) {
    auto columns = factors(k);
    columns.erase(std::unique(columns.begin(), columns.end()), columns.end());
    const auto [group, added] = group_of.try_emplace(std::move(columns), groups.size());
    if (added) groups.emplace_back();
    groups[group->second].push_back(k);
  }
  return groups;
}

MapOutcome Poly::evaluate(const MapRows& rows, double* high, double* low) const {
  const Index n = rows.count;
  for (Index k = 0; k < count(); ++k) {
    const Monomial& monomial = monomials_[static_cast<std::size_t>(k)];
    const double* x = rows.inputs[monomial.column];
    double *out = high + k * n, *out_low = low ? low + k * n : nullptr;
    if (monomial.parent < 0) {
      for (Index i = 0; i < n; ++i) out[i] = rows.absent(i) ? 0 : x[i];
      if (low) std::fill_n(out_low, n, 0.0);
      continue;
    }
    const double *parent = high + monomial.parent * n, *parent_low = low ? low + monomial.parent * n : nullptr;
    for (Index i = 0; i < n; ++i) {
      const DoubleDouble product = DoubleDouble(parent[i], low ? parent_low[i] : 0) * x[i];
      const bool absent = rows.absent(i);
      if (!absent && !(product.hi - product.hi == 0 && product.lo - product.lo == 0)) return too_large(rows, k, i);
      out[i] = absent ? 0 : product.hi;
      if (low) out_low[i] = absent ? 0 : product.lo;
    }
  }
  return {};
}

std::unexpected<MapFault> Poly::too_large(const MapRows& rows, Index k, Index row) const {
  auto all = factors(k);
  all.erase(std::unique(all.begin(), all.end()), all.end());
  std::vector<std::string> names, values;
  for (const std::size_t j : all) {
    names.push_back(columns_[j]);
    values.push_back(quoted_name(columns_[j]) + " = " + number_text(rows.inputs[j][row]));
  }
  return std::unexpected(MapFault{row, fmt::format("{}", fmt::join(names, ", ")),
                                  fmt::format("{} is too large for a double at {}", name(k), fmt::join(values, ", ")),
                                  "divide the column by a power of ten, or lower the degree"});
}

} // namespace recta::feature
