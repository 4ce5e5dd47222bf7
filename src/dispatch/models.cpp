// What can be fitted, in the user's words.
#include "dispatch/descent.hpp"
#include "dispatch/group_order.hpp"
#include "dispatch/loss_order.hpp"
#include "dispatch/net_order.hpp"
#include "dispatch/objective.hpp"
#include "dispatch/params.hpp"
#include "dispatch/perceptron.hpp"
#include "dispatch/ridge_classifier.hpp"
#include "solver/least_squares.hpp"

#include <recta/params.hpp>

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
  return {"linear", "least squares: the line, plane or hyperplane nearest to the targets", objective_text({}),
          with_descent({solver_param()})};
}

ModelInfo adaline() {
  return {"adaline", "the linear unit of Widrow and Hoff: least squares by one row at a time", objective_text({}),
          with_descent({{"solver",
                         std::string("sgd"),
                         "how to descend: a row at a time, or all at once",
                         0,
                         0,
                         {"sgd", "gradient-descent"}}})};
}

// Of ridge and of the classifier made of it.
std::vector<ParamInfo> ridge_params() {
  return {{"lambda", kNotGiven, "strength of the penalty beside the mean loss", 0, kHuge, {}},
          {"lambda2", kNotGiven, "of half the squares: for ridge the same as lambda", 0, kHuge, {}},
          {"tau",
           kNotGiven,
           "strength beside the summed loss: lambda = tau / sum of weights; 1 where no strength is given",
           0,
           kHuge,
           {}},
          solver_param()};
}

ModelInfo ridge() {
  return {"ridge", "least squares with a penalty on the squared length of w; the intercept is free",
          objective_text({.penalty = Penalty::squares}), with_descent(ridge_params())};
}

ModelInfo ridge_classifier() {
  ModelInfo info{kRidgeClassifier, "classes by least squares on targets of -1 and 1, one a class; lambda 0: no penalty",
                 objective_text({.penalty = Penalty::squares}), ridge_params()};
  info.params.back().choices = {"auto", "gram", "qr", "svd", "dual", "lsmr"};
  info.classes = info.rereads = true;
  return info;
}

const char* const kTenth = "strength of the penalty beside the mean loss; a tenth of the least that makes all "
                           "coefficients zero where none is given";

ParamInfo net_solver() {
  return {"solver", std::string("auto"), "from p x p sums or column by column; auto chooses by shape and says why", 0,
          0,        net_solver_words()};
}

// What lasso and elastic net share.
std::vector<ParamInfo> net_params(std::vector<ParamInfo> strengths) {
  strengths.insert(
      strengths.end(),
      {{"psi", kNotGiven, "instead of a penalty: the sum of |w_j| is at most psi", 0, kHuge, {}},
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
          net_params({{"lambda", kNotGiven, kTenth, 0, kHuge, {}},
                      {"lambda1", kNotGiven, "the same as lambda", 0, kHuge, {}}})};
}

ModelInfo elastic_net() {
  return {"elastic-net", "least squares with penalties on the sum of |w_j| and on the squared length of w",
          objective_text({.penalty = Penalty::both}),
          net_params({{"lambda",
                       kNotGiven,
                       "strength of both: lambda1 = lambda l1-share, lambda2 = lambda (1 - l1-share)",
                       0,
                       kHuge,
                       {}},
                      {"l1-share", kNotGiven, "of lambda1 in lambda; 0.5 where it is not given", 0, 1, {}},
                      {"lambda1", kNotGiven, "of sum |w_j|; 0 where only lambda2 is given", 0, kHuge, {}},
                      {"lambda2", kNotGiven, "of half the squares; 0 where only lambda1 is given", 0, kHuge, {}}})};
}

ModelInfo group_lasso() {
  return {"group-lasso",
          "least squares with a penalty on the length of each group of coefficients: whole groups are exactly zero",
          group_objective_text({}, "group-lasso", false),
          {{"lambda", kNotGiven, kTenth, 0, kHuge, {}},
           {"lambda1", kNotGiven, "the same as lambda", 0, kHuge, {}},
           {"lambda2", kNotGiven, "of half the squares; 0 where it is not given", 0, kHuge, {}},
           {"groups",
            std::string(),
            "COL,COL;COL,...: columns that stand or fall together; by itself one column is a group, with all its "
            "levels, and so are the features of one map",
            0,
            0,
            {}},
           {"group-factors",
            std::string(),
            "NUMBER,...: of the groups named, in their order; the square root of the size where none is given",
            0,
            0,
            {}},
           net_solver()}};
}

ModelInfo multi_task_lasso() {
  return {"multi-task-lasso",
          "several targets, with a penalty on the length of each feature's coefficients: a feature serves all or none",
          group_objective_text({}, "multi-task-lasso", false),
          {{"lambda", kNotGiven, kTenth, 0, kHuge, {}},
           {"lambda1", kNotGiven, "the same as lambda", 0, kHuge, {}},
           net_solver()}};
}

ModelInfo multi_task_elastic_net() {
  return {"multi-task-elastic-net",
          "the multi-task lasso with a second penalty, on the squared length of w",
          group_objective_text({}, "multi-task-elastic-net", false),
          {{"lambda",
            kNotGiven,
            "strength of both: lambda1 = lambda l1-share, lambda2 = lambda (1 - l1-share)",
            0,
            kHuge,
            {}},
           {"l1-share", kNotGiven, "of lambda1 in lambda; 0.5 where it is not given", 0, 1, {}},
           {"lambda1", kNotGiven, "of the lengths; 0 where only lambda2 is given", 0, kHuge, {}},
           {"lambda2", kNotGiven, "of half the squares; 0 where only lambda1 is given", 0, kHuge, {}},
           net_solver()}};
}

} // namespace

const std::vector<ModelInfo>& models() {
  static const std::vector<ModelInfo> all = [] {
    std::vector<ModelInfo> list{linear(),      ridge(),       adaline(),          lasso(),
                                elastic_net(), group_lasso(), multi_task_lasso(), multi_task_elastic_net()};
    for (ModelInfo& one : loss_models()) list.push_back(std::move(one));
    for (ModelInfo& one : threshold_units()) list.push_back(std::move(one));
    list.push_back(ridge_classifier());
    return list;
  }();
  return all;
}

} // namespace recta
