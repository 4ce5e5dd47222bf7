// The request for a perceptron or a delta rule: from the user's words to the solver's settings.
#pragma once

#include "driver/first_pass.hpp"
#include "solver/gradient_descent/descent_loss.hpp"
#include "solver/perceptron/perceptron.hpp"

namespace recta {

Result<PerceptronProblem> perceptron_problem(const Request& request);
bool bounded(const PerceptronProblem& problem); // (R B)^2 bounds its mistakes

// The delta rule's loss (t - sigma(z))^2 / 2, t = 1 for the positive class and else 0. Its second derivative is nowhere
// above 0.0771, and below zero far out on the wrong side: the cost is not convex.
DescentLoss delta_loss();
std::string unit_objective(const std::string& word, bool intercept, bool standardised = false);

} // namespace recta
