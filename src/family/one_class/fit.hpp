// Fit and proof of a one-class machine. With the weights v_i of the rows and W their sum, it minimises
//
//   1/2 |w|^2 - rho nu W + sum_i v_i max(0, rho - <w, phi(x_i)>)
//
// over w and rho (Schoelkopf, Platt, Shawe-Taylor, Smola, Williamson 2001, times (nu W)^2, as libsvm has it). Divided
// by rho it is the machine of the hinge with all rows of the class 1, no intercept and C = 1 / rho
// (objective/svm/groups.hpp), and is proved as such: the multipliers add up to nu C W.
#pragma once

#include "driver/procedure.hpp"

namespace recta::one_class {

const Procedure& procedure();

} // namespace recta::one_class
