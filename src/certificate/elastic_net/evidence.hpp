// The evidence for the check of a lasso or elastic net, from the rows: facts about the columns, and the residual of the
// answer.
#pragma once

#include "certificate/elastic_net/certify.hpp"
#include "certificate/elastic_net/dual_point.hpp"

#include <cmath>

namespace recta {

struct Evidence {
  ColumnFacts facts; // do not know the answer
  Residual residual;
  Index passes = 0;
};

// One pass over the rows for the residual, and one before it if nothing is known about the columns. Without rows the
// residual is taken from the Gram.
Result<Evidence> look(const ElasticNetClaimed& claimed, const KnownOfRows& known, RowSource* rows, Pool& pool,
                      const Watch& watch);

// The answer for target t beside its residual.
TargetAnswer answer_of(const ElasticNetClaimed& claimed, const Evidence& evidence, Index t);

} // namespace recta
