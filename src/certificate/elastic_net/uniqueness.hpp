// Whether another answer is as good: among the columns at the bound of their penalty, one that is a combination of
// others can take over a part of their coefficients at no cost (Tibshirani 2013).
#pragma once

#include "certificate/elastic_net/certify.hpp"
#include "certificate/elastic_net/facts.hpp"
#include "certificate/elastic_net/products.hpp"
#include "design/batch.hpp"

namespace recta {

// Dependences among the columns `chosen`, in which w is not zero or could be. A column with a squared penalty is never
// one of many.
std::vector<Dependence> dependent_columns(const std::vector<Term>& terms, const std::vector<Index>& chosen,
                                          const Products& products, Pool& pool);

// The compressed columns that may be combinations of others among them (about their means if `centred`, so that a
// column of ones is one of the others). A column with a row in which no other has a number is none, whatever the rest;
// it is removed and the rest is looked at again. Exact, and in time proportional to the numbers stored. A number too
// small beside its column to be told from rounding counts as none.
std::vector<Index> entangled_columns(const Batch& columns, std::vector<Index> chosen, bool centred);

} // namespace recta
