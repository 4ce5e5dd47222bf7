// Columns without a penalty that are combinations of others without one. A dual point must have g_j = 0 in all of them,
// and a factor finds it for those that do not depend on earlier ones; in the others it follows where the combination
// holds in every row without a rounding (least_squares/exact_dependence.hpp).
#pragma once

#include "certificate/elastic_net/facts.hpp"
#include "certificate/elastic_net/products.hpp"
#include "objective/least_squares/exact_dependence.hpp"
#include "stats/row_reader.hpp"

namespace recta {

struct FreeColumns {
  std::vector<Combination> implied = {};
  Index loose = 0; // of these, combinations to rounding only, or as far as is known without the rows
  Index passes = 0;
};

// Finds them among the columns `free`, whose products are there. `reader` may be null.
Result<FreeColumns> free_columns(const ElasticNetObjective& objective, const ColumnFacts& facts,
                                 const std::vector<Index>& free, const Products& products, const RowReader* reader,
                                 Pool& pool);

} // namespace recta
