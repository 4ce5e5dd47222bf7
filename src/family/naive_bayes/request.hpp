// The parameters of naive Bayes in the user's words.
//
// likelihood, alpha and priors are lists: VALUE for all, NAME=VALUE,... for some, VALUE/VALUE/... for all in order; the
// first and the second may stand together, as in "gaussian,age=categorical".
#pragma once

#include "family/first_pass.hpp"
#include "objective/naive_bayes/estimates.hpp"

#include <map>
#include <optional>

namespace recta::naive_bayes {

inline const std::string kWord = "naive-bayes";

struct ListedValues {
  std::string all{};                                        // for those that are not named; empty: none was given
  std::vector<std::string> in_order{};                      // one for each; empty: none was given
  std::vector<std::pair<std::string, std::string>> named{}; // in the order of the text
};
ListedValues listed_values(const std::string& text);

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

// The probabilities of the classes. `weight`: of their rows.
Result<std::vector<double>> priors(const Params& params, const Classes& classes, const std::vector<double>& weight);

} // namespace recta::naive_bayes
