#include "family/elastic_net/request.hpp"
#include "params/params.hpp"
#include "summary/objective.hpp"

namespace recta {
namespace {

// Parameters that lasso and elastic net share.
std::vector<ParamInfo> net_params(std::vector<ParamInfo> strengths) {
  strengths.insert(
      strengths.end(),
      {{"psi", kNotGiven, "instead of a penalty: the sum of |w_j| is at most psi", 0, kHuge, {}, -1},
       {"non-negative", false, "no coefficient below zero", 0, 0, {}},
       {"penalty-factors",
        std::string(),
        "COL=NUMBER,...: penalise a column more or less than 1, or not at all",
        0,
        0,
        {}},
       {"lower", std::string(), "COL=NUMBER,...: least value of a coefficient, zero or below", 0, 0, {}},
       {"upper", std::string(), "COL=NUMBER,...: greatest value of a coefficient, zero or above", 0, 0, {}},
       net_solver()});
  return strengths;
}

ModelInfo lasso() {
  return {"lasso", "least squares with a penalty on the sum of |w_j|: coefficients that are exactly zero",
          objective_text({.penalty = Penalty::absolute}),
          net_params({{"lambda", kNotGiven, kTenth, 0, kHuge, {}, 1},
                      {"lambda1", kNotGiven, "the same as lambda", 0, kHuge, {}, 1}})};
}

ModelInfo elastic_net() {
  return {"elastic-net", "least squares with penalties on the sum of |w_j| and on the squared length of w",
          objective_text({.penalty = Penalty::both}),
          net_params(
              {{"lambda",
                kNotGiven,
                "strength of both: lambda1 = lambda l1-share, lambda2 = lambda (1 - l1-share)",
                0,
                kHuge,
                {},
                1},
               {"l1-share", kNotGiven, "the share of lambda that is lambda1; 0.5 if omitted", 0, 1, {}},
               {"lambda1", kNotGiven, "strength of sum |w_j|; 0 if only lambda2 is given", 0, kHuge, {}, 1},
               {"lambda2", kNotGiven, "strength of half the squares; 0 if only lambda1 is given", 0, kHuge, {}, 1}})};
}

} // namespace

ParamInfo net_solver() {
  return {"solver", std::string("auto"), "from p x p sums or column by column; auto chooses by shape and says why", 0,
          0,        net_solver_words()};
}

std::vector<ModelInfo> net_words() {
  std::vector<ModelInfo> all{lasso(), elastic_net()};
  for (ModelInfo& info : all) info.squared_error = true;
  return all;
}

} // namespace recta
