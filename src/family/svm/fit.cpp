#include "family/svm/fit.hpp"

#include "base/kept_work.hpp"
#include "base/listening.hpp"
#include "family/params.hpp"
#include "family/svm/ascent.hpp"
#include "family/svm/by_passes.hpp"
#include "family/svm/hard.hpp"
#include "family/svm/judge.hpp"
#include "family/svm/kept.hpp"
#include "family/svm/nu.hpp"
#include "family/svm/tube_by_rounds.hpp"
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

PartSolution solved_for_nu(const MachineRows& rows, const MachineRows::Side& side, const MachineSpec& spec,
                           const FitOptions& options, Pool& pool) {
  NuSolution nu = solve_nu(rows, side, spec_of_side(spec, rows, side), options.tolerance, pool);
  PartSolution out{std::move(nu.solution), "working-sets", "", nu.cost, nu.epsilon, nu.empty};
  out.reason = fmt::format("nu is given: {} steps over {} working sets{}", out.solution.steps, out.solution.rounds,
                           rest_of_reason(out.solution));
  return out;
}

// The same C, with the weights of the classes.
void weigh_classes(const MachineRows& rows, const MachineRows::Side& drawn, const MachineRows::Side& side,
                   const MachineSpec& spec, const FitOptions& options, PartSolution& part, Pool& pool) {
  if (part.empty) return;
  const bool interrupted = part.solution.interrupted, gave_up = part.solution.gave_up;
  part.of_nu = witness_of(part.solution, drawn);
  part.solution = solve_at_cost(rows, side, spec, spec.terms, part.cost, options.tolerance, pool);
  part.solution.interrupted = part.solution.interrupted || interrupted;
  part.solution.gave_up = part.solution.gave_up || gave_up;
}

// The weight of a constant column is an intercept.
void take_intercept(double constant, Solution& solution) {
  const double b = solution.w.back() * constant;
  solution.w.pop_back();
  solution.intercepts = {b, b};
  for (double& score : solution.state.f) score -= b;
}

PartSolution solved_linear(const Problem& problem, const MachineRows& rows, const MachineRows::Side& side,
                           const MachineSpec& spec, LinearSettings settings, KeptMachine& kept, Pool& pool) {
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
Solution solved_by_kernel(const Problem& problem, const MachineRows& rows, const MachineRows::Side& side,
                          const MachineSpec& spec, double tolerance, KeptMachine& kept, Pool& pool) {
  const auto kernel = kernel::make_kernel(spec.kernel);
  SmoSettings settings{.tolerance = tolerance, .cache = spec.cache, .start = kept.start(problem)};
  KernelMatrix& held = kept.matrix(spec.kernel, rows.points(side.present, *kernel, false, &pool), spec.cache, pool);
  Solution out = solve_by_smo(problem, held, settings, pool);
  kept.keep(problem, out.state);
  return out;
}

PartSolution solved(const MachineRows& rows, const MachineRows::Side& side, const MachineSpec& spec,
                    const FitOptions& options, KeptMachine& kept, Pool& pool) {
  if (!std::isnan(spec.nu)) return solved_for_nu(rows, side, spec, options, pool);
  const Problem problem = problem_of(side, spec, options.intercept && spec.intercept_scale == 0);
  const double tolerance = options.tolerance * null_cost(problem) / 4;
  if (spec.ascends) {
    PartSolution out{solve_by_ascent(problem, rows, side, spec, tolerance), "projected-gradient", ""};
    out.reason = fmt::format("it was asked for: {} steps along the dual", out.solution.steps);
    return out;
  }
  if (spec.kernel.linear())
    return solved_linear(problem, rows, side, spec, {.tolerance = tolerance, .cache = spec.cache, .seed = options.seed},
                         kept, pool);
  PartSolution out{solved_by_kernel(problem, rows, side, spec, tolerance, kept, pool), "working-sets", ""};
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

FitSummary summary_of(const std::vector<PartSolution>& solutions, const MachineRows& rows, const FitOptions& options) {
  FitSummary out;
  out.solver = solutions[0].method;
  out.reason = solutions[0].reason;
  if (solutions.size() > 1) out.reason += fmt::format("; and {} more machines", solutions.size() - 1);
  for (const double v : rows.weight) out.rows += v > 0 ? 1 : 0, out.weight_sum += v;
  out.weights_are = options.weights_are;
  return out;
}

Stopped stopped_of(const std::vector<PartSolution>& solutions, const Clock& clock) {
  Stopped out{.why = "the gap is within the tolerance"};
  for (const PartSolution& part : solutions) {
    out.gave_up = out.gave_up || part.solution.gave_up;
    out.early = out.early || part.solution.interrupted;
  }
  if (out.gave_up) out.why = "the search came no nearer";
  if (out.early) out.why = clock.stop_reason();
  return out;
}

// w = sum_i beta_i x_i is a difference of terms of the size of C x, and is about 1 / x itself. The proof adds another
// 16 digits to those of a coefficient, and the search keeps w itself; beyond C x^2 = 1e44 or so that is not enough
// either.
Result<void> check_sizes(const MachineSpec& spec, const MachineRows& held, const std::vector<MachineRows::Side>& sides,
                         const Schema& schema, const Rows& rows, Pool& pool) {
  constexpr double kMost = 1e40;
  if (!spec.kernel.linear() || !labelled(spec.terms.loss) || spec.penalty == Penalty::absolutes || !std::isnan(spec.nu))
    return {};
  for (const auto& side : sides) {
    const double cost = spec.cost(side.total);
    const auto [row, j, x] = held.largest(side, pool);
    if (!(cost * x * x > kMost)) continue;
    return fail(
        ErrorCode::bad_data,
        fmt::format("{}, row {}, column {}", rows.name, row + 1, places_of(schema, rows.name).feature(j)),
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

} // namespace

Result<void> check_classes(const std::string& word, const Schema& schema, const Rows& rows) {
  if (schema.classes.labels.empty() || schema.classes.count() >= 2) return {};
  return fail(
      ErrorCode::bad_data, fmt::format("{}, target {}", rows.name, schema.targets.at(0)),
      fmt::format("all rows are of the class \"{}\", and {} tells classes apart", schema.classes.labels[0], word),
      "give rows of two classes or more");
}

Result<Prepared> prepare(const Request& request, const Schema& schema, const Rows& rows) {
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

Result<Model> fit_machine(const Request& request, Schema schema, const Rows& rows, const Clock& clock) {
  const FitOptions& options = *request.options;
  if (fits_by_passes(request, rows)) return fit_by_passes(request, std::move(schema), rows, clock);
  if (fits_tube_by_rounds(request, rows)) return fit_tube_by_rounds(request, std::move(schema), rows, clock);
  Pool pool(options.threads);
  const auto pass = checked_pass(rows, schema, pool, clock.watch());
  if (!pass) return std::unexpected(pass.error());
  const auto prepared = prepare(request, schema, rows);
  if (!prepared) return std::unexpected(prepared.error());
  const auto& [held, spec] = *prepared;
  if (spec.ascends)
    if (auto good = check_ascent_fit(request, held, rows); !good) return std::unexpected(good.error());
  Model model = begin_model(request, pass->fingerprint.fingerprint());
  keep_meaningful(spec, model.params);
  if (spec.hard) return fit_hard(request, std::move(schema), rows, held, std::move(model), pool, clock);
  const auto sides = held.sides(spec.against_rest);
  if (auto good = check_nu(spec, held, schema, rows); !good) return std::unexpected(good.error());
  if (auto good = check_sizes(spec, held, sides, schema, rows, pool); !good) return std::unexpected(good.error());
  std::vector<PartSolution> solutions;
  {
    const Watch watch = clock.watch(); // the listening looks at it
    const Listening listening(watch, "solving");
    KeptMachines none, *const kept = KeptWork::find<KeptMachines>();
    double matrices = 0; // bytes of all kernel matrices
    for (const auto& side : sides) matrices += 8 * std::pow(static_cast<double>(side.present.size()), 2);
    const bool weighs = spec.finds_margin() && held.weighs_classes();
    const auto drawn = weighs ? held.sides(spec.against_rest, held.drawn) : std::vector<MachineRows::Side>{};
    for (std::size_t p = 0; p < sides.size(); ++p) {
      KeptMachine& kept_machine = (kept ? *kept : none).of(p);
      solutions.push_back(solved(held, weighs ? drawn[p] : sides[p], spec, options, kept_machine, pool));
      if (weighs) weigh_classes(held, drawn[p], sides[p], spec, options, solutions.back(), pool);
      if (!kept || matrices > static_cast<double>(spec.cache)) kept_machine.forget_rows();
    }
  }
  for (std::size_t p = 0; p < solutions.size(); ++p)
    if (solutions[p].empty) return nu_tells_nothing(spec, schema, rows);
  Machine machine{.kernel = spec.kernel,
                  .classes = held.classes,
                  .intercept = options.intercept,
                  .against_rest = spec.against_rest && held.classes > 2,
                  .finds_tube = spec.finds_tube(),
                  .vectors = {},
                  .parts = {}};
  add_parts(solutions, sides, spec, machine);
  machine.vectors.features = held.held->cols(), machine.vectors.sparse = held.sparse();
  if (!machine.linear()) machine.vectors.take(held);
  FitSummary summary = summary_of(solutions, held, options);
  const Stopped stopped = stopped_of(solutions, clock);
  const double weight = summary.weight_sum;
  const auto body = std::make_shared<MachineBody>(std::move(machine), std::move(summary));
  const auto judged = judge_machine(*body, spec, held, options.tolerance, stopped, pool, {});
  if (!judged) return std::unexpected(judged.error());
  body->set_accuracy(judged->right / weight);
  body->set_squared(judged->squared);
  model.body = body;
  model.certificate = judged->certificate;
  if (!stopped.early) short_of_proof(model.certificate);
  model.objective = objective_text(spec, sides[0].total, options.intercept);
  model.schema = std::move(schema);
  return model;
}

Result<Certificate> verify_machine(const Model& model, const Rows& rows, const Clock& clock) {
  Pool pool;
  if (const auto pass = recognise(model, rows, {}, pool, clock); !pass) return std::unexpected(pass.error());
  const auto* body = dynamic_cast<const MachineBody*>(model.body.get());
  if (!body) return fail(ErrorCode::bad_model_file, "model", "it is no machine", "fit it again");
  if (body->machine().by_rule()) return verify_by_rule(model, *body, rows, pool, clock);
  const auto held = MachineRows::hold(model.schema, rows);
  if (!held) return std::unexpected(held.error());
  MachineSpec spec = spec_of(model.params, model.classifies());
  if (spec.hard) return verify_hard(model, *body, rows, *held, pool, clock);
  held->set_gamma(spec.kernel);
  Stopped stopped{.why = model.certificate.stop};
  stopped.early = model.certificate.verdict == Verdict::stopped_early;
  auto judged = judge_machine(*body, spec, *held, model.certificate.tolerance, stopped, pool, clock.watch());
  if (!judged) return std::unexpected(judged.error());
  Certificate& certificate = judged->certificate;
  const auto differs = [&](const std::string& what, double stored, double computed) {
    if (std::isnan(stored) || std::abs(stored - computed) <= 1e-9 * std::abs(computed)) return;
    certificate.verdict = Verdict::refuted;
    certificate.conditions.push_back(fmt::format("{} {} in the file, {} by the rows", what, stored, computed));
  };
  for (std::size_t p = 0; p < judged->squared.size(); ++p)
    differs("|w|^2", std::max(0.0, body->machine().parts[p].squared), judged->squared[p]);
  if (body->machine().finds_tube != spec.finds_tube()) differs("the tube", kInfinity, spec.terms.epsilon);
  differs("the objective", model.certificate.objective, certificate.objective);
  for (const std::string& difference : kernel_differences(body->machine().kernel, spec.kernel)) {
    certificate.verdict = Verdict::refuted;
    certificate.conditions.push_back(difference);
  }
  if (body->machine().against_rest != (spec.against_rest && held->classes > 2))
    differs("machines, against the rest or not", body->machine().against_rest, spec.against_rest);
  double weight = 0, present = 0;
  for (const double v : held->weight) weight += v, present += v > 0 ? 1 : 0;
  differs("the sum of the weights", body->summary().weight_sum, weight);
  differs("rows", static_cast<double>(body->summary().rows), present);
  if (model.classifies()) differs("the accuracy", body->summary().classes.accuracy, judged->right / weight);
  return certificate;
}

} // namespace recta::svm
