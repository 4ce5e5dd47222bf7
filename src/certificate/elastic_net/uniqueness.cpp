#include "certificate/elastic_net/uniqueness.hpp"

#include "base/factor/cholesky.hpp"

#include <cmath>

namespace recta {

std::vector<Dependence> dependent_columns(const std::vector<Term>& terms, const std::vector<Index>& chosen,
                                          const Products& products, Pool& pool) {
  std::vector<Index> at;
  for (const Index j : chosen)
    if (terms[j].t == 0) at.push_back(j);
  const auto size = static_cast<Index>(at.size());
  if (size < 2) return {};
  const double unit = 10 * std::max(static_cast<double>(size), 8.0) * 0x1p-53; // as for products in double
  const Cholesky<double> factor(products.among<double>(at), size, unit, &pool);
  std::vector<Dependence> found;
  for (Index c = 0; c < size; ++c) {
    if (factor.is_basic(c)) continue;
    Dependence& one = found.emplace_back();
    one.column = at[c];
    const std::vector<double> share = factor.combination(c);
    double most = 0;
    for (const double x : share) most = std::max(most, std::abs(x));
    for (Index r = 0; r < c; ++r)
      if (std::abs(share[r]) > 1e-9 * most) one.equals.emplace_back(at[r], share[r]);
  }
  return found;
}

} // namespace recta
