// Fit and proof of a one-class machine. With the weights v_i of the rows and W their sum, it minimises
//
//   1/2 |w|^2 - rho nu W + sum_i v_i max(0, rho - <w, phi(x_i)>)
//
// over w and rho (Schoelkopf, Platt, Shawe-Taylor, Smola, Williamson 2001, times (nu W)^2, as libsvm has it). Divided
// by rho it is the machine of the hinge with all rows of the class 1, no intercept and C = 1 / rho
// (objective/svm/groups.hpp), and is proved as such: the multipliers add up to nu C W.
#pragma once

#include "family/first_pass.hpp"

namespace recta::one_class {

Result<Model> fit(const Request& request, Schema schema, const Rows& rows, const Clock& clock);
Result<Certificate> verify(const Model& model, const Rows& rows, const Clock& clock);

} // namespace recta::one_class
