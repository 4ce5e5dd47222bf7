// The proof of a group lasso or a multi-task lasso, from the rows and the statistics alone. Nothing here knows which
// solver made the answer, and nothing it computed is used: the residual is taken in a fresh pass over the rows, and the
// bound is that of group_bound.hpp.
#pragma once

#include "certificate/elastic_net/certify.hpp"
#include "objective/group_norm/objective.hpp"

namespace recta {

struct GroupNormClaimed {
  GroupNormObjective objective = {};
  std::vector<double> w = {}, b = {}; // p x k by target; k: the numbers of the model itself
  double tolerance = 1e-10;           // of F - F*, in units of the null objective
  Stop stop = Stop::tolerance_reached;
  bool stopped_early = false;               // by the caller: an answer that falls short is then no refutation
  bool gave_up = false;                     // the solver itself says that it came no nearer: no refutation either
  Index passes = 0;                         // over the rows before this check
  std::vector<std::string> conditions = {}; // known already
};

struct GroupNormChecked {
  Certificate certificate;
  Residual residual;                       // of the model's own numbers
  std::vector<DoubleDouble> target_square; // k: sum v (y - o)^2, about the mean if there is an intercept
  std::vector<double> mean, deviation;     // p: of the features
};

// At least one of the Gram and `rows` is there. Without rows (they could be read only once) the residual is taken from
// the Gram, and the claim says that it is from merged statistics.
Result<GroupNormChecked> certify(const GroupNormClaimed& claimed, const KnownOfRows& known, RowSource* rows, Pool& pool,
                                 const Watch& watch = {});

} // namespace recta
