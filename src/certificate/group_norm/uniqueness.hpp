// Whether another answer is as good. At every optimum the residual is the same, so a group at the bound of its penalty
// has u_g = v_g n_g with the same direction n_g = g / |g| and some v_g >= 0: what may differ are the lengths, and only
// where the vectors X_g n_g depend on one another. Columns of one group that are alike do not matter: their shares are
// fixed by n_g.
#pragma once

#include "certificate/elastic_net/products.hpp"
#include "certificate/group_norm/group_bound.hpp"

namespace recta {

// One of the groups at the bound: its columns, and in `term` u and g over targets. If t > 0 there is one answer.
struct BoundGroup {
  std::vector<Index> columns;
  std::vector<double> unit; // d of each
  const GroupTerm* term;
};
Index dependent_groups(const std::vector<BoundGroup>& groups, const Products& products, Pool& pool);

} // namespace recta
