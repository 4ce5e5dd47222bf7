#include "family/svm/fit.hpp"

#include "base/kept_work.hpp"
#include "base/listening.hpp"
#include "certificate/unmeasured.hpp"
#include "family/svm/ascent.hpp"
#include "family/svm/kept.hpp"
#include "family/svm/nu.hpp"
#include "params/params.hpp"
#include "solver/svm/absolutes.hpp"
#include "solver/svm/linear.hpp"
#include "solver/svm/smo.hpp"

#include <algorithm>
#include <fmt/format.h>

namespace recta::svm {
namespace {

// One machine as it was found: coefficients by row.
struct PartSolution {
  Solution solution;
  std::string method, reason;
  double cost = 0, epsilon = 0; // C of a row of weight 1, and a tube that was found
  bool empty = false;           // nu is so small that w = 0 is optimal
  Witness of_nu = {};           // as the part has it
};

Problem problem_of(const MachineRows::Side& side, const MachineSpec& spec, bool intercept) {
  Problem out{spec.terms, intercept, {}, {}};
  const double cost = spec.cost(side.total);
  for (const Index i : side.present)
    out.target.push_back(side.target[at(i)]), out.cost.push_back(cost * side.weight[at(i)]);
  return out;
}

// ", 30 of an interior point method, then the free coefficients together"
std::string rest_of_reason(const Solution& solution) {
  const Index inner = solution.interior_steps, narrowed = solution.narrowed;
  return (narrowed > 0 ? fmt::format(", {} times among the rows that may still move", narrowed) : "") +
         (inner > 0 ? fmt::format(", {} of an interior point method", inner) : "") +
         (solution.exact_end ? ", then the free coefficients together" : "");
}

Witness witness_of(const Solution& solution, const MachineRows::Side& side) {
  Witness out{.b = solution.intercept()};
  for (std::size_t k = 0; k < side.present.size(); ++k)
    if (solution.state.beta[k] != 0) out.rows.push_back(side.present[k]), out.beta.push_back(solution.state.beta[k]);
  return out;
}

PartSolution solved_for_nu(const PartRows& part, const FitOptions& options) {
  const auto& [rows, side, spec, pool] = part;
  const MachineSpec spec_here = spec_of_side(spec, rows, side);
  NuSolution nu = solve_nu({rows, side, spec_here, pool}, options.tolerance);
  PartSolution out{std::move(nu.solution), "working-sets", "", nu.cost, nu.epsilon, nu.empty};
  out.reason = fmt::format("nu is given: {} steps over {} working sets{}", out.solution.steps, out.solution.rounds,
                           rest_of_reason(out.solution));
  return out;
}

// The same C, with the weights of the classes.
void weigh_classes(const PartRows& part, const MachineRows::Side& drawn, const FitOptions& options, PartSolution& out) {
  if (out.empty) return;
  const bool interrupted = out.solution.interrupted, gave_up = out.solution.gave_up;
  out.of_nu = witness_of(out.solution, drawn);
  out.solution = solve_at_cost(part, part.spec.terms, out.cost, options.tolerance);
  out.solution.interrupted = out.solution.interrupted || interrupted;
  out.solution.gave_up = out.solution.gave_up || gave_up;
}

// The weight of a constant column is an intercept.
void take_intercept(double constant, Solution& solution) {
  const double b = solution.w.back() * constant;
  solution.w.pop_back();
  solution.intercepts = {b, b};
  for (double& score : solution.state.f) score -= b;
}

PartSolution solved_linear(const Problem& problem, const PartRows& part, LinearSettings settings, KeptMachine& kept) {
  const auto& [rows, side, spec, pool] = part;
  const bool absolutes = spec.penalty == Penalty::absolutes;
  const LinearRows linear = rows.linear_rows(side, problem.intercept, spec.intercept_scale, pool);
  if (!absolutes) settings.start = kept.start(problem);
  auto solved = absolutes ? solve_with_absolutes(problem, linear, settings.tolerance, pool)
                          : solve_linear(problem, linear, settings, pool);
  if (!absolutes) kept.keep(problem, solved.found.state);
  if (spec.intercept_scale > 0) take_intercept(spec.intercept_scale, solved.found);
  return {std::move(solved.found), solved.method, solved.reason};
}

// A kernel machine, from where the one before it on these rows ended.
Solution solved_by_kernel(const Problem& problem, const PartRows& part, double tolerance, KeptMachine& kept) {
  const auto& [rows, side, spec, pool] = part;
  const auto kernel = kernel::make_kernel(spec.kernel);
  SmoSettings settings{.tolerance = tolerance, .cache = spec.cache, .start = kept.start(problem)};
  KernelMatrix& held = kept.matrix(spec.kernel, rows.points(side.present, *kernel, false, &pool), spec.cache, pool);
  Solution out = solve_by_smo(problem, held, settings, pool);
  kept.keep(problem, out.state);
  return out;
}

PartSolution solved(const PartRows& part, const FitOptions& options, KeptMachine& kept) {
  const auto& [rows, side, spec, pool] = part;
  if (!std::isnan(spec.nu)) return solved_for_nu(part, options);
  const Problem problem = problem_of(side, spec, options.intercept && spec.intercept_scale == 0);
  const double tolerance = options.tolerance * null_cost(problem) / 4;
  if (spec.ascends) {
    PartSolution out{solve_by_ascent(problem, rows, side, spec, tolerance), "projected-gradient", ""};
    out.reason = fmt::format("it was asked for: {} steps along the dual", out.solution.steps);
    return out;
  }
  if (spec.kernel.linear())
    return solved_linear(problem, part, {.tolerance = tolerance, .cache = spec.cache, .seed = options.seed}, kept);
  PartSolution out{solved_by_kernel(problem, part, tolerance, kept), "working-sets", ""};
  out.reason = fmt::format("a kernel: {} steps over {} working sets{}", out.solution.steps, out.solution.rounds,
                           rest_of_reason(out.solution));
  return out;
}

// Coefficients of all parts over the rows that have one in some part.
void add_parts(const std::vector<PartSolution>& solutions, const std::vector<MachineRows::Side>& sides,
               const MachineSpec& spec, Machine& machine) {
  std::vector<Index> place(sides[0].target.size(), -1);
  for (std::size_t p = 0; p < sides.size(); ++p)
    for (std::size_t k = 0; k < sides[p].present.size(); ++k)
      if (solutions[p].solution.state.beta[k] != 0) place[at(sides[p].present[k])] = 0;
  for (std::size_t i = 0; i < place.size(); ++i)
    if (place[i] == 0) {
      place[i] = std::ssize(machine.vectors.rows);
      machine.vectors.rows.push_back(static_cast<Index>(i));
    }
  for (std::size_t p = 0; p < sides.size(); ++p) {
    const Solution& s = solutions[p].solution;
    Part part{.positive = sides[p].positive, .negative = sides[p].negative};
    part.b = s.intercept(), part.b_low = s.intercepts.low, part.b_high = s.intercepts.high;
    if (part.b_high - part.b_low <= 1e-6 * (1 + std::abs(part.b))) part.b_low = part.b_high = part.b; // rounding
    part.cost = spec.finds_margin() ? solutions[p].cost : spec.cost(sides[p].total);
    part.epsilon = solutions[p].epsilon, part.of_nu = solutions[p].of_nu;
    part.w = s.w;
    for (std::size_t k = 0; k < sides[p].present.size(); ++k) {
      const double beta = s.state.beta[k];
      if (beta == 0) continue;
      part.support.push_back(place[at(sides[p].present[k])]);
      part.beta.push_back(beta);
    }
    machine.parts.push_back(std::move(part));
  }
}

// The body of a search, and how the search ended.
Draft draft_of(Machine machine, const std::vector<PartSolution>& solutions, const Work& work) {
  FitSummary summary;
  summary.solver = solutions[0].method;
  summary.reason = solutions[0].reason;
  if (solutions.size() > 1) summary.reason += fmt::format("; and {} more machines", solutions.size() - 1);
  summary.weights_are = work.options().weights_are;
  Draft out{std::make_shared<MachineBody>(std::move(machine), std::move(summary)), "the gap is within the tolerance"};
  for (const PartSolution& part : solutions) {
    out.gave_up = out.gave_up || part.solution.gave_up;
    out.ended_early = out.ended_early || part.solution.interrupted;
  }
  if (out.gave_up) out.stop = "the search came no nearer";
  if (out.ended_early) out.stop = work.clock.stop_reason();
  return out;
}

// w = sum_i beta_i x_i is a difference of terms of the size of C x, and is about 1 / x itself. The proof adds another
// 16 digits to those of a coefficient, and the search keeps w itself; beyond C x^2 = 1e44 or so that is not enough
// either.
Result<void> check_sizes(Work& work, const Prepared& prepared, const std::vector<MachineRows::Side>& sides) {
  const auto& [held, spec] = prepared;
  constexpr double kMost = 1e40;
  if (!spec.kernel.linear() || !labelled(spec.terms.loss) || spec.penalty == Penalty::absolutes || !std::isnan(spec.nu))
    return {};
  for (const auto& side : sides) {
    const double cost = spec.cost(side.total);
    const auto [row, j, x] = held.largest(side, work.pool);
    if (!(cost * x * x > kMost)) continue;
    return fail(
        ErrorCode::bad_data,
        fmt::format("{}, row {}, column {}", work.rows.name, row + 1,
                    places_of(work.schema(), work.rows.name).feature(j)),
        fmt::format(
            "{} is too large beside C = {:.10g}: the penalty on a weight of 1 / x has no digit beside the losses", x,
            cost),
        fmt::format("give the column in larger units, such as {:.0e} of the present ones", std::abs(x)));
  }
  return {};
}

std::unexpected<Error> nu_tells_nothing(const MachineSpec& spec, const Schema& schema, const Rows& rows) {
  return fail(
      ErrorCode::bad_data, fmt::format("{}, target {}", rows.name, schema.targets.at(0)),
      fmt::format("with nu = {} the classes overlap so far that w = 0 is optimal, which tells nothing apart", spec.nu),
      "give a larger nu, or a kernel that separates more");
}

std::vector<PartSolution> solve_all(Work& work, const Prepared& prepared, const std::vector<MachineRows::Side>& sides) {
  const auto& [held, spec] = prepared;
  const FitOptions& options = work.options();
  std::vector<PartSolution> out;
  const Watch watch = work.watch(); // the listening looks at it
  const Listening listening(watch, "solving");
  KeptMachines none, *const kept = KeptWork::find<KeptMachines>();
  double matrices = 0; // bytes of all kernel matrices
  for (const auto& side : sides) matrices += 8 * std::pow(static_cast<double>(side.present.size()), 2);
  const bool weighs = spec.finds_margin() && held.weighs_classes();
  const auto drawn = weighs ? held.sides(spec.against_rest, held.drawn) : std::vector<MachineRows::Side>{};
  for (std::size_t p = 0; p < sides.size(); ++p) {
    KeptMachine& kept_machine = (kept ? *kept : none).of(p);
    out.push_back(solved({held, weighs ? drawn[p] : sides[p], spec, work.pool}, options, kept_machine));
    if (weighs) weigh_classes({held, sides[p], spec, work.pool}, drawn[p], options, out.back());
    if (!kept || matrices > static_cast<double>(spec.cache)) kept_machine.forget_rows();
  }
  return out;
}

class MachineSteps final : public Steps<Prepared, Draft, Judged> {
  Result<Prepared> pose(Work& work) const override { return pose_machine(work); }

  Result<Draft> solve(Work& work, const Prepared& prepared) const override {
    const auto& [held, spec] = prepared;
    const auto sides = held.sides(spec.against_rest);
    if (auto good = check_nu(spec, held, work.schema(), work.rows); !good) return std::unexpected(good.error());
    if (auto good = check_sizes(work, prepared, sides); !good) return std::unexpected(good.error());
    const std::vector<PartSolution> solutions = solve_all(work, prepared, sides);
    if (std::ranges::any_of(solutions, &PartSolution::empty)) return nu_tells_nothing(spec, work.schema(), work.rows);
    Machine machine = empty_machine(work, spec, held.sparse());
    add_parts(solutions, sides, spec, machine);
    if (!machine.linear()) machine.vectors.take(held);
    return draft_of(std::move(machine), solutions, work);
  }

  Result<Draft> stated(Work& work, const Prepared&) const override { return stated_search<MachineBody>(work); }

  // Scores of all rows may take longer than a caller has patience: a machine that was fitted is an answer without them.
  Result<Judged> prove(Work& work, const Prepared& prepared, const Draft& draft) const override {
    const auto& [held, spec] = prepared;
    if (work.verifies()) return judge_machine(work, spec, held, draft, work.watch());
    try {
      return judge_machine(work, spec, held, draft, {});
    } catch (const Interrupted&) {
      return Judged{.certificate = unmeasured(work.clock.stop_reason(), work.options().tolerance),
                    .right = kNaN,
                    .squared = std::vector<double>(draft.body->machine().parts.size(), kNaN)};
    }
  }

  Result<void> describe(Work& work, const Prepared& prepared, const Draft& draft, Judged& judged) const override {
    const auto& [held, spec] = prepared;
    const double total = held.sides(spec.against_rest)[0].total;
    work.model.objective = objective_text(spec, total, draft.body->machine().intercept);
    FitSummary summary = held.figures(draft.body->summary());
    summary.classes.accuracy = judged.right / summary.weight_sum;
    work.figures = summary;
    if (work.verifies()) return {};
    if (!draft.ended_early) short_of_proof(work.model.certificate);
    work.model.body = draft.body->with(std::move(summary), judged.squared);
    return {};
  }

  Result<void> compare(Work&, const Prepared& prepared, const Draft& draft, Judged& judged) const override {
    const auto& [held, spec] = prepared;
    const Machine& machine = draft.body->machine();
    std::vector<double> squared;
    for (const Part& part : machine.parts) squared.push_back(part.squared);
    recta::svm::compare({machine.kernel, spec.kernel, machine.finds_tube, spec.finds_tube(), spec.terms.epsilon,
                         machine.against_rest, spec.against_rest && held.classes > 2, squared},
                        judged);
    return {};
  }
};

const Procedure& of_held_rows(bool hard) {
  static const MachineSteps with_losses;
  return hard ? hard_margin() : with_losses;
}

} // namespace

Result<void> check_classes(const std::string& word, const Schema& schema, const Rows& rows) {
  if (schema.classes.labels.empty() || schema.classes.count() >= 2) return {};
  return fail(
      ErrorCode::bad_data, fmt::format("{}, target {}", rows.name, schema.targets.at(0)),
      fmt::format("all rows are of the class \"{}\", and {} tells classes apart", schema.classes.labels[0], word),
      "give rows of two classes or more");
}

Result<Prepared> prepare(const Request& request, const Schema& schema, const Rows& rows, bool check) {
  if (auto good = check_classes(request.info->word, schema, rows); !good) return std::unexpected(good.error());
  if (rows.source.targets() > 1)
    return refuse(rows.name,
                  fmt::format("there are {} targets, and {} has one", rows.source.targets(), request.info->word),
                  "fit them one by one");
  auto held = MachineRows::hold(schema, rows);
  if (!held) return std::unexpected(held.error());
  Prepared out{*std::move(held), spec_of(request.params, request.info->classes)};
  if (const std::uint64_t limit = request.options->max_memory; limit > 0)
    out.spec.cache = std::min(out.spec.cache, std::max<std::uint64_t>(limit, 1'000'000)); // as little as --cache takes
  out.held.set_gamma(out.spec.kernel);
  if (!check) return out;
  if (auto good = out.held.check_kernel_takes(out.spec.kernel, schema, rows); !good)
    return std::unexpected(good.error());
  return out;
}

void keep_meaningful(const MachineSpec& spec, Params& params) {
  const auto drop_unless = [&](bool meant, std::initializer_list<const char*> names) {
    for (const char* name : names)
      if (!meant) params.erase(name);
  };
  drop_unless(false, {"approximate"}); // a fit with it is one of the features it stands for
  drop_unless(spec.ascends, {"solver", "rate", "steps"});
  drop_unless(spec.penalty == Penalty::absolutes, {"penalty"});
  drop_unless(spec.intercept_scale > 0, {"penalised-intercept", "intercept-scaling"});
}

Result<Prepared> pose_machine(Work& work) {
  auto out = prepare(work.request, work.schema(), work.rows, !work.verifies());
  if (!out || work.verifies()) return out;
  if (out->spec.ascends)
    if (auto good = check_ascent_fit(work.request, out->held, work.rows); !good) return std::unexpected(good.error());
  keep_meaningful(out->spec, work.request.params);
  return out;
}

Machine empty_machine(const Work& work, const MachineSpec& spec, bool sparse) {
  Machine out{.kernel = spec.kernel,
              .classes = work.schema().classes.count(),
              .intercept = work.options().intercept,
              .against_rest = spec.against_rest && work.schema().classes.count() > 2,
              .finds_tube = spec.finds_tube(),
              .vectors = {},
              .parts = {}};
  out.vectors.features = work.rows.source.cols(), out.vectors.sparse = sparse;
  return out;
}

const Procedure& procedure() {
  return of_held_rows(false);
}

const Procedure& procedure_for(const Request& request, const Rows& rows) {
  if (fits_by_passes(request, rows)) return by_passes();
  if (fits_tube_by_rounds(request, rows)) return tube_by_rounds();
  return of_held_rows(spec_of(request.params, request.info->classes).hard);
}

const Procedure& procedure_of(const Model& model) {
  const auto* body = dynamic_cast<const MachineBody*>(model.body.get());
  if (body && body->machine().by_rule()) return by_passes();
  return of_held_rows(spec_of(model.params, model.classifies()).hard);
}

} // namespace recta::svm
