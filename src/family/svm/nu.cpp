#include "family/svm/nu.hpp"

#include "family/params.hpp"
#include "feature/classes.hpp"
#include "solver/svm/linear.hpp"
#include "solver/svm/smo.hpp"

#include <cmath>
#include <fmt/format.h>

namespace recta::svm {
namespace {

// Rows of the classes 1 and -1.
std::array<double, 2> class_weights(const MachineRows::Side& side) {
  std::array<double, 2> out{};
  for (const Index i : side.present) out[side.target[at(i)] > 0 ? 0 : 1] += side.weight[at(i)];
  return out;
}

GroupedProblem margin_problem(const MachineRows::Side& side, double nu) {
  GroupedProblem out;
  const auto weight = class_weights(side);
  // nu at its largest makes the smaller class exactly full.
  for (const std::size_t g : {0, 1})
    out.groups.push_back({g == 0 ? 1.0 : -1.0, std::min({nu / 2, weight[0] / side.total, weight[1] / side.total})});
  for (std::size_t k = 0; k < side.present.size(); ++k) {
    const std::size_t i = at(side.present[k]);
    out.row.push_back(static_cast<Index>(k));
    out.group.push_back(side.target[i] > 0 ? 0 : 1);
    out.target.push_back(0);
    out.cost.push_back(side.weight[i] / side.total);
  }
  return out;
}

GroupedProblem tube_problem(const MachineRows::Side& side, double nu, double cost) {
  GroupedProblem out;
  const double mass = nu * cost * side.total / 2;
  out.groups = {{1, mass}, {-1, mass}};
  for (const Index g : {0, 1})
    for (std::size_t k = 0; k < side.present.size(); ++k) {
      const std::size_t i = at(side.present[k]);
      out.row.push_back(static_cast<Index>(k));
      out.group.push_back(g);
      out.target.push_back(side.target[i]);
      out.cost.push_back(cost * side.weight[i]);
    }
  return out;
}

double largest_diagonal(const kernel::Kernel& kernel, const kernel::Points& points) {
  double most = 0;
  for (Index i = 0; i < points.count(); ++i) most = std::max(most, std::abs(points.own_value(kernel, i)));
  return most;
}

void take_end(const GroupedSolution& found, Solution& out) {
  out.steps = found.steps, out.rounds = found.rounds, out.gap = found.gap;
  out.interrupted = found.interrupted, out.gave_up = found.gave_up, out.exact_end = found.exact_end;
}

// Divided by rho it is the machine with C = 1 / rho.
NuFound margin_found(GroupedSolution found, const MachineRows::Side& side, double largest) {
  NuFound out;
  const double rho = (found.levels[0] + found.levels[1]) / 2, b = (found.levels[1] - found.levels[0]) / 2;
  double squared = 0, mass = 0;
  for (std::size_t i = 0; i < found.f.size(); ++i)
    squared += found.beta[i] * found.f[i], mass += std::abs(found.beta[i]);
  out.empty = !(rho > 0) || squared <= 1e-12 * mass * mass * largest;
  if (out.empty) return out;
  out.cost = 1 / (rho * side.total);
  const double most = out.cost;
  for (std::size_t k = 0; k < found.beta.size(); ++k) {
    // The ends of the boxes are those of C, to the last bit.
    const double full = side.weight[at(side.present[k])] / side.total, a = std::abs(found.beta[k]);
    const double end = most * side.weight[at(side.present[k])];
    out.solution.state.beta.push_back(std::copysign(a >= full ? end : std::min(end, a / rho), found.beta[k]));
    if (a == 0) out.solution.state.beta.back() = 0;
    out.solution.state.f.push_back(found.f[k] / rho);
  }
  out.solution.intercepts = {b / rho, b / rho};
  take_end(found, out.solution);
  return out;
}

NuFound tube_found(GroupedSolution found, double cost) {
  NuFound out;
  out.cost = cost;
  out.epsilon = std::max(0.0, (-found.levels[0] - found.levels[1]) / 2);
  const double b = (found.levels[1] - found.levels[0]) / 2;
  out.solution.intercepts = {b, b};
  const std::size_t n = found.f.size();
  for (std::size_t i = 0; i < n; ++i) out.solution.state.beta.push_back(found.beta[i] + found.beta[n + i]);
  out.solution.state.f = std::move(found.f);
  take_end(found, out.solution);
  return out;
}

} // namespace

Result<void> check_nu(const Asked& asked, const std::vector<MachineRows::Side>& sides, const Schema& schema,
                      const Rows& rows) {
  if (!asked.finds_margin()) return {};
  for (const MachineRows::Side& side : sides) {
    const auto weight = class_weights(side);
    const double most = 2 * std::min(weight[0], weight[1]) / side.total;
    if (asked.nu <= most * (1 + 1e-12)) continue;
    const auto& labels = schema.classes.labels;
    const std::string classes =
        labels.size() == 2 ? "the classes"
        : side.negative == std::ssize(labels)
            ? fmt::format("{} against the rest", labels.at(at(side.positive)))
            : fmt::format("{} against {}", labels.at(at(side.positive)), labels.at(at(side.negative)));
    return fail(ErrorCode::bad_data, fmt::format("{}, target {}", rows.name, schema.targets.at(0)),
                fmt::format("nu = {} is not feasible: {} weigh {} and {}, and twice the share of the smaller one is {}",
                            asked.nu, classes, weight[0], weight[1], most),
                fmt::format("give nu = {} or less", most));
  }
  return {};
}

namespace {

// A tube of no width: the two terms of a row are then one, and the machine is that of absolute errors, which is solved
// as such. Nothing if its multipliers add up to more than nu allows.
bool solve_without_tube(const MachineRows& rows, const MachineRows::Side& side, const Asked& asked, double tolerance,
                        Pool& pool, NuFound& found) {
  Problem problem{{.loss = Loss::tube, .epsilon = 0}, true, {}, {}};
  for (const Index i : side.present)
    problem.target.push_back(side.target[at(i)]), problem.cost.push_back(found.cost * side.weight[at(i)]);
  const double wanted = tolerance * null_cost(problem) / 4;
  Solution solution;
  if (asked.kernel.linear()) {
    solution =
        solve_linear(problem, rows.linear_rows(side, true, 0, pool), {.tolerance = wanted, .cache = asked.cache}, pool)
            .found;
  } else {
    const auto kernel = kernel::make_kernel(asked.kernel);
    solution = solve_by_smo(problem, *kernel, rows.points(side.present, *kernel),
                            {.tolerance = wanted, .cache = asked.cache}, pool);
  }
  double mass = 0;
  for (const double beta : solution.state.beta) mass += std::abs(beta);
  if (mass > asked.nu * found.cost * side.total * (1 + 1e-12)) return false;
  found.solution = std::move(solution), found.epsilon = 0;
  return true;
}

} // namespace

NuFound solve_nu(const MachineRows& rows, const MachineRows::Side& side, const Asked& asked, double tolerance,
                 Pool& pool) {
  const bool linear = asked.kernel.linear();
  const auto kernel = kernel::make_kernel(asked.kernel);
  // The coefficients add up to zero, so that rows may be moved about their mean, where products keep their digits.
  const kernel::Points points = rows.points(side.present, *kernel, linear);
  const double cost = asked.finds_tube() ? asked.cost(side.total) : 0;
  const GroupedProblem problem =
      asked.finds_margin() ? margin_problem(side, asked.nu) : tube_problem(side, asked.nu, cost);
  GroupedSettings settings{.cache = asked.cache};
  if (asked.finds_margin()) {
    const auto weight = class_weights(side);
    const double unit = 2 * std::min(weight[0], weight[1]) / side.total; // of F at w = 0
    settings.tolerance = [=](const std::vector<double>& r) {
      return tolerance * unit * std::max(0.0, r[0] + r[1]) / 8;
    };
  } else {
    const std::vector<double> none(side.present.size());
    const double unit = grouped_primal(problem, none, 0, best_level_of_groups(problem, none));
    settings.tolerance = [=](const std::vector<double>&) { return tolerance * unit / 4; };
  }
  GroupedSolution found = solve_grouped(problem, *kernel, points, settings, pool);
  NuFound out = asked.finds_margin() ? margin_found(std::move(found), side, largest_diagonal(*kernel, points))
                                     : tube_found(std::move(found), cost);
  if (asked.finds_tube()) {
    const auto [low, high] = std::ranges::minmax(problem.target);
    if (out.epsilon <= 1e-6 * (high - low) && !out.solution.interrupted &&
        solve_without_tube(rows, side, asked, tolerance, pool, out))
      return out;
  }
  if (!linear || out.empty) return out;
  out.solution.w = rows.combination(side, out.solution.state.beta);
  double moved = 0;
  for (std::size_t j = 0; j < points.centre().size(); ++j) moved += out.solution.w[j] * points.centre()[j];
  out.solution.intercepts.low -= moved, out.solution.intercepts.high -= moved;
  return out;
}

// nu-svm, with rho = 1 / (C W): the dual wants sum a = nu C W, a the multipliers of C. Off by e rho (of nu) it costs no
// more than |e| (rho + rho*), where rho* <= |phi| |w*| and |w*| <= |w|, since both classes have a row at or beyond the
// margin of the optimum; in the units of C that is |e| (1 + |phi| |w|) / rho.
//
// nu-svr: the dual wants sum |beta| <= nu C W. What it has less costs epsilon each; if it has more by a share eta,
// coefficients less by that share are meant, which costs no more than eta t'beta <= 2 eta P.
Proof proof_for_nu(Proof proof, const Asked& asked, const MachineRows::Side& side, double cost, double epsilon) {
  const double full = cost * side.total;
  if (asked.finds_margin()) {
    const double off = std::abs(proof.mass / full - asked.nu) + 0x1p-51 * asked.nu;
    proof.gap += off * full * (1 + proof.longest * std::sqrt(proof.squared));
    return proof;
  }
  const double wanted = asked.nu * full;
  proof.primal += wanted * epsilon;
  const double more = std::max(0.0, proof.mass - wanted) / std::max(proof.mass, 1e-300);
  proof.gap += epsilon * std::max(0.0, wanted - proof.mass) + 2 * more * proof.primal;
  proof.slack += 0x1p-51 * (proof.primal + wanted * epsilon);
  const GroupedProblem problem = tube_problem(side, asked.nu, cost);
  const std::vector<double> none(side.present.size());
  proof.null = grouped_primal(problem, none, 0, best_level_of_groups(problem, none));
  return proof;
}

} // namespace recta::svm
