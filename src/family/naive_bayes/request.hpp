// The parameters of naive Bayes in the user's words.
//
// likelihood, alpha and priors are lists (family/listed_values.hpp).
#pragma once

#include "driver/first_pass.hpp"
#include "objective/naive_bayes/estimates.hpp"

#include <optional>

namespace recta::naive_bayes {

inline const std::string kWord = "naive-bayes";

// A likelihood as it was asked for. `levels`: the column holds the codes 0 to levels - 1; 0: not given.
struct AskedLikelihood {
  std::optional<Likelihood> kind{}; // nothing: by the type of the column
  Index levels = 0;
};
// One per schema column, then one per text; if the schema has sparse columns, one more, for all of them.
Result<std::vector<AskedLikelihood>> asked_likelihoods(const Params& params, const Schema& schema);

// One number for all columns of the design, or one each; of the levels of a category, that of the first counts.
Result<std::vector<double>> asked_alpha(const Params& params, const Schema& schema);
Result<Smoothing> asked_smoothing(const Params& params, const Schema& schema);

} // namespace recta::naive_bayes
