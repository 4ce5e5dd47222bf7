#include "solver/svm/linear_gap.hpp"

#include "base/sums.hpp"

#include <algorithm>
#include <cmath>

namespace recta::svm {
namespace {

// The sums of the coefficients of either sign, which should be equal.
struct SignSums {
  double larger = 0, apart = 0;
};

SignSums sign_sums(std::span<const double> beta) {
  CompensatedSum positive, all;
  for (const double one : beta) positive.add(std::max(one, 0.0)), all.add(one);
  const double larger = std::max(positive.value(), positive.value() - all.value());
  return {larger, std::abs(all.value()) + 0x1p-52 * larger};
}

} // namespace

double loss_of(const Problem& problem, std::span<const double> f, double b) {
  double sum = 0;
  for (std::size_t i = 0; i < f.size(); ++i) sum += problem.cost[i] * problem.terms.value(problem.target[i], f[i] + b);
  return sum;
}

double cost_of_balance(const Problem& problem, const LinearRows& rows, std::span<const double> beta,
                       std::span<const double> f, double b, double square) {
  const SignSums sums = problem.intercept ? sign_sums(beta) : SignSums{};
  const double lacking = std::sqrt(square) + sums.apart * rows.longest();
  return lacking * lacking / 2 + (sums.larger > 0 ? sums.apart / sums.larger * loss_of(problem, f, b) : 0);
}

double merit_of(const Problem& problem, std::span<const double> beta, std::span<const double> f, double b) {
  CompensatedSum sum;
  for (std::size_t i = 0; i < beta.size(); ++i) {
    sum.add(beta[i] * (problem.target[i] - b - (f[i] + problem.ridge(static_cast<Index>(i)) * beta[i]) / 2));
    if (!labelled(problem.terms.loss)) sum.add(-problem.terms.epsilon * std::abs(beta[i]));
  }
  return sum.value();
}

double reach_of(const LinearRows& rows, std::span<const double> beta) {
  double out = 0;
  for (std::size_t i = 0; i < beta.size(); ++i)
    if (beta[i] != 0) out += std::abs(beta[i]) * std::sqrt(rows.square(static_cast<Index>(i)));
  return out;
}

} // namespace recta::svm
