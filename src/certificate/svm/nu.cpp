#include "certificate/svm/nu.hpp"

#include "objective/svm/groups.hpp"

namespace recta::svm {

Proof proof_for_margin(Proof proof, double nu, double cost) {
  const double full = cost * proof.weight, off = std::abs(proof.mass / full - nu) + 0x1p-51 * nu;
  proof.gap += off * full * (1 + proof.longest * std::sqrt(proof.squared));
  return proof;
}

Proof proof_for_tube(Proof proof, double nu, double cost, double epsilon, const JudgedRows& rows) {
  const double allowed_mass = nu * cost * proof.weight;
  proof.primal += allowed_mass * epsilon;
  const double more = std::max(0.0, proof.mass - allowed_mass) / std::max(proof.mass, 1e-300);
  proof.gap += epsilon * std::max(0.0, allowed_mass - proof.mass) + 2 * more * proof.primal;
  proof.slack += 0x1p-51 * (proof.primal + allowed_mass * epsilon);
  const GroupedProblem problem = tube_problem(rows.target, rows.weight, nu * cost * proof.weight / 2, cost);
  const std::vector<double> none(at(proof.count));
  proof.null = grouped_primal(problem, none, 0, best_level_of_groups(problem, none));
  return proof;
}

} // namespace recta::svm
