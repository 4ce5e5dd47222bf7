#include "objective/svm/groups.hpp"

#include "base/sums.hpp"

#include <algorithm>

namespace recta::svm {

GroupedProblem tube_problem(std::span<const double> target, std::span<const double> weight, double mass, double cost) {
  GroupedProblem out;
  out.groups = {{1, mass}, {-1, mass}};
  for (const Index g : {0, 1}) {
    Index row = 0;
    for (std::size_t i = 0; i < target.size(); ++i) {
      if (!(weight[i] > 0)) continue;
      out.row.push_back(row++);
      out.group.push_back(g);
      out.target.push_back(target[i]);
      out.cost.push_back(cost * weight[i]);
    }
  }
  return out;
}

// The slope of the cost in r is the weight of the terms below r, less the mass.
Levels best_levels(const GroupedProblem& problem, Index group, std::span<const double> f) {
  std::vector<std::pair<double, double>> terms; // s_v, c_v
  double total = 0;
  for (Index v = 0; v < problem.terms(); ++v)
    if (problem.group[at(v)] == group) {
      terms.emplace_back(problem.lead(v, f), problem.cost[at(v)]);
      total += problem.cost[at(v)];
    }
  std::ranges::sort(terms);
  const double mass = problem.groups[at(group)].mass, flat = 1e-13 * total;
  CompensatedSum below;
  for (std::size_t k = 0; k < terms.size(); ++k) {
    below.add(terms[k].second);
    if (below.value() < mass - flat) continue;
    const bool is_flat = below.value() <= mass + flat && k + 1 < terms.size();
    return {terms[k].first, is_flat ? terms[k + 1].first : terms[k].first};
  }
  return terms.empty() ? Levels{} : Levels{terms.back().first, terms.back().first};
}

std::vector<double> best_level_of_groups(const GroupedProblem& problem, std::span<const double> f) {
  std::vector<double> out;
  for (Index g = 0; g < std::ssize(problem.groups); ++g) out.push_back(best_levels(problem, g, f).middle());
  return out;
}

double grouped_gap(const GroupedProblem& problem, std::span<const double> beta, std::span<const double> f,
                   std::span<const double> levels) {
  CompensatedSum sum;
  for (Index v = 0; v < problem.terms(); ++v) {
    const double lack = levels[at(problem.group[at(v)])] - problem.lead(v, f), a = problem.sigma(v) * beta[at(v)];
    sum.add(lack > 0 ? (problem.cost[at(v)] - a) * lack : -a * lack);
  }
  return sum.value();
}

double grouped_primal(const GroupedProblem& problem, std::span<const double> f, double squared,
                      std::span<const double> levels) {
  CompensatedSum sum;
  sum.add(squared / 2);
  for (std::size_t g = 0; g < problem.groups.size(); ++g) sum.add_product(-problem.groups[g].mass, levels[g]);
  for (Index v = 0; v < problem.terms(); ++v) {
    const double lack = levels[at(problem.group[at(v)])] - problem.lead(v, f);
    if (lack > 0) sum.add_product(problem.cost[at(v)], lack);
  }
  return sum.value();
}

} // namespace recta::svm
