#include "family/elastic_net/request.hpp"
#include "family/group_norm/request.hpp"
#include "params/params.hpp"

namespace recta {
namespace {

ModelInfo group_lasso() {
  return {"group-lasso",
          "least squares with a penalty on the length of each group of coefficients: whole groups are exactly zero",
          group_objective_text({}, "group-lasso", false),
          {{"lambda", kNotGiven, kTenth, 0, kHuge, {}, 1},
           {"lambda1", kNotGiven, "the same as lambda", 0, kHuge, {}, 1},
           {"lambda2", kNotGiven, "strength of half the squares; 0 if omitted", 0, kHuge, {}, 1},
           {"groups",
            std::string(),
            "COL,COL;COL,...: columns that enter or leave together; by default each column is a group, with all its "
            "levels, and so are the features of one map",
            0,
            0,
            {}},
           {"group-factors",
            std::string(),
            "NUMBER,...: of the groups named, in their order; if omitted, the square root of the size",
            0,
            0,
            {}},
           net_solver()}};
}

ModelInfo multi_task_lasso() {
  return {"multi-task-lasso",
          "several targets, with a penalty on the length of each feature's coefficients: a feature serves all or none",
          group_objective_text({}, "multi-task-lasso", false),
          {{"lambda", kNotGiven, kTenth, 0, kHuge, {}, 1},
           {"lambda1", kNotGiven, "the same as lambda", 0, kHuge, {}, 1},
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
            {},
            1},
           {"l1-share", kNotGiven, "the share of lambda that is lambda1; 0.5 if omitted", 0, 1, {}},
           {"lambda1", kNotGiven, "strength of the lengths; 0 if only lambda2 is given", 0, kHuge, {}, 1},
           {"lambda2", kNotGiven, "strength of half the squares; 0 if only lambda1 is given", 0, kHuge, {}, 1},
           net_solver()}};
}

} // namespace

std::vector<ModelInfo> group_norm_words() {
  return {group_lasso(), multi_task_lasso(), multi_task_elastic_net()};
}

} // namespace recta
