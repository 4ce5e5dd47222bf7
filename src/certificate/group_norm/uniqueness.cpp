#include "certificate/group_norm/uniqueness.hpp"

#include "base/factor/cholesky.hpp"

#include <cmath>

namespace recta {

Index dependent_groups(const std::vector<BoundGroup>& groups, const Products& products, Pool& pool) {
  const auto count = static_cast<Index>(groups.size());
  std::vector<double> inner(groups.size() * groups.size());
  for (Index c = 0; c < count; ++c)
    for (Index r = 0; r <= c; ++r) {
      const BoundGroup &a = groups[r], &b = groups[c];
      const std::size_t m = a.columns.size(), n = b.columns.size(), targets = a.term->g.size() / m;
      double sum = 0;
      for (std::size_t j = 0; j < n; ++j)
        for (std::size_t i = 0; i < m; ++i) {
          double shared = 0;
          for (std::size_t t = 0; t < targets; ++t) shared += a.term->g[i + t * m] * b.term->g[j + t * n];
          if (shared == 0) continue;
          sum += shared * products.product(a.columns[i], b.columns[j]).hi / a.unit[i] / b.unit[j];
        }
      inner[r + c * count] = sum / a.term->size() / b.term->size();
    }
  const double unit = 10 * std::max(static_cast<double>(count), 8.0) * 0x1p-53; // as for products in double
  const Cholesky<double> factor(std::move(inner), count, unit, &pool);
  Index dependent = 0;
  for (Index c = 0; c < count; ++c) dependent += factor.is_basic(c) ? 0 : 1;
  return dependent;
}

} // namespace recta
