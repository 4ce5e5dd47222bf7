#include "family/group_norm/group_norm.hpp"

#include "certificate/elastic_net/certify.hpp"
#include "certificate/group_norm/certify.hpp"
#include "certificate/stated/figures.hpp"
#include "family/group_norm/request.hpp"
#include "held/column_data.hpp"
#include "model/linear/body.hpp"
#include "params/params.hpp"
#include "solver/group_norm.hpp"
#include "summary/selected.hpp"

namespace recta {
namespace {

// The rows as the solvers want them: their Gram, or their columns in memory.
struct Held {
  std::shared_ptr<const Gram> gram;
  std::unique_ptr<ColumnData> columns;

  static Result<Held> make(const std::string& route, const Rows& rows, std::shared_ptr<const Gram> gram, Pool& pool,
                           const Watch& watch) {
    if (route == "gram") return Held{std::move(gram), nullptr};
    auto data = ColumnData::make(rows, pool, watch);
    if (!data) return std::unexpected(data.error());
    return Held{nullptr, std::make_unique<ColumnData>(*std::move(data))};
  }

  std::unique_ptr<GroupNormSolver> solver(Index first, Index targets, Pool& pool) const {
    if (gram) return group_norm_by_gram(*gram, first, targets);
    const std::span<const double> one = columns->y(first),
                                  all(one.data(), one.size() * static_cast<std::size_t>(targets));
    return std::visit([&](const auto& x) { return group_norm_by_columns(x, all, columns->weight(), pool); },
                      columns->x());
  }
  // One for the targets that are fitted together, and the least strengths without any coefficient, one per target.
  std::vector<std::unique_ptr<GroupNormSolver>> solvers(const GroupNormObjective& objective, Index targets, Pool& pool,
                                                        std::vector<double>& lambda1_max) const {
    const Index together = objective.joint ? targets : 1;
    std::vector<std::unique_ptr<GroupNormSolver>> out;
    for (Index first = 0; first < targets; first += together) {
      out.push_back(solver(first, together, pool));
      lambda1_max.resize(static_cast<std::size_t>(first + together), out.back()->lambda1_max(objective));
    }
    return out;
  }
  DoubleDouble mean(Index j) const { return gram ? mean_of_gram(j) : columns->mean(j); }
  DoubleDouble target_mean(Index t) const { return gram ? mean_of_gram(gram->cols + t) : columns->target_mean(t); }

private:
  DoubleDouble mean_of_gram(Index z) const { return {gram->mean[z], gram->mean_low[z]}; }
};

LeastSquaresObjective squares_of(const GroupNormObjective& objective) {
  return {.lambda2 = objective.lambda2,
          .factors = {},
          .intercept = objective.intercept,
          .standardise = objective.standardise};
}

// The strengths of the penalties, which may have been chosen, and the coefficients under them.
struct GroupClaim {
  GroupNormObjective objective;
  SelectedSolution solution;
};

Result<GroupClaim> solved(Work& work, const GroupRequest& request, const Choice& route) {
  const Watch watch = work.watch();
  const double tolerance = work.options().tolerance;
  GroupClaim out{.objective = request.objective, .solution = {}};
  auto& [objective, solution] = out;
  solution.solver = route.solver, solution.reason = route.reason;
  const auto held = Held::make(route.solver, work.rows, work.seen.gram, work.pool, watch);
  if (!held) return std::unexpected(held.error());
  if (held->columns) solution.passes = held->columns->passes();
  const auto solvers = held->solvers(objective, work.rows.source.targets(), work.pool, solution.lambda1_max);
  if (request.choose) solution.choose_strength(request.l1_share, objective);
  if (request.is_ridge()) {
    LeastSquaresProblem problem;
    problem.objective = squares_of(objective);
    problem.tolerance = tolerance;
    if (auto done = solve_as_ridge(std::move(problem), work, solution); !done) return std::unexpected(done.error());
  } else {
    for (const auto& solver : solvers) {
      // The check counts its own rounding against the answer: some room is left for it.
      const GroupNormSolution one = solver->solve(objective, tolerance / 4, watch);
      solution.w.insert(solution.w.end(), one.w.begin(), one.w.end());
      solution.b.insert(solution.b.end(), one.b.begin(), one.b.end());
      solution.add_end(one);
    }
    if (objective.centred())
      solution.set_intercepts(
          objective.intercept, [&](Index j) { return held->mean(j); }, [&](Index t) { return held->target_mean(t); });
  }
  if (solution.interrupted) solution.stop = work.clock.stop_reason();
  return out;
}

template <class Claimed>
Claimed claimed_by(const SelectedSolution& solution, double tolerance) {
  Claimed claimed;
  claimed.w = solution.w;
  claimed.b = solution.b;
  claimed.tolerance = tolerance;
  claimed.stop = solution.stop;
  claimed.stopped_early = solution.interrupted;
  claimed.gave_up = solution.gave_up;
  claimed.passes = solution.passes + 1;
  return claimed;
}

class GroupSteps final : public Steps<GroupRequest, GroupClaim, GroupNormChecked> {
  Result<void> admit(Work& work) const override {
    if (const auto groups = pose(work); !groups) return std::unexpected(groups.error());
    return {};
  }

  bool takes_statistics() const override { return true; }
  Result<FirstPass> read(Work& work) const override { return first_pass_of_selection(work); }

  Result<GroupRequest> pose(Work& work) const override {
    const FitOptions& options = work.options();
    return group_request(work.model.word, work.request.params, work.schema(), options.intercept, options.standardise);
  }

  Result<GroupClaim> solve(Work& work, const GroupRequest& request) const override {
    const auto route = choose_route(work.rows, word(work.request.params, "solver"));
    if (!route) return std::unexpected(route.error());
    return solved(work, request, *route);
  }

  // The least strengths without any coefficient are those of the rows, unless these stream past: then none of their
  // columns is in memory.
  Result<GroupClaim> stated(Work& work, const GroupRequest& request) const override {
    GroupClaim out{request.objective, SelectedSolution::of(*work.stated)};
    out.objective.lambda1 = work.stated->linear()->lambda1;
    out.objective.lambda2 = work.stated->linear()->lambda2;
    const auto& gram = work.seen.gram;
    if (!gram && !work.rows.source.rows()) return out;
    const auto held = Held::make(gram ? "gram" : "columns", work.rows, gram, work.pool, work.watch());
    if (!held) return std::unexpected(held.error());
    out.solution.lambda1_max.clear();
    held->solvers(out.objective, work.rows.source.targets(), work.pool, out.solution.lambda1_max);
    return out;
  }

  // With lambda1 = 0 the objective is that of ridge, or of an elastic net without |w_j|.
  Result<GroupNormChecked> prove(Work& work, const GroupRequest&, const GroupClaim& claim) const override {
    const auto& [objective, solution] = claim;
    const double tolerance = work.options().tolerance;
    const KnownOfRows known(work.seen.gram.get(), work.seen.sums.get());
    if (objective.lambda1 > 0) {
      auto claimed = claimed_by<GroupNormClaimed>(solution, tolerance);
      claimed.objective = objective;
      return certified(claimed, known, work.rows, work.pool, work.clock, claimed.stopped_early);
    }
    auto claimed = claimed_by<ElasticNetClaimed>(solution, tolerance);
    claimed.objective = {
        .lambda2 = objective.lambda2, .intercept = objective.intercept, .standardise = objective.standardise};
    auto checked = certified(claimed, known, work.rows, work.pool, work.clock, claimed.stopped_early);
    if (!checked) return std::unexpected(checked.error());
    return GroupNormChecked{std::move(checked->certificate), std::move(checked->residual),
                            std::move(checked->target_square), std::move(checked->mean), std::move(checked->deviation)};
  }

  Result<void> describe(Work& work, const GroupRequest& request, const GroupClaim& claim,
                        GroupNormChecked& checked) const override {
    work.model.objective = group_objective_text(request, work.model.word, !work.schema().offset.empty());
    own_linear(work.model) = summary_of({.lambda1 = claim.objective.lambda1,
                                         .grouped = true,
                                         .squares = squares_of(claim.objective),
                                         .solution = &claim.solution,
                                         .residual = &checked.residual,
                                         .target_square = checked.target_square,
                                         .mean = checked.mean,
                                         .deviation = checked.deviation,
                                         .weight = work.seen.fingerprint.weight},
                                        work.schema(), work.options());
    return {};
  }

  Result<void> compare(Work& work, const GroupRequest& request, const GroupClaim& claim,
                       GroupNormChecked& checked) const override {
    compare_selection(work, request, claim.solution.most_strength(), checked.certificate);
    return {};
  }
};

} // namespace

const Procedure& group_norm_procedure() {
  static const GroupSteps steps;
  return steps;
}

} // namespace recta
