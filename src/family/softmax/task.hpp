// Softmax regression made ready for rows: what its solvers and its proof ask for, for one fit or a point of a path.
#pragma once

#include "certificate/softmax/certify.hpp"
#include "driver/first_pass.hpp"
#include "objective/loss/facts.hpp"
#include "solver/softmax/softmax.hpp"

namespace recta {

struct SoftmaxTask {
  Index classes = 0;
  LossObjective objective = {};
  LossFacts facts = {};                              // the null objective is that of the best constant probabilities
  std::vector<double> unit = {}, mean = {}, sd = {}; // of the columns; unit: u_j, 0 if one is constant
  std::vector<double> start = {};                    // of the constants: the best without any weights
};

// `class_weight`: the weight of the rows of every class, none of them zero.
SoftmaxTask softmax_task(const LossObjective& objective, LossFacts facts, std::span<const double> class_weight);

// p x p sums per class are worth their cost while they take less than the passes over the rows that they save.
bool softmax_is_wide(const Rows& rows, bool penalised);
Result<void> check_softmax(const Schema& schema, const Rows& rows, bool penalised);

SoftmaxProblem problem_of(const SoftmaxTask& task, const Rows& rows, double tolerance);
SoftmaxClaimed claimed_by(const SoftmaxTask& task, const SoftmaxSolution& solution, double tolerance,
                          const Schema& schema); // which outlives it

} // namespace recta
