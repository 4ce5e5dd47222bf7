// The mean loss of scores, and the intercept that makes it least.
#pragma once

#include "loss/row_loss.hpp"

#include <span>
#include <vector>

namespace recta::penalised {

struct Targets {
  const loss::RowLoss& loss;
  std::vector<double> y, share; // shares of the weights, which add up to one
};

// Slopes and curvatures of the rows, if there is room for them.
double mean_loss(const Targets& targets, const std::vector<double>& z, std::vector<double>* slope = nullptr,
                 std::vector<double>* curvature = nullptr);

// The b that makes the mean loss of z + b least. It is found from `start`.
double best_intercept(const Targets& targets, std::span<const double> z, double start);

} // namespace recta::penalised
