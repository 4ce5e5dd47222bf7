#include "family/elastic_net/elastic_net.hpp"

#include "certificate/elastic_net/certify.hpp"
#include "family/column_data.hpp"
#include "family/constant_target.hpp"
#include "family/elastic_net/request.hpp"
#include "family/figures.hpp"
#include "family/params.hpp"
#include "family/selected.hpp"
#include "feature/schema.hpp"
#include "solver/constrained/constrained.hpp"
#include "solver/elastic_net.hpp"
#include "stats/column_sums/column_sums.hpp"
#include "stats/pass.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace recta {
namespace {

// One problem per target, over the Gram or the columns.
class Solvers {
public:
  static Result<Solvers> make(const std::string& route, const Rows& rows, std::shared_ptr<const Gram> gram, Pool& pool,
                              const Watch& watch) {
    Solvers out;
    const Index k = rows.source.targets();
    if (route == "gram") {
      out.gram_ = std::move(gram);
      for (Index t = 0; t < k; ++t) out.solvers_.push_back(elastic_net_by_gram(*out.gram_, t));
      return out;
    }
    auto data = ColumnData::make(rows, pool, watch);
    if (!data) return std::unexpected(data.error());
    out.data_ = std::make_unique<ColumnData>(*std::move(data));
    for (Index t = 0; t < k; ++t)
      out.solvers_.push_back(std::visit(
          [&](const auto& x) { return elastic_net_by_columns(x, out.data_->y(t), out.data_->weight(), pool); },
          out.data_->x()));
    return out;
  }
  ElasticNetSolver& operator[](Index t) { return *solvers_[t]; }
  Index passes() const { return data_ ? data_->passes() : 0; }

private:
  std::shared_ptr<const Gram> gram_;
  std::unique_ptr<ColumnData> data_;
  std::vector<std::unique_ptr<ElasticNetSolver>> solvers_;
};

class NetFit {
public:
  NetFit(const NetRequest& request, const Rows& rows, const FirstPass& pass, double tolerance, Pool& pool,
         const Clock& clock)
      : request_(request), objective_(request.objective), rows_(rows), pass_(pass), tolerance_(tolerance), pool_(pool),
        clock_(clock) {}

  const ElasticNetObjective& objective() const { return objective_; }

  Result<SelectedSolution> run(const Choice& route) {
    const Watch watch = clock_.watch();
    solution_.solver = route.solver;
    solution_.reason = route.reason;
    auto solvers = Solvers::make(route.solver, rows_, pass_.gram, pool_, watch);
    if (!solvers) return std::unexpected(solvers.error());
    solution_.passes = solvers->passes();
    const Index k = rows_.source.targets();
    if (request_.constrained()) {
      const auto lengths = lengths_of_units();
      if (!lengths) return std::unexpected(lengths.error());
      for (Index t = 0; t < k; ++t) {
        const auto one = solve_constrained((*solvers)[t], objective_, request_.psi, *lengths, tolerance_ / 1000, watch);
        add(one.solution, one.lambda1_max);
      }
      set_intercepts();
      return finished();
    }
    for (Index t = 0; t < k; ++t) solution_.lambda1_max.push_back((*solvers)[t].lambda1_max(objective_));
    if (request_.choose) choose_strength();
    // The check counts its own rounding against the answer: some room is left for it.
    for (Index t = 0; t < k && !request_.is_ridge(); ++t)
      add(off_zero((*solvers)[t], solution_.lambda1_max[t], (*solvers)[t].solve(objective_, tolerance_ / 4, watch),
                   watch));
    if (!request_.is_ridge())
      set_intercepts();
    else if (auto done = solve_as_ridge(ridge(), rows_, pass_, pool_, watch, solution_); !done)
      return std::unexpected(done.error());
    return finished();
  }

private:
  LeastSquaresProblem ridge() const {
    LeastSquaresProblem problem;
    problem.objective = {.lambda2 = objective_.lambda2,
                         .factors = objective_.factors2,
                         .intercept = objective_.intercept,
                         .standardise = objective_.standardise};
    problem.tolerance = tolerance_;
    return problem;
  }

  bool at_zero(const ElasticNetSolution& solution) const {
    for (std::size_t j = 0; j < solution.w.size(); ++j)
      if (solution.w[j] != 0 && objective_.factor1(static_cast<Index>(j)) > 0) return false;
    return true;
  }

  // Just below lambda_max, or under very large squares, zero is within the tolerance of the optimum and yet is not it.
  ElasticNetSolution off_zero(ElasticNetSolver& solver, double most, ElasticNetSolution solution,
                              const Watch& watch) const {
    constexpr double kNearer = 1e-8, kLeast = 1e-50;
    if (!(objective_.lambda1 > 0 && objective_.lambda1 < most)) return solution;
    for (double share = kNearer; at_zero(solution) && !solution.interrupted && share > kLeast; share *= kNearer) {
      ElasticNetSolution nearer = solver.solve(objective_, tolerance_ * share, watch);
      nearer.passes += solution.passes;
      nearer.stop = solution.stop;
      solution = std::move(nearer);
    }
    return solution;
  }

  void choose_strength() {
    const double most = std::ranges::max(solution_.lambda1_max);
    objective_.lambda1 = most / 10;
    objective_.lambda2 = objective_.lambda1 * (1 - request_.l1_share) / request_.l1_share;
    solution_.reason += fmt::format("; no strength was given: lambda1 is a tenth of lambda_max = {:.6g}", most);
  }

  void add(const ElasticNetSolution& solution, std::optional<double> most = {}) {
    solution_.w.insert(solution_.w.end(), solution.w.begin(), solution.w.end());
    solution_.b.push_back(solution.b);
    if (most) solution_.lambda1_max.push_back(*most);
    solution_.passes += solution.passes;
    solution_.interrupted = solution_.interrupted || solution.interrupted;
    if (solution.stop.reason() == Stop::tolerance_reached) return;
    solution_.gave_up = true;
    solution_.stop = solution.stop;
  }

  // v_j in the units of the data.
  Result<std::vector<double>> lengths_of_units() {
    const Index p = rows_.source.cols();
    std::vector<double> lengths;
    for (Index j = 0; j < p; ++j) lengths.push_back(objective_.factor1(j));
    if (!objective_.standardise) return lengths;
    if (const Gram* gram = pass_.gram.get()) {
      for (Index j = 0; j < p; ++j)
        lengths[j] *= std::sqrt(std::max(0.0, gram->scatter[j + j * gram->size()] / gram->weight));
      return lengths;
    }
    for (Index j = 0; j < p; ++j) lengths[j] *= pass_.sums->deviation(j);
    return lengths;
  }

  // The nearest double to the best intercept: means of large numbers take more than a double.
  void set_intercepts() {
    const Index p = rows_.source.cols();
    for (Index t = 0; objective_.centred() && t < static_cast<Index>(solution_.b.size()); ++t) {
      DoubleDouble b = objective_.intercept ? mean(p + t) : DoubleDouble(0.0);
      for (Index j = 0; j < p; ++j)
        if (const double w = solution_.w[j + t * p]; w != 0) b -= mean(j) * w;
      solution_.b[t] = b.hi;
    }
  }

  // The mean of a feature, or of target z - p.
  DoubleDouble mean(Index z) const {
    return pass_.gram ? DoubleDouble(pass_.gram->mean[z], pass_.gram->mean_low[z]) : pass_.sums->mean(z);
  }

  Result<SelectedSolution> finished() {
    if (solution_.interrupted) solution_.stop = clock_.stop_reason();
    return std::move(solution_);
  }

  const NetRequest& request_;
  ElasticNetObjective objective_;
  const Rows& rows_;
  const FirstPass& pass_;
  double tolerance_;
  Pool& pool_;
  const Clock& clock_;
  SelectedSolution solution_;
};

ElasticNetClaimed claimed_by(const NetRequest& request, const ElasticNetObjective& objective,
                             const SelectedSolution& solution, double tolerance) {
  ElasticNetClaimed claimed;
  claimed.objective = objective;
  claimed.psi = request.psi;
  claimed.w = solution.w;
  claimed.b = solution.b;
  claimed.tolerance = tolerance;
  claimed.stop = solution.stop;
  claimed.stopped_early = solution.interrupted;
  claimed.gave_up = solution.gave_up;
  claimed.passes = solution.passes + 1;
  return claimed;
}

Selected summarised(const ElasticNetObjective& objective, const SelectedSolution& solution,
                    const ElasticNetChecked& checked, const FirstPass& pass) {
  Selected out{.lambda1 = objective.lambda1,
               .squares = {.lambda2 = objective.lambda2,
                           .factors = {},
                           .intercept = objective.intercept,
                           .standardise = objective.standardise},
               .solution = &solution,
               .residual = &checked.residual,
               .target_square = checked.target_square,
               .mean = checked.mean,
               .deviation = checked.deviation,
               .weight = pass.fingerprint.weight};
  for (const Dependence& dependence : checked.dependent) out.aliased.push_back({dependence.column, dependence.equals});
  return out;
}

// The summary of an answer that was checked, by the same steps in a fit and when it is verified.
void add_figures(const NetRequest& request, Selected selected, const ElasticNetChecked& checked,
                 const FitOptions& options, Model& model) {
  model.linear() = summary_of(std::move(selected), model.schema, options);
  for (std::size_t t = 0; t < model.linear().targets.size(); ++t)
    model.linear().targets[t].lambda1 = checked.multiplier[t];
  model.linear().psi = request.psi;
  say_constant_targets(model);
}

// The least strengths without any coefficient, one per target, as the fit found them.
Result<std::vector<double>> strengths_of_zero(const ElasticNetObjective& objective, const std::string& route,
                                              const Rows& rows, std::shared_ptr<const Gram> gram, Pool& pool,
                                              const Watch& watch) {
  auto solvers = Solvers::make(route, rows, std::move(gram), pool, watch);
  if (!solvers) return std::unexpected(solvers.error());
  std::vector<double> out;
  for (Index t = 0; t < rows.source.targets(); ++t) out.push_back((*solvers)[t].lambda1_max(objective));
  return out;
}

Result<Model> fit_after(const Request& request, Schema schema, const Rows& rows, FirstPass pass, const Clock& clock,
                        Pool& pool) {
  if (auto good = check_rows(pass, schema, rows); !good) return std::unexpected(good.error());
  const FitOptions& options = *request.options;
  const auto route = choose_route(rows, word(request.params, "solver"));
  if (!route) return std::unexpected(route.error());
  const auto net = net_request(request.info->word, request.params, schema, options.intercept, options.standardise);
  if (!net) return std::unexpected(net.error());
  NetFit fit(*net, rows, pass, options.tolerance, pool, clock);
  const auto solution = fit.run(*route);
  if (!solution) return std::unexpected(solution.error());
  const auto checked =
      certified(claimed_by(*net, fit.objective(), *solution, options.tolerance),
                KnownOfRows(pass.gram.get(), pass.sums.get()), rows, pool, clock, solution->interrupted);
  if (!checked) return std::unexpected(checked.error());

  Model model = begin_model(request, pass.fingerprint.fingerprint());
  model.schema = std::move(schema);
  model.objective = net_objective_text(*net, model.word, !model.schema.offset.empty());
  model.certificate = checked->certificate;
  add_figures(*net, summarised(fit.objective(), *solution, *checked, pass), *checked, options, model);
  return model;
}

} // namespace

Result<Model> fit_elastic_net(const Request& request, Schema schema, const Rows& rows, const Clock& clock) {
  Pool pool(request.options->threads);
  const auto route = choose_route(rows, word(request.params, "solver"));
  if (!route) return std::unexpected(route.error());
  if (const auto net = net_request(request.info->word, request.params, schema, true, false); !net) // before a long pass
    return std::unexpected(net.error());
  auto pass = first_pass_by(*route, rows, schema, pool, clock.watch());
  if (!pass) return std::unexpected(pass.error());
  return fit_after(request, std::move(schema), rows, *std::move(pass), clock, pool);
}

Result<Model> fit_elastic_net(const Request& request, Schema schema, const Rows& rows, FirstPass pass,
                              const Clock& clock) {
  Pool pool(request.options->threads);
  return fit_after(request, std::move(schema), rows, std::move(pass), clock, pool);
}

namespace {

// The figures of the model once more, from its rows and its own coefficients.
Result<void> verify_figures(const Model& model, const NetRequest& request, const ElasticNetObjective& objective,
                            SelectedSolution solution, const ElasticNetChecked& checked, const FirstPass& pass,
                            const Rows& rows, Pool& pool, const Clock& clock, Certificate& certificate) {
  const bool held = pass.gram || rows.source.rows(); // rows that stream past have no columns in memory
  auto most = held ? strengths_of_zero(objective, pass.gram ? "gram" : "columns", rows, pass.gram, pool, clock.watch())
                   : stored_strengths_of_zero(model);
  if (!most) return std::unexpected(most.error());
  solution.lambda1_max = *std::move(most);
  Model again;
  again.schema = model.schema;
  add_figures(request, summarised(objective, solution, checked, pass), checked, options_of(model), again);
  compare_figures(model, again.linear(), certificate);
  const double most_of_all = solution.lambda1_max.empty() ? kNaN : std::ranges::max(solution.lambda1_max);
  const double lambda1 = request.choose ? most_of_all / 10 : request.objective.lambda1;
  compare_strengths(model.linear(), lambda1,
                    request.choose ? lambda1 * (1 - request.l1_share) / request.l1_share : request.objective.lambda2,
                    certificate);
  return {};
}

} // namespace

Result<Certificate> verify_elastic_net(const Model& model, const Rows& rows, const Clock& clock) {
  Pool pool;
  const LinearSummary& linear = model.linear();
  const auto net = net_request(model.word, model.params, model.schema, linear.intercept, linear.standardised);
  if (!net) return std::unexpected(net.error());
  const auto pass = recognise(model, rows, gram_to_verify(model, rows), pool, clock);
  if (!pass) return std::unexpected(pass.error());

  SelectedSolution solution = SelectedSolution::of(model);
  ElasticNetObjective objective = net->objective;
  objective.lambda1 = linear.lambda1;
  objective.lambda2 = linear.lambda2;
  const auto checked = certified(claimed_by(*net, objective, solution, model.certificate.tolerance),
                                 KnownOfRows(pass->gram.get()), rows, pool, clock);
  if (!checked) return std::unexpected(checked.error());
  Certificate certificate = checked->certificate;
  if (auto done =
          verify_figures(model, *net, objective, std::move(solution), *checked, *pass, rows, pool, clock, certificate);
      !done)
    return std::unexpected(done.error());
  return certificate;
}

} // namespace recta
