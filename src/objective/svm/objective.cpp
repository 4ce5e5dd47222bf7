#include "objective/svm/objective.hpp"

#include "base/sums.hpp"

namespace recta::svm {
namespace {

// The slope of the cost in b changes at `at` by `jump`, and its rate of change by `bend`.
struct Kink {
  double at, jump, bend;
};

// slope(b) = level + rate b to the left of all kinks.
struct Line {
  CompensatedSum level, rate;
  double scale = 0; // of the terms of the slope, for what is zero to rounding
  double size = 0;  // of those of the level
};

void add_row(const RowTerms& terms, double t, double f, double cost, Line& line, std::vector<Kink>& kinks) {
  const double lower = t - f - (labelled(terms.loss) ? 0 : terms.epsilon);
  const double upper = t - f + (labelled(terms.loss) ? 0 : terms.epsilon);
  const bool falls = !labelled(terms.loss) || t > 0, rises = !labelled(terms.loss) || t < 0;
  line.scale += cost;
  line.size += cost * (squared(terms.loss) ? std::max(std::abs(lower), std::abs(upper)) : 1);
  if (squared(terms.loss)) { // C (b - lower) below it, C (b - upper) above
    if (falls) {
      line.level.add_product(-cost, lower), line.rate.add(cost);
      kinks.push_back({lower, cost * lower, -cost});
    }
    if (rises) kinks.push_back({upper, -cost * upper, cost});
    return;
  }
  if (falls) line.level.add(-cost), kinks.push_back({lower, cost, 0});
  if (rises) kinks.push_back({upper, cost, 0});
}

} // namespace

Intercepts best_intercepts(const Problem& problem, std::span<const double> f) {
  if (!problem.intercept || problem.rows() == 0) return {};
  Line line;
  std::vector<Kink> kinks;
  for (Index i = 0; i < problem.rows(); ++i)
    add_row(problem.terms, problem.target[at(i)], f[at(i)], problem.cost[at(i)], line, kinks);
  std::ranges::sort(kinks, {}, &Kink::at);
  constexpr double kFlat = 1e-14; // of all costs: a slope that is zero to rounding
  for (std::size_t k = 0; k < kinks.size(); ++k) {
    const double rate = line.rate.value(), before = line.level.value() + rate * kinks[k].at;
    if (before > kFlat * line.scale && rate > 0) {
      const double b = -line.level.value() / rate;
      return {b, b};
    }
    line.level.add(kinks[k].jump), line.rate.add(kinks[k].bend);
    const double after = line.level.value() + line.rate.value() * kinks[k].at;
    const bool flat = std::abs(after) <= kFlat * line.size && std::abs(line.rate.value()) <= kFlat * line.scale;
    if (flat && k + 1 < kinks.size() && kinks[k + 1].at > kinks[k].at) return {kinks[k].at, kinks[k + 1].at};
    if (after > kFlat * line.scale) return {kinks[k].at, kinks[k].at};
  }
  if (const double rate = line.rate.value(); rate > 0) {
    const double b = -line.level.value() / rate;
    return {b, b};
  }
  return {kinks.back().at, kinks.back().at};
}

double null_cost(const Problem& problem) {
  const std::vector<double> none(at(problem.rows()));
  const double b = best_intercepts(problem, none).middle();
  CompensatedSum sum;
  for (Index i = 0; i < problem.rows(); ++i)
    sum.add(problem.cost[at(i)] * problem.terms.value(problem.target[at(i)], b));
  return sum.value();
}

double gap_of(const Problem& problem, std::span<const double> beta, std::span<const double> f, double b) {
  CompensatedSum sum;
  for (Index i = 0; i < problem.rows(); ++i) {
    const double cost = problem.cost[at(i)];
    sum.add(cost * problem.terms.fenchel_young(problem.target[at(i)], f[at(i)] + b, beta[at(i)] / cost));
  }
  return sum.value();
}

} // namespace recta::svm
