#include "family/least_squares/words.hpp"

#include "params/params.hpp"
#include "solver/least_squares.hpp"
#include "summary/descent.hpp"
#include "summary/objective.hpp"

namespace recta {
namespace {

ParamInfo solver_param() {
  return {"solver", std::string("auto"), "how to solve it; auto chooses by shape and condition and says why", 0,
          0,        solver_words()};
}

std::vector<ParamInfo> with_descent(std::vector<ParamInfo> params) {
  for (ParamInfo& param : descent_params()) params.push_back(std::move(param));
  return params;
}

ModelInfo linear() {
  ModelInfo info{"linear", "least squares: the line, plane or hyperplane nearest to the targets", objective_text({}),
                 with_descent({solver_param()})};
  info.normal_errors = true;
  return info;
}

ModelInfo adaline() {
  return {"adaline", "the linear unit of Widrow and Hoff: least squares, one row at a time", objective_text({}),
          with_descent({{"solver",
                         std::string("sgd"),
                         "how to descend: a row at a time, or all at once",
                         0,
                         0,
                         {"sgd", "gradient-descent"}}})};
}

ModelInfo ridge() {
  return {"ridge", "least squares with a penalty on the squared length of w; the intercept is free",
          objective_text({.penalty = Penalty::squares}), with_descent(ridge_params())};
}

} // namespace

std::vector<ParamInfo> ridge_params() {
  return {{"lambda", kNotGiven, "strength of the penalty beside the mean loss", 0, kHuge, {}, 1},
          {"lambda2", kNotGiven, "strength of half the squares: for ridge the same as lambda", 0, kHuge, {}, 1},
          {"tau",
           kNotGiven,
           "strength beside the summed loss: lambda = tau / sum of weights; 1 where no strength is given",
           0,
           kHuge,
           {},
           1},
          solver_param()};
}

std::vector<ModelInfo> least_squares_words() {
  std::vector<ModelInfo> all{linear(), ridge(), adaline()};
  for (ModelInfo& info : all) info.squared_error = true;
  all[0].leverages = all[1].leverages = true;
  return all;
}

} // namespace recta
