// Batch gradient descent on the cost of a classifier, step by step, as it is taught: logistic and softmax regression.
//
//   point <- point - rate * gradient of the printed objective (with --reduction sum, of the summed one)
//
// The point of logistic regression is (w, b); of softmax (b_1, w_1, b_2, w_2, ...), one row of W^t after the other.
#pragma once

#include "certificate/loss/objective.hpp"
#include "dispatch/first_pass.hpp"

namespace recta {

std::vector<ParamInfo> class_descent_params(); // after those of the model itself

struct ClassDescent {
  std::vector<double> point = {};
  double cost = 0, rate = 0, safe_rate = 0;
  Index steps = 0, passes = 0;
  std::string stop = {};
  bool diverged = false, interrupted = false;
  struct Record {
    Index step = 0;
    double rate = 0, cost = 0, gradient_norm = 0;
    std::vector<double> point = {}, move = {};
  };
  std::vector<Record> records = {};
};

// `record`: every so many steps; 0: none.
Result<ClassDescent> descend_classes(const Order& order, const Schema& schema, const Rows& rows,
                                     const LossObjective& objective, Index record, Pool& pool, const Clock& clock);

Result<Trace> trace_classes(const Order& order, const Schema& schema, const Rows& rows, Index every,
                            const Clock& clock);

} // namespace recta
