// The proof of a kernel perceptron, from the numbers of the model and a fresh pass over the rows: every row lies
// strictly on its side of the hyperplane w = sum_k beta_k phi(x_k), whatever rounding did. It knows nothing of how w
// was found.
//
// Then Novikoff's bound holds for every run from zero with steps of length one: with |w| and the least y f(x) of this
// w, mistakes <= (R B)^2, B = |w| / least, R the longest row in feature space (both with the intercept).
#pragma once

#include "family/kernel_perceptron/body.hpp"

namespace recta::kernel_perceptron {

struct Proof {
  bool separates = false, same_rows = true;
  double norm = kNaN, least = kNaN, radius = 0; // bounds: norm from above, least from below
  double nearest = 0;                           // the least y f(x) as computed
  Index wrong = 0, count = 0;
};

Result<Proof> prove(const PerceptronBody& body, const Part& part, const KernelData& data, const KernelData::Side& side,
                    Pool& pool, const Watch& watch);

} // namespace recta::kernel_perceptron
