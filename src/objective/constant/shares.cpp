#include "objective/constant/shares.hpp"

#include "base/numbers.hpp"

#include <cmath>
#include <limits>
#include <numeric>

namespace recta {

std::vector<double> scores_of_shares(const Classes& classes, const std::vector<double>& weight) {
  if (classes.count() == 2 && weight[0] == weight[1])
    return {classes.positive == 0 ? 0 : -std::numeric_limits<double>::denorm_min()};
  if (classes.count() == 2) return {std::log(weight[at(classes.positive)] / weight[at(1 - classes.positive)])};
  const double total = std::accumulate(weight.begin(), weight.end(), 0.0);
  std::vector<double> scores;
  for (const double one : weight) scores.push_back(std::log(one / total));
  return scores;
}

double log_likelihood_of_shares(const std::vector<double>& weight) {
  const double total = std::accumulate(weight.begin(), weight.end(), 0.0);
  double likelihood = 0;
  for (const double one : weight)
    if (one > 0) likelihood += one * std::log(one / total);
  return likelihood;
}

} // namespace recta
