// The request for a lasso or an elastic net: from the user's words to the objective.
#pragma once

#include "driver/first_pass.hpp"
#include "objective/elastic_net/objective.hpp"
#include "summary/objective.hpp"

#include <map>

namespace recta {

// The request, before the rows are seen.
struct NetRequest {
  ElasticNetObjective objective; // lambda1 and lambda2, unless `choose` is set
  bool choose = false;           // no strength was given: lambda1 is to be a tenth of its maximum
  double l1_share = 1;           // share of lambda1 in lambda, for a strength that is to be chosen
  double psi = 0;                // NaN: penalised
  Limits limits = Limits::none;

  bool constrained() const { return psi == psi; }
  // Without |w_j|, bound or limit there is a closed form.
  bool is_ridge() const {
    return !choose && !constrained() && objective.lambda1 == 0 && objective.lower.empty() && objective.upper.empty();
  }
};

std::vector<ModelInfo> net_words();
// Shared by lasso and the group lasso: the solvers, and the strength that is taken if omitted.
ParamInfo net_solver();
inline constexpr const char* kTenth =
    "strength of the penalty beside the mean loss; if omitted, a tenth of the least that makes all coefficients zero";
const std::vector<std::string>& net_solver_words();

// Features of every column and map by name, and every feature by its own name.
using PlacesByName = std::map<std::string, std::vector<Index>>;
PlacesByName places_by_name(const Schema& schema);
Result<std::vector<Index>> features_named(const std::string& name, const PlacesByName& places,
                                          const std::string& where);

// lambda1 and lambda2 of the request, or that they are to be chosen; psi is set already.
Result<void> set_strength(const std::string& word, const Params& params, NetRequest& out);

// From the parameters of a fit or of a finished model. Columns are named as in the data; a category stands for all of
// its levels, and one level is COL=LEVEL.
Result<NetRequest> net_request(const std::string& word, const Params& params, const Schema& schema, bool intercept,
                               bool standardise);

std::string net_objective_text(const NetRequest& request, const std::string& word, bool offset);

} // namespace recta
