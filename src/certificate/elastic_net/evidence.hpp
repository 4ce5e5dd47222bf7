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

// How many columns are left out for their lack of variation although the pass saw a number that is not the mean.
Index nearly_constant(const Evidence& evidence);

// Columns were left out, and no bound says what they could add: the claim is a residual of the optimality condition.
void leave_open(double residual, const Stop& left_out, bool ended_early, Certificate& certificate);

} // namespace recta
