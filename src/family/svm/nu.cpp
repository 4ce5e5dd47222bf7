#include "family/svm/nu.hpp"

#include "base/listening.hpp"
#include "feature/classes.hpp"
#include "params/params.hpp"
#include "solver/svm/interior_point.hpp"
#include "solver/svm/linear.hpp"
#include "solver/svm/smo.hpp"

#include <cmath>
#include <fmt/format.h>

namespace recta::svm {
namespace {

// Of the rows of the classes 1 and -1.
std::array<double, 2> class_weights(const MachineRows::Side& side) {
  std::array<double, 2> out{};
  for (const Index i : side.present) out[side.target[at(i)] > 0 ? 0 : 1] += side.weight[at(i)];
  return out;
}

double largest_nu(const MachineRows::Side& side) {
  const auto [positive, negative] = class_weights(side);
  return 2 * std::min(positive, negative) / side.total;
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

double largest_diagonal(const kernel::Kernel& kernel, const kernel::Points& points) {
  double most = 0;
  for (Index i = 0; i < points.count(); ++i) most = std::max(most, std::abs(points.own_value(kernel, i)));
  return most;
}

void take_end(const GroupedSolution& solution, Solution& out) {
  out.steps = solution.steps, out.rounds = solution.rounds, out.gap = solution.gap;
  out.interior_steps = solution.interior_steps;
  out.interrupted = solution.interrupted, out.gave_up = solution.gave_up, out.exact_end = solution.exact_end;
}

// Divided by rho it is the machine with C = 1 / rho. w = 0 is taken to be optimal if |w|^2 is no more than `least` of
// the squared sum of the multipliers.
NuSolution margin_solution(GroupedSolution grouped, const MachineRows::Side& side, double least) {
  NuSolution out;
  const double rho = (grouped.levels[0] + grouped.levels[1]) / 2, b = (grouped.levels[1] - grouped.levels[0]) / 2;
  double squared = 0, mass = 0;
  for (std::size_t i = 0; i < grouped.f.size(); ++i)
    squared += grouped.beta[i] * grouped.f[i], mass += std::abs(grouped.beta[i]);
  out.empty = !(rho > 0) || squared <= least * mass * mass;
  if (out.empty) return out;
  out.cost = 1 / (rho * side.total);
  const double most = out.cost;
  for (std::size_t k = 0; k < grouped.beta.size(); ++k) {
    // The ends of the boxes are those of C, to the last bit.
    const double full = side.weight[at(side.present[k])] / side.total, a = std::abs(grouped.beta[k]);
    const double end = most * side.weight[at(side.present[k])];
    out.solution.state.beta.push_back(std::copysign(a >= full ? end : std::min(end, a / rho), grouped.beta[k]));
    if (a == 0) out.solution.state.beta.back() = 0;
    out.solution.state.f.push_back(grouped.f[k] / rho);
  }
  out.solution.intercepts = {b / rho, b / rho};
  take_end(grouped, out.solution);
  return out;
}

NuSolution tube_solution(GroupedSolution grouped, double cost) {
  NuSolution out;
  out.cost = cost;
  out.epsilon = std::max(0.0, (-grouped.levels[0] - grouped.levels[1]) / 2);
  const double b = (grouped.levels[1] - grouped.levels[0]) / 2;
  out.solution.intercepts = {b, b};
  const std::size_t n = grouped.f.size();
  for (std::size_t i = 0; i < n; ++i) out.solution.state.beta.push_back(grouped.beta[i] + grouped.beta[n + i]);
  out.solution.state.f = std::move(grouped.f);
  take_end(grouped, out.solution);
  return out;
}

} // namespace

MachineSpec spec_of_side(const MachineSpec& spec, const MachineRows& rows, const MachineRows::Side& side) {
  MachineSpec out = spec;
  if (spec.finds_margin() && rows.classes > 2) out.nu = std::min(out.nu, largest_nu(side));
  return out;
}

Result<void> check_nu(const MachineSpec& spec, const MachineRows& held, const Schema& schema, const Rows& rows) {
  if (!spec.finds_margin() || held.classes > 2) return {};
  const MachineRows::Side side = held.sides(false, held.drawn).front();
  const double most = largest_nu(side);
  if (spec.nu <= most * (1 + 1e-12)) return {};
  const auto [positive, negative] = class_weights(side);
  return fail(ErrorCode::bad_data, fmt::format("{}, target {}", rows.name, schema.targets.at(0)),
              fmt::format("nu = {} is not feasible: the classes weigh {} and {}, and twice the share of the smaller "
                          "one is {}",
                          spec.nu, positive, negative, most),
              fmt::format("give nu = {} or less", most));
}

Solution solve_at_cost(const PartRows& part, const RowTerms& terms, double cost, double tolerance) {
  const auto& [rows, side, spec, pool] = part;
  Problem problem{terms, true, {}, {}};
  for (const Index i : side.present)
    problem.target.push_back(side.target[at(i)]), problem.cost.push_back(cost * side.weight[at(i)]);
  const double gap = tolerance * null_cost(problem) / 4;
  if (spec.kernel.linear())
    return solve_linear(problem, rows.linear_rows(side, true, 0, pool), {.tolerance = gap, .cache = spec.cache}, pool)
        .found;
  const auto kernel = kernel::make_kernel(spec.kernel);
  return solve_by_smo(problem, *kernel, rows.points(side.present, *kernel), {.tolerance = gap, .cache = spec.cache},
                      pool);
}

namespace {

double mass_of(const Solution& solution) {
  double out = 0;
  for (const double beta : solution.state.beta) out += std::abs(beta);
  return out;
}

// A tube of no width: the two terms of a row are then one, and the machine is that of absolute errors, which is solved
// as such. Nothing if its multipliers add up to more than nu allows.
bool solve_without_tube(const PartRows& part, double tolerance, NuSolution& out) {
  const RowTerms absolute{.loss = Loss::tube, .epsilon = 0};
  Solution solution = solve_at_cost(part, absolute, out.cost, tolerance);
  if (mass_of(solution) > part.spec.nu * out.cost * part.side.total * (1 + 1e-12)) return false;
  out.solution = std::move(solution), out.epsilon = 0;
  return true;
}

// The machine of nu among those of C, where working sets came no nearer. With lambda = 1 / (C W), the share nu(lambda)
// = lambda sum |beta| grows with lambda, at lambda = 0 by |w|^2 and never faster, and along a straight line while the
// same rows are at the ends of their boxes: a few steps find lambda. If nu is less than all of them, w = 0 is optimal.
class CostOfNu {
public:
  CostOfNu(const PartRows& part, double tolerance) : part_(part), spec_(part.spec), tolerance_(tolerance) {
    const auto kernel = kernel::make_kernel(spec_.kernel);
    longest_ = std::sqrt(largest_diagonal(*kernel, part.rows.points(part.side.present, *kernel)));
    unit_ = largest_nu(part.side);
  }

  NuSolution run(double lambda, const Solution& before) {
    constexpr int kMachines = 12;
    for (int k = 0; k < kMachines && !done_; ++k) lambda = next(lambda);
    const bool none_below = low_.nu < 0, clearly = best_off_ > 1e-6 * spec_.nu; // next to nu, rounding would decide
    best_.empty = best_.empty && none_below && clearly;
    best_.solution.steps += before.steps, best_.solution.rounds += before.rounds;
    best_.solution.interior_steps += before.interior_steps;
    return std::move(best_);
  }

private:
  static constexpr double kLess = 0.03; // of a lambda whose nu is too large, if no step tells another
  struct Tried {
    double lambda, nu;
  };

  // Solves the machine of lambda; returns the one to look at next.
  double next(double lambda) {
    const double cost = 1 / (lambda * part_.side.total);
    NuSolution here{.solution = solve_at_cost(part_, {Loss::hinge, 0}, cost, tolerance_)};
    const std::vector<double>&beta = here.solution.state.beta, &f = here.solution.state.f;
    double squared = 0;
    for (std::size_t i = 0; i < beta.size(); ++i) squared += beta[i] * f[i];
    const Tried tried{lambda, mass_of(here.solution) * lambda};
    const double off = std::abs(tried.nu - spec_.nu);
    // The cost beside F, as certificate/svm/nu.hpp has it.
    const bool near = off * (1 + longest_ * std::sqrt(std::max(0.0, squared))) <= tolerance_ * unit_ / 4;
    here.cost = cost, here.empty = !near && tried.nu > spec_.nu;
    stuck_ = off < best_off_ / 2 ? 0 : stuck_ + 1; // by rounding, if this goes on
    done_ = near || here.solution.interrupted || stuck_ == 3;
    if (off < best_off_) best_off_ = off, best_ = std::move(here);
    const bool above = tried.nu > spec_.nu;
    const Tried before = above ? high_ : low_;
    (above ? high_ : low_) = tried;
    const bool between = low_.nu >= 0 && high_.nu < kInfinity;
    const double slope = between                                   ? (high_.nu - low_.nu) / (high_.lambda - low_.lambda)
                         : before.nu >= 0 && before.nu < kInfinity ? (tried.nu - before.nu) / (lambda - before.lambda)
                                                                   : squared;
    const double to = slope > 0 ? lambda + (spec_.nu - tried.nu) / slope : 0;
    if (between) return to > low_.lambda && to < high_.lambda ? to : (low_.lambda + high_.lambda) / 2;
    return above ? std::max(to, kLess * lambda) : std::max(to, 2 * lambda);
  }

  const PartRows part_;
  const MachineSpec& spec_;
  double tolerance_;
  double longest_ = 0, unit_ = 1, best_off_ = kInfinity;
  Tried low_{0, -1}, high_{kInfinity, kInfinity}; // the nearest on either side of nu
  NuSolution best_;
  int stuck_ = 0;
  bool done_ = false;
};

// Many linear rows beside their columns: working sets begin where an interior point method ends, and have little to do.
Index begin_by_interior_point(const GroupedProblem& problem, const LinearRows& rows, GroupedSettings& settings,
                              Pool& pool) {
  constexpr Index kSystem = 1500, kSparseSystem = 500; // columns, as solver/svm/linear.cpp has them
  constexpr Index kFewSteps = 2000, kStepsPerTerm = 20;
  const Index most = rows.sparse() ? kSparseSystem : kSystem;
  if (rows.cols() > most || rows.rows() < 2 * rows.cols() || !has_room_inside(problem)) return 0;
  try {
    const auto goal = [&](const std::vector<double>& levels) { return 0.01 * settings.tolerance(levels); };
    InteriorPoint inner = solve_by_interior_point(problem, rows, {.gap = goal}, pool);
    settings.start = std::move(inner.beta);
    settings.steps = kFewSteps + kStepsPerTerm * problem.terms();
    return inner.steps;
  } catch (const Interrupted&) { // working sets have a point at any time, and will be told too
    return 0;
  }
}

} // namespace

NuSolution solve_nu(const PartRows& part, double tolerance) {
  const auto& [rows, side, spec, pool] = part;
  const bool linear = spec.kernel.linear();
  const auto kernel = kernel::make_kernel(spec.kernel);
  // The coefficients add up to zero, so that rows may be moved about their mean, where products keep their digits.
  const kernel::Points points = rows.points(side.present, *kernel, linear);
  const double cost = spec.finds_tube() ? spec.cost(side.total) : 0;
  const GroupedProblem problem = spec.finds_margin()
                                     ? margin_problem(side, spec.nu)
                                     : tube_problem(side.target, side.weight, spec.nu * cost * side.total / 2, cost);
  GroupedSettings settings{.cache = spec.cache};
  if (spec.finds_margin()) {
    const double unit = largest_nu(side); // F at w = 0
    settings.tolerance = [=](const std::vector<double>& r) {
      return tolerance * unit * std::max(0.0, r[0] + r[1]) / 8;
    };
  } else {
    const std::vector<double> none(side.present.size());
    const double unit = grouped_primal(problem, none, 0, best_level_of_groups(problem, none));
    settings.tolerance = [=](const std::vector<double>&) { return tolerance * unit / 4; };
  }
  const Index inner =
      linear ? begin_by_interior_point(problem, rows.linear_rows(side, true, 0, pool), settings, pool) : 0;
  GroupedSolution grouped = solve_grouped(problem, *kernel, points, settings, pool);
  grouped.interior_steps += inner;
  const bool near = grouped.gap <= settings.tolerance(grouped.levels);
  const bool by_cost = spec.finds_margin() && !near && !grouped.interrupted && kernel->definite();
  const double least = near || by_cost ? -kInfinity : 1e-12 * largest_diagonal(*kernel, points); // by rounding alone
  NuSolution out =
      spec.finds_margin() ? margin_solution(std::move(grouped), side, least) : tube_solution(std::move(grouped), cost);
  if (by_cost && !out.empty) return CostOfNu(part, tolerance).run(1 / (out.cost * side.total), out.solution);
  if (spec.finds_tube()) {
    const auto [low, high] = std::ranges::minmax(problem.target);
    if (out.epsilon <= 1e-6 * (high - low) && !out.solution.interrupted && solve_without_tube(part, tolerance, out))
      return out;
  }
  if (!linear || out.empty) return out;
  out.solution.w = rows.combination(side.present, out.solution.state.beta);
  double moved = 0;
  for (std::size_t j = 0; j < points.centre().size(); ++j) moved += out.solution.w[j] * points.centre()[j];
  out.solution.intercepts.low -= moved, out.solution.intercepts.high -= moved;
  return out;
}

} // namespace recta::svm
