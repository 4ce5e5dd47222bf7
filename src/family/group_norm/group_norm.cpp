#include "family/group_norm/group_norm.hpp"

#include "certificate/elastic_net/certify.hpp"
#include "certificate/group_norm/certify.hpp"
#include "family/column_data.hpp"
#include "family/figures.hpp"
#include "family/group_norm/request.hpp"
#include "family/params.hpp"
#include "family/selected.hpp"
#include "solver/group_norm.hpp"

#include <algorithm>
#include <fmt/format.h>

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

class GroupFit {
public:
  GroupFit(const GroupRequest& request, const Rows& rows, const FirstPass& pass, double tolerance, Pool& pool,
           const Clock& clock)
      : request_(request), objective_(request.objective), rows_(rows), pass_(pass), tolerance_(tolerance), pool_(pool),
        clock_(clock) {}

  const GroupNormObjective& objective() const { return objective_; }

  Result<SelectedSolution> run(const Choice& route) {
    const Watch watch = clock_.watch();
    solution_.solver = route.solver;
    solution_.reason = route.reason;
    const auto held = Held::make(route.solver, rows_, pass_.gram, pool_, watch);
    if (!held) return std::unexpected(held.error());
    if (held->columns) solution_.passes = held->columns->passes();
    const auto solvers = held->solvers(objective_, rows_.source.targets(), pool_, solution_.lambda1_max);
    if (request_.choose) choose_strength();
    if (request_.is_ridge()) {
      if (auto done = as_ridge(watch); !done) return std::unexpected(done.error());
    } else {
      // The check counts its own rounding against the answer: some room is left for it.
      for (const auto& solver : solvers) add(solver->solve(objective_, tolerance_ / 4, watch));
      set_intercepts(*held);
    }
    if (solution_.interrupted) solution_.stop = clock_.stop_reason();
    return std::move(solution_);
  }

private:
  void choose_strength() {
    const double most = std::ranges::max(solution_.lambda1_max);
    objective_.lambda1 = most / 10;
    if (request_.l1_share < 1) objective_.lambda2 = objective_.lambda1 * (1 - request_.l1_share) / request_.l1_share;
    solution_.reason += fmt::format("; no strength was given: lambda1 is a tenth of lambda_max = {:.6g}", most);
  }

  void add(const GroupNormSolution& solution) {
    solution_.w.insert(solution_.w.end(), solution.w.begin(), solution.w.end());
    solution_.b.insert(solution_.b.end(), solution.b.begin(), solution.b.end());
    solution_.passes += solution.passes;
    solution_.interrupted = solution_.interrupted || solution.interrupted;
    if (solution.stop.reason() == Stop::tolerance_reached) return;
    solution_.gave_up = true;
    solution_.stop = solution.stop;
  }

  Result<void> as_ridge(const Watch& watch) {
    LeastSquaresProblem problem;
    problem.objective = {.lambda2 = objective_.lambda2,
                         .factors = {},
                         .intercept = objective_.intercept,
                         .standardise = objective_.standardise};
    problem.tolerance = tolerance_;
    return solve_as_ridge(std::move(problem), rows_, pass_, pool_, watch, solution_);
  }

  // The nearest double to the best intercept: means of large numbers take more than a double.
  void set_intercepts(const Held& held) {
    const Index p = rows_.source.cols(), k = static_cast<Index>(solution_.b.size());
    if (!objective_.centred()) return;
    std::vector<DoubleDouble> b;
    for (Index t = 0; t < k; ++t) b.push_back(objective_.intercept ? held.target_mean(t) : DoubleDouble(0.0));
    for (Index j = 0; j < p; ++j) {
      bool used = false;
      for (Index t = 0; t < k; ++t) used = used || solution_.w[j + t * p] != 0;
      if (!used) continue;
      const DoubleDouble mean = held.mean(j);
      for (Index t = 0; t < k; ++t) b[t] -= mean * solution_.w[j + t * p];
    }
    for (Index t = 0; t < k; ++t) solution_.b[t] = b[t].hi;
  }

  const GroupRequest& request_;
  GroupNormObjective objective_;
  const Rows& rows_;
  const FirstPass& pass_;
  double tolerance_;
  Pool& pool_;
  const Clock& clock_;
  SelectedSolution solution_;
};

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

// With lambda1 = 0 the objective is that of ridge, or of an elastic net without |w_j|.
Result<GroupNormChecked> checked_answer(const GroupNormObjective& objective, const SelectedSolution& solution,
                                        double tolerance, const KnownOfRows& known, const Rows& rows, Pool& pool,
                                        const Clock& clock) {
  if (objective.lambda1 > 0) {
    auto claimed = claimed_by<GroupNormClaimed>(solution, tolerance);
    claimed.objective = objective;
    return certified(claimed, known, rows, pool, clock, claimed.stopped_early);
  }
  auto claimed = claimed_by<ElasticNetClaimed>(solution, tolerance);
  claimed.objective = {
      .lambda2 = objective.lambda2, .intercept = objective.intercept, .standardise = objective.standardise};
  auto checked = certified(claimed, known, rows, pool, clock, claimed.stopped_early);
  if (!checked) return std::unexpected(checked.error());
  return GroupNormChecked{std::move(checked->certificate), std::move(checked->residual),
                          std::move(checked->target_square), std::move(checked->mean), std::move(checked->deviation)};
}

Selected selected_by(const GroupNormObjective& objective, const SelectedSolution& solution,
                     const GroupNormChecked& checked, const FirstPass& pass) {
  Selected out;
  out.lambda1 = objective.lambda1;
  out.grouped = true;
  out.squares.lambda2 = objective.lambda2;
  out.squares.intercept = objective.intercept;
  out.squares.standardise = objective.standardise;
  out.solution = &solution;
  out.residual = &checked.residual;
  out.target_square = checked.target_square;
  out.mean = checked.mean;
  out.deviation = checked.deviation;
  out.weight = pass.fingerprint.weight;
  return out;
}

} // namespace

Result<Model> fit_group_norm(const Request& request, Schema schema, const Rows& rows, const Clock& clock) {
  Pool pool(request.options->threads);
  const auto route = choose_route(rows, word(request.params, "solver"));
  if (!route) return std::unexpected(route.error());
  // before a long pass
  if (const auto groups = group_request(request.info->word, request.params, schema, true, false); !groups)
    return std::unexpected(groups.error());
  auto pass = first_pass_by(*route, rows, schema, pool, clock.watch());
  if (!pass) return std::unexpected(pass.error());
  return fit_group_norm(request, std::move(schema), rows, *std::move(pass), clock);
}

Result<Model> fit_group_norm(const Request& request, Schema schema, const Rows& rows, FirstPass pass,
                             const Clock& clock) {
  if (auto good = check_rows(pass, schema, rows); !good) return std::unexpected(good.error());
  const FitOptions& options = *request.options;
  const auto route = choose_route(rows, word(request.params, "solver"));
  if (!route) return std::unexpected(route.error());
  const auto groups = group_request(request.info->word, request.params, schema, options.intercept, options.standardise);
  if (!groups) return std::unexpected(groups.error());
  Pool pool(options.threads);
  GroupFit fit(*groups, rows, pass, options.tolerance, pool, clock);
  const auto solution = fit.run(*route);
  if (!solution) return std::unexpected(solution.error());
  const GroupNormObjective& objective = fit.objective();
  const KnownOfRows known(pass.gram.get(), pass.sums.get());
  const auto checked = checked_answer(objective, *solution, options.tolerance, known, rows, pool, clock);
  if (!checked) return std::unexpected(checked.error());

  Model model = begin_model(request, pass.fingerprint.fingerprint());
  model.schema = std::move(schema);
  model.objective = group_objective_text(*groups, model.word, !model.schema.offset.empty());
  model.certificate = checked->certificate;
  model.linear() = summary_of(selected_by(objective, *solution, *checked, pass), model.schema, options);
  return model;
}

Result<Certificate> verify_group_norm(const Model& model, const Rows& rows, const Clock& clock) {
  Pool pool;
  const LinearSummary& linear = model.linear();
  const auto groups = group_request(model.word, model.params, model.schema, linear.intercept, linear.standardised);
  if (!groups) return std::unexpected(groups.error());
  const auto pass = recognise(model, rows, gram_to_verify(model, rows), pool, clock);
  if (!pass) return std::unexpected(pass.error());
  GroupNormObjective objective = groups->objective;
  objective.lambda1 = linear.lambda1;
  objective.lambda2 = linear.lambda2;
  SelectedSolution solution = SelectedSolution::of(model);
  const auto checked = checked_answer(objective, solution, model.certificate.tolerance, KnownOfRows(pass->gram.get()),
                                      rows, pool, clock);
  if (!checked) return std::unexpected(checked.error());
  if (pass->gram || rows.source.rows()) {
    const auto held = Held::make(pass->gram ? "gram" : "columns", rows, pass->gram, pool, clock.watch());
    if (!held) return std::unexpected(held.error());
    held->solvers(objective, rows.source.targets(), pool, solution.lambda1_max);
  } else { // rows that stream past have no columns in memory
    solution.lambda1_max = *stored_strengths_of_zero(model);
  }
  Certificate certificate = checked->certificate;
  const LinearSummary again =
      summary_of(selected_by(objective, solution, *checked, *pass), model.schema, options_of(model));
  compare_figures(model, again, certificate);
  const double most = solution.lambda1_max.empty() ? kNaN : std::ranges::max(solution.lambda1_max);
  const double lambda1 = groups->choose ? most / 10 : groups->objective.lambda1;
  compare_strengths(model.linear(), lambda1,
                    groups->choose && groups->l1_share < 1 ? lambda1 * (1 - groups->l1_share) / groups->l1_share
                                                           : groups->objective.lambda2,
                    certificate);
  return certificate;
}

} // namespace recta
