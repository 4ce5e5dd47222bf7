// What can be fitted, in the user's words.
#include "dispatch/objective.hpp"
#include "solver/least_squares.hpp"

#include <recta/params.hpp>

#include <limits>

namespace recta {
namespace {

constexpr double kHuge = 1e300;
const double kNotGiven = std::numeric_limits<double>::quiet_NaN();

ParamInfo solver_param() {
  return {"solver", std::string("auto"), "how to solve it; auto chooses by shape and condition and says why", 0,
          0,        solver_words()};
}

ModelInfo linear() {
  return {"linear",
          "least squares: the line, plane or hyperplane nearest to the targets",
          objective_text({}),
          {solver_param()}};
}

ModelInfo ridge() {
  return {"ridge",
          "least squares with a penalty on the squared length of w; the intercept is free",
          objective_text({.penalty = true}),
          {{"lambda", kNotGiven, "strength of the penalty beside the mean loss", 0, kHuge, {}},
           {"lambda2", kNotGiven, "the same as lambda", 0, kHuge, {}},
           {"tau",
            kNotGiven,
            "strength beside the summed loss: lambda = tau / sum of weights; 1 where no strength is given",
            0,
            kHuge,
            {}},
           solver_param()}};
}

} // namespace

const std::vector<ModelInfo>& models() {
  static const std::vector<ModelInfo> all{linear(), ridge()};
  return all;
}

} // namespace recta
