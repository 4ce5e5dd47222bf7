// Linear machines of rows that are not held in memory: they are read in passes, and each answer is proved by a rule.
#include "base/sums.hpp"
#include "certificate/kernel/stated_kernel.hpp"
#include "certificate/stated/differences.hpp"
#include "certificate/svm/by_rule.hpp"
#include "family/svm/fit.hpp"
#include "params/params.hpp"
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
struct RightRows : Saved<RightRows> {
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
  static constexpr std::string_view kTag = "righ", kName = "rows that are predicted right";
  static void fields(auto& s, auto& io) { io(s.right, s.rows); }
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
struct Ruled : RuleJudged {
  double right = 0, rows = 0; // weight of the rows whose class is predicted; rows: their number
  double first_weight = 0;    // of the rows of the first machine
  bool ended_early = false;   // the search, or the check
};

Result<Ruled> judge_by_rule(Work& work, const MachineSpec& spec, const MachineBody& body, const Ended& ended,
                            const Watch& watch) {
  const Machine& machine = body.machine();
  const Both<RuleJudge, RightRows> empty{RuleJudge(claim_of(machine, spec)), RightRows{{}, &body}};
  const auto sums = fresh_pass(work.rows.source, empty, work.pool, watch, {"certifying"});
  if (!sums) return std::unexpected(sums.error());
  RuleStated stated{
      {}, [&](double weight) { return spec.cost(weight); }, work.options().tolerance, ended, machine.against_rest};
  for (const Part& part : machine.parts) stated.parts.push_back(stated_part(machine, part));
  return Ruled{certify(sums->first, stated), sums->second.right, sums->second.rows, sums->first.proof(0).weight,
               ended.early};
}

PassesProblem problem_of(const Work& work, const MachineSpec& spec) {
  const FitOptions& options = work.options();
  PassesProblem out;
  out.loss = spec.terms.loss, out.intercept = options.intercept, out.intercept_scale = spec.intercept_scale;
  out.centre = centre_of(work.seen, work.rows, options.intercept && spec.intercept_scale == 0);
  out.machines = all_sides(work.schema().classes.count(), spec.against_rest);
  out.cost = [&spec](double weight) { return spec.cost(weight); };
  out.tolerance = options.tolerance;
  return out;
}

class PassesSteps final : public Steps<MachineSpec, Draft, Ruled> {
  Result<void> admit(Work& work) const override {
    return check_classes(work.request.info->word, work.schema(), work.rows);
  }

  Result<FirstPass> read(Work& work) const override {
    return work.verifies() ? first_pass(work, {}) : first_pass_with_sums(work);
  }

  Result<MachineSpec> pose(Work& work) const override {
    MachineSpec out = spec_of(work.request.params, work.request.info->classes);
    if (!work.verifies()) keep_meaningful(out, work.request.params);
    return out;
  }

  Result<Draft> solve(Work& work, const MachineSpec& spec) const override {
    const PassesProblem problem = problem_of(work, spec);
    const bool by_products = too_wide(work.rows);
    const auto solution =
        (by_products ? solve_wide_by_passes : solve_by_passes)(problem, work.rows.source, work.pool, work.watch());
    if (!solution) return std::unexpected(solution.error());
    Machine machine = empty_machine(work, spec, work.rows.sparse);
    machine.centre = problem.centre;
    for (std::size_t p = 0; p < solution->machines.size(); ++p)
      machine.parts.push_back(part_of(solution->machines[p], problem.machines[p], problem.centre));
    FitSummary summary;
    summary.solver = by_products ? "newton-cg" : "newton";
    summary.reason = fmt::format(
        "the rows are read in passes: {} passes{}", solution->passes,
        squared(spec.terms.loss) ? "" : ", the hinge smoothed, then the rows near the margin by themselves");
    summary.rows = work.seen.sums->rows, summary.weight_sum = work.seen.sums->weight.hi;
    summary.weights_are = work.options().weights_are;
    Draft out{std::make_shared<MachineBody>(std::move(machine), std::move(summary)), "the gap is within the tolerance",
              solution->interrupted};
    out.passes = solution->passes;
    out.gave_up = std::ranges::any_of(solution->machines, &PassesMachine::gave_up);
    if (out.gave_up) out.stop = "the search came no nearer";
    if (out.ended_early) out.stop = work.clock.stop_reason();
    return out;
  }

  Result<Draft> stated(Work& work, const MachineSpec&) const override { return stated_search<MachineBody>(work); }

  // A check of a fit that is stopped is made all the same: without it there would be no claim at all.
  Result<Ruled> prove(Work& work, const MachineSpec& spec, const Draft& draft) const override {
    Ended ended = ended_of(draft);
    if (work.verifies() || !ended.early) {
      auto judged = judge_by_rule(work, spec, *draft.body, ended, work.watch());
      if (work.verifies() || judged || judged.error().code != ErrorCode::interrupted) return judged;
      ended.early = true, ended.why = work.clock.stop_reason();
    }
    return judge_by_rule(work, spec, *draft.body, ended, {});
  }

  Result<void> describe(Work& work, const MachineSpec& spec, const Draft& draft, Ruled& judged) const override {
    const Machine& machine = draft.body->machine();
    FitSummary summary = draft.body->summary();
    if (work.verifies()) {
      summary.rows = static_cast<Index>(judged.rows);
      if (machine.classes < 3 || machine.against_rest) summary.weight_sum = judged.weight;
    }
    summary.classes = {}, summary.classes.accuracy = judged.right / summary.weight_sum;
    work.figures = summary;
    work.model.objective = objective_text(spec, judged.first_weight, machine.intercept);
    work.model.certificate.passes = draft.passes + 2;
    if (work.verifies()) return {};
    if (!judged.ended_early) short_of_proof(work.model.certificate);
    work.model.body = draft.body->with(std::move(summary), {});
    return {};
  }

  Result<void> compare(Work& work, const MachineSpec& spec, const Draft& draft, Ruled& judged) const override {
    const Machine& machine = draft.body->machine();
    Differences differences;
    if (!work.request.info->classes || !std::isnan(spec.nu) || spec.hard || spec.penalty != Penalty::squares)
      differences.add("a rule proves machines of classes with the penalty of squares, and another one is named");
    compare_kernels(machine.kernel, spec.kernel, differences);
    const auto expected = all_sides(work.schema().classes.count(), spec.against_rest);
    const auto same_sides = [](const Part& part, const Sides& sides) {
      return part.positive == sides.positive && part.negative == sides.negative;
    };
    if (!std::ranges::equal(machine.parts, expected, same_sides) ||
        machine.against_rest != (spec.against_rest && machine.classes > 2))
      differences.add("its machines are not those of its classes");
    differences.refute(judged.certificate);
    return {};
  }
};

} // namespace

bool fits_by_passes(const Request& request, const Rows& rows) {
  if (rows.source.rows() || rows.single_pass || !request.info->classes) return false;
  const MachineSpec spec = spec_of(request.params, true);
  return spec.kernel.linear() && std::isnan(spec.nu) && !spec.hard && !spec.ascends &&
         spec.penalty == Penalty::squares && rows.source.cols() > 0;
}

const Procedure& by_passes() {
  static const PassesSteps steps;
  return steps;
}

} // namespace recta::svm
