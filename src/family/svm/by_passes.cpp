#include "family/svm/by_passes.hpp"

#include "base/sums.hpp"
#include "certificate/svm/by_rule.hpp"
#include "family/params.hpp"
#include "family/svm/fit.hpp"
#include "family/svm/judge.hpp"
#include "solver/svm/wide_by_passes.hpp"
#include "stats/pass.hpp"
#include "stats/rows.hpp"

#include <algorithm>
#include <fmt/format.h>

namespace recta::svm {
namespace {

// Whether there are too many columns for the products of all pairs of them, which write sparse rows out on the way.
bool too_wide(const Rows& rows) {
  constexpr Index kSparseColumns = 500;
  return rows.source.cols() > (rows.sparse ? kSparseColumns : kPassesColumns);
}

// The weight of the rows whose class is predicted, by the rule of prediction. The body outlives it.
struct RightRows {
  const Body* body = nullptr;
  double right = 0, rows = 0;

  void accumulate(const Batch& batch) {
    std::vector<double> scores(at(batch.rows() * body->scores()));
    if (!body->score(batch, ScoresOf::classes, scores.data())) {
      right = kNaN; // cannot be: these rows were read before
      return;
    }
    for (const Index i : present_rows(batch)) {
      const double target = element(batch.target, i, 0), v = batch.weight.empty() ? 1 : batch.weight[at(i)];
      const double* const row_scores = scores.data() + i * body->scores();
      const bool same =
          body->scores() == 1
              ? (row_scores[0] >= 0) == (target > 0)
              : static_cast<double>(std::max_element(row_scores, row_scores + body->scores()) - row_scores) == target;
      rows += 1, right += same ? v : 0;
    }
  }
  void merge(const RightRows& other) { right += other.right, rows += other.rows; }
  std::string to_bytes() const {
    StateWriter out("righ");
    out.put(right);
    out.put(rows);
    return out.take();
  }
  static Result<RightRows> from_bytes(std::string_view bytes) {
    StateReader in("righ", bytes);
    RightRows out;
    out.right = in.number(), out.rows = in.number();
    if (!in.done()) return damaged_state("rows that are predicted right");
    return out;
  }
};

std::vector<Sides> all_sides(Index classes, bool against_rest) {
  if (classes < 3) return {Sides{}};
  std::vector<Sides> out;
  for (Index k = 0; k < classes; ++k) {
    if (against_rest) out.push_back({classes, k, classes});
    for (Index l = k + 1; l < classes && !against_rest; ++l) out.push_back({classes, k, l});
  }
  return out;
}

// Rows about their means if the intercept is free, so that columns far from zero cost no digits; sparse ones as they
// are.
std::vector<double> centre_of(const FirstPass& pass, const Rows& rows, bool free_intercept) {
  std::vector<double> out(at(rows.source.cols()));
  for (std::size_t j = 0; j < out.size() && free_intercept && !rows.sparse; ++j)
    out[j] = pass.sums->mean(static_cast<Index>(j)).hi;
  return out;
}

Part part_of(const PassesMachine& machine, const Sides& sides, const std::vector<double>& centre) {
  Part part{.positive = sides.positive, .negative = sides.negative};
  part.cost = machine.cost, part.w = machine.at, part.rule = machine.rule;
  part.w.pop_back(), part.rule.push_back(machine.width);
  CompensatedSum b;
  b.add(machine.at.back());
  for (std::size_t j = 0; j < centre.size(); ++j) {
    b.add_product(-centre[j], part.w[j]);
    part.squared += part.w[j] * part.w[j];
  }
  part.b = part.b_low = part.b_high = b.value();
  return part;
}

std::shared_ptr<const RuleClaim> claim_of(const Machine& machine, const MachineSpec& spec) {
  auto out = std::make_shared<RuleClaim>();
  out->terms = spec.terms, out->intercept = machine.intercept, out->intercept_scale = spec.intercept_scale;
  out->centre = machine.centre;
  for (const Part& part : machine.parts) {
    const Sides sides{std::max<Index>(2, machine.classes), part.positive, part.negative};
    const std::vector<double> rule(part.rule.begin(), part.rule.end() - 1);
    out->machines.push_back({sides, part.w, part.b, part.cost, rule, part.rule.back()});
  }
  return out;
}

// The certificate, by one pass over the rows.
struct Ruled {
  Certificate certificate;
  double right = 0, rows = 0, weight = 0; // of all rows; rows: their number
};

Result<Ruled> judge_by_rule(const MachineBody& body, const MachineSpec& spec, const Rows& rows, double tolerance,
                            const Stopped& stopped, Pool& pool, const Watch& watch) {
  const Machine& machine = body.machine();
  const Both<RuleJudge, RightRows> empty{RuleJudge(claim_of(machine, spec)), RightRows{&body}};
  const auto sums = fresh_pass(rows.source, empty, pool, watch, {"certifying"});
  if (!sums) return std::unexpected(sums.error());
  Joined all;
  Ruled out{{}, sums->second.right, sums->second.rows};
  for (std::size_t p = 0; p < machine.parts.size(); ++p) {
    const Part& part = machine.parts[p];
    const Proof proof = sums->first.proof(p);
    const double cost = spec.cost(proof.weight);
    join(proof, 1 / (cost * proof.weight), tolerance, all);
    const auto compare = [&](const char* what, double stored, double by_rows, double within) {
      if (!(std::abs(stored - by_rows) <= within))
        all.differences.push_back(fmt::format("{} {} in the file, {} by the rows", what, stored, by_rows));
    };
    compare("C", part.cost, cost, 1e-9 * cost);
    compare("|w|^2", part.squared, proof.squared, 1e-6 * proof.squared);
    compare("the lower end of the intercept", part.b_low, part.b, 0);
    compare("the upper end of the intercept", part.b_high, part.b, 0);
    out.weight = std::max(out.weight, proof.weight);
  }
  out.certificate = certificate_of(all, true, tolerance, stopped);
  out.certificate.conditions.emplace_back("the multiplier of every row was computed again by the rule of the model");
  if (machine.parts.size() > 1)
    out.certificate.conditions.push_back(
        fmt::format("{} machines, {}; figures are their sums", machine.parts.size(),
                    machine.against_rest ? "each class against the rest" : "all classes against all"));
  return out;
}

Stopped stopped_of(const PassesSolution& solution, const Clock& clock) {
  Stopped out{.early = solution.interrupted, .why = "the gap is within the tolerance"};
  for (const PassesMachine& machine : solution.machines) out.gave_up = out.gave_up || machine.gave_up;
  if (out.gave_up) out.why = "the search came no nearer";
  if (out.early) out.why = clock.stop_reason();
  return out;
}

// A check that is stopped is made all the same: without it there would be no claim at all.
Result<Ruled> judged_after(const MachineBody& body, const MachineSpec& spec, const Rows& rows, double tolerance,
                           Stopped& stopped, Pool& pool, const Clock& clock) {
  if (!stopped.early) {
    auto judged = judge_by_rule(body, spec, rows, tolerance, stopped, pool, clock.watch());
    if (judged || judged.error().code != ErrorCode::interrupted) return judged;
    stopped.early = true, stopped.why = clock.stop_reason();
  }
  return judge_by_rule(body, spec, rows, tolerance, stopped, pool, {});
}

// Checks the classes, and says how the machines are found.
PassesProblem problem_of(const MachineSpec& spec, const FitOptions& options, Index classes,
                         std::vector<double> centre) {
  PassesProblem out;
  out.loss = spec.terms.loss, out.intercept = options.intercept, out.intercept_scale = spec.intercept_scale;
  out.centre = std::move(centre);
  out.machines = all_sides(classes, spec.against_rest);
  out.cost = [&spec](double weight) { return spec.cost(weight); };
  out.tolerance = options.tolerance;
  return out;
}

} // namespace

bool fits_by_passes(const Request& request, const Rows& rows) {
  if (rows.source.rows() || rows.single_pass || !request.info->classes) return false;
  const MachineSpec spec = spec_of(request.params, true);
  return spec.kernel.linear() && std::isnan(spec.nu) && !spec.hard && !spec.ascends &&
         spec.penalty == Penalty::squares && rows.source.cols() > 0;
}

Result<Model> fit_by_passes(const Request& request, Schema schema, const Rows& rows, const Clock& clock) {
  const FitOptions& options = *request.options;
  Pool pool(options.threads);
  if (auto good = check_classes(request.info->word, schema, rows); !good) return std::unexpected(good.error());
  const auto pass = first_pass_with_sums(rows, schema, pool, clock.watch());
  if (!pass) return std::unexpected(pass.error());
  if (auto good = check_rows(*pass, schema, rows); !good) return std::unexpected(good.error());
  const MachineSpec spec = spec_of(request.params, true);
  const Index classes = schema.classes.count();
  const bool free_intercept = options.intercept && spec.intercept_scale == 0;
  const PassesProblem problem = problem_of(spec, options, classes, centre_of(*pass, rows, free_intercept));
  const bool by_products = too_wide(rows);
  const auto solution =
      (by_products ? solve_wide_by_passes : solve_by_passes)(problem, rows.source, pool, clock.watch());
  if (!solution) return std::unexpected(solution.error());
  Machine machine{.kernel = spec.kernel,
                  .classes = classes,
                  .intercept = options.intercept,
                  .against_rest = spec.against_rest && classes > 2,
                  .vectors = {},
                  .parts = {},
                  .centre = problem.centre};
  machine.vectors.features = rows.source.cols(), machine.vectors.sparse = rows.sparse;
  for (std::size_t p = 0; p < solution->machines.size(); ++p)
    machine.parts.push_back(part_of(solution->machines[p], problem.machines[p], problem.centre));
  FitSummary summary;
  summary.solver = by_products ? "newton-cg" : "newton";
  summary.reason =
      fmt::format("the rows are read in passes: {} passes{}", solution->passes,
                  squared(spec.terms.loss) ? "" : ", the hinge smoothed, then the rows near the margin by themselves");
  summary.weights_are = options.weights_are;
  Stopped stopped = stopped_of(*solution, clock);
  const MachineBody body(machine, summary);
  const auto judged = judged_after(body, spec, rows, options.tolerance, stopped, pool, clock);
  if (!judged) return std::unexpected(judged.error());
  summary.rows = pass->sums->rows, summary.weight_sum = pass->sums->weight.hi;
  summary.classes.accuracy = judged->right / summary.weight_sum;
  Model model = begin_model(request, pass->fingerprint.fingerprint());
  keep_meaningful(spec, model.params);
  model.body = std::make_shared<MachineBody>(std::move(machine), std::move(summary));
  model.certificate = judged->certificate;
  model.certificate.passes = solution->passes + 2;
  if (!stopped.early) short_of_proof(model.certificate);
  model.objective = objective_text(spec, solution->machines[0].weight, options.intercept);
  model.schema = std::move(schema);
  return model;
}

Result<Certificate> verify_by_rule(const Model& model, const MachineBody& body, const Rows& rows, Pool& pool,
                                   const Clock& clock) {
  const MachineSpec spec = spec_of(model.params, model.classifies());
  const Machine& machine = body.machine();
  Stopped stopped{.why = model.certificate.stop};
  stopped.early = model.certificate.verdict == Verdict::stopped_early;
  auto judged = judge_by_rule(body, spec, rows, model.certificate.tolerance, stopped, pool, clock.watch());
  if (!judged) return std::unexpected(judged.error());
  Certificate& certificate = judged->certificate;
  const auto refute = [&](std::string why) {
    certificate.verdict = Verdict::refuted;
    certificate.conditions.push_back(std::move(why));
  };
  const auto differs = [&](const char* what, double stored, double computed) {
    if (std::isnan(stored) || std::abs(stored - computed) <= 1e-9 * std::abs(computed)) return;
    refute(fmt::format("{} {} in the file, {} by the rows", what, stored, computed));
  };
  const bool meant = model.classifies() && std::isnan(spec.nu) && !spec.hard && spec.penalty == Penalty::squares;
  if (!meant) refute("a rule proves machines of classes with the penalty of squares, and another one is named");
  for (const std::string& difference : kernel_differences(machine.kernel, spec.kernel)) refute(difference);
  const auto expected = all_sides(model.schema.classes.count(), spec.against_rest);
  bool same = expected.size() == machine.parts.size();
  for (std::size_t p = 0; p < expected.size() && same; ++p)
    same = machine.parts[p].positive == expected[p].positive && machine.parts[p].negative == expected[p].negative;
  if (!same || machine.against_rest != (spec.against_rest && machine.classes > 2))
    refute("its machines are not those of its classes");
  differs("the objective", model.certificate.objective, certificate.objective);
  differs("rows", static_cast<double>(body.summary().rows), judged->rows);
  if (machine.classes < 3 || machine.against_rest)
    differs("the sum of the weights", body.summary().weight_sum, judged->weight);
  differs("the accuracy", body.summary().classes.accuracy, judged->right / body.summary().weight_sum);
  certificate.passes = 2;
  return certificate;
}

} // namespace recta::svm
