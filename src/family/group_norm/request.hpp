// The request for a group lasso or a multi-task lasso: from the user's words to the objective.
#pragma once

#include "driver/first_pass.hpp"
#include "objective/group_norm/objective.hpp"

namespace recta {

struct GroupRequest {
  GroupNormObjective objective; // lambda1 and lambda2, unless `choose` is set
  bool choose = false;          // no strength was given: lambda1 is to be a tenth of its maximum
  double l1_share = 1;          // share of lambda1 in lambda, for a strength that is to be chosen
  bool own_factors = false;     // f_g were given

  // Without lengths there is a closed form.
  bool is_ridge() const { return !choose && objective.lambda1 == 0; }
};

std::vector<ModelInfo> group_norm_words();

// From the parameters of a fit or of a finished model. Groups of the group lasso are "a,b;c,d" by name of column, map,
// level or feature, or "#1,#4-6" by number of the column; the features of one column, and those of one map, that are in
// none form a group by themselves.
Result<GroupRequest> group_request(const std::string& word, const Params& params, const Schema& schema, bool intercept,
                                   bool standardise);

std::string group_objective_text(const GroupRequest& request, const std::string& word, bool offset);

} // namespace recta
