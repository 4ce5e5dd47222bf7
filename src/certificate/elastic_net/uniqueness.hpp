// Whether another answer is as good: among the columns at the bound of their penalty, one that is a combination of
// others can take over a part of their coefficients at no cost (Tibshirani 2013).
#pragma once

#include "certificate/elastic_net/certify.hpp"
#include "certificate/elastic_net/facts.hpp"
#include "certificate/elastic_net/products.hpp"

namespace recta {

// Of the columns `chosen`, in which w is not zero or could be. A column with a squared penalty is never one of many.
std::vector<Dependence> dependent_columns(const std::vector<Term>& terms, const std::vector<Index>& chosen,
                                          const Products& products, Pool& pool);

} // namespace recta
