#include "family/elastic_net/elastic_net.hpp"

#include "certificate/elastic_net/certify.hpp"
#include "certificate/stated/figures.hpp"
#include "family/elastic_net/request.hpp"
#include "feature/schema.hpp"
#include "held/column_data.hpp"
#include "model/linear/body.hpp"
#include "params/params.hpp"
#include "solver/constrained/constrained.hpp"
#include "solver/elastic_net.hpp"
#include "stats/column_sums/column_sums.hpp"
#include "stats/pass.hpp"
#include "summary/constant_target.hpp"
#include "summary/selected.hpp"

#include <algorithm>
#include <cmath>

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

// The strengths of the penalties, which may have been chosen, and the coefficients under them.
struct NetClaim {
  ElasticNetObjective objective;
  SelectedSolution solution;
};

class NetFit {
public:
  NetFit(Work& work, const NetRequest& request)
      : work_(work), request_(request), objective_(request.objective), tolerance_(work.options().tolerance),
        watch_(work.watch()) {}

  Result<NetClaim> run(const Choice& route) {
    solution_.solver = route.solver;
    solution_.reason = route.reason;
    auto solvers = Solvers::make(route.solver, work_.rows, work_.seen.gram, work_.pool, watch_);
    if (!solvers) return std::unexpected(solvers.error());
    solution_.passes = solvers->passes();
    if (auto done = request_.constrained() ? run_constrained(*solvers) : run_penalised(*solvers); !done)
      return std::unexpected(done.error());
    if (solution_.interrupted) solution_.stop = work_.clock.stop_reason();
    return NetClaim{std::move(objective_), std::move(solution_)};
  }

private:
  Index targets() const { return work_.rows.source.targets(); }

  Result<void> run_constrained(Solvers& solvers) {
    const std::vector<double> lengths = lengths_of_units();
    for (Index t = 0; t < targets(); ++t) {
      const auto one = solve_constrained(solvers[t], objective_, request_.psi, lengths, tolerance_ / 1000, watch_);
      solution_.lambda1_max.push_back(one.lambda1_max);
      add(one.solution);
    }
    set_intercepts();
    return {};
  }

  Result<void> run_penalised(Solvers& solvers) {
    for (Index t = 0; t < targets(); ++t) solution_.lambda1_max.push_back(solvers[t].lambda1_max(objective_));
    if (request_.choose) solution_.choose_strength(request_.l1_share, objective_);
    if (request_.is_ridge()) return solve_as_ridge(ridge(), work_, solution_);
    // The check counts its own rounding against the answer: some room is left for it.
    for (Index t = 0; t < targets(); ++t)
      add(off_zero(solvers[t], solution_.lambda1_max[t], solvers[t].solve(objective_, tolerance_ / 4, watch_)));
    set_intercepts();
    return {};
  }

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
  ElasticNetSolution off_zero(ElasticNetSolver& solver, double most, ElasticNetSolution solution) const {
    constexpr double kNearer = 1e-8, kLeast = 1e-50;
    if (!(objective_.lambda1 > 0 && objective_.lambda1 < most)) return solution;
    for (double share = kNearer; at_zero(solution) && !solution.interrupted && share > kLeast; share *= kNearer) {
      ElasticNetSolution nearer = solver.solve(objective_, tolerance_ * share, watch_);
      nearer.passes += solution.passes;
      nearer.stop = solution.stop;
      solution = std::move(nearer);
    }
    return solution;
  }

  void add(const ElasticNetSolution& solution) {
    solution_.w.insert(solution_.w.end(), solution.w.begin(), solution.w.end());
    solution_.b.push_back(solution.b);
    solution_.add_end(solution);
  }

  // v_j in the units of the data.
  std::vector<double> lengths_of_units() const {
    const Index p = work_.rows.source.cols();
    std::vector<double> lengths;
    for (Index j = 0; j < p; ++j) lengths.push_back(objective_.factor1(j));
    if (!objective_.standardise) return lengths;
    const Gram* gram = work_.seen.gram.get();
    for (Index j = 0; j < p; ++j)
      lengths[j] *= gram ? std::sqrt(std::max(0.0, gram->scatter[j + j * gram->size()] / gram->weight))
                         : work_.seen.sums->deviation(j);
    return lengths;
  }

  void set_intercepts() {
    if (!objective_.centred()) return;
    const Index p = work_.rows.source.cols();
    const auto mean = [&](Index z) {
      const Gram* gram = work_.seen.gram.get();
      return gram ? DoubleDouble(gram->mean[z], gram->mean_low[z]) : work_.seen.sums->mean(z);
    };
    solution_.set_intercepts(objective_.intercept, mean, [&](Index t) { return mean(p + t); });
  }

  Work& work_;
  const NetRequest& request_;
  ElasticNetObjective objective_;
  double tolerance_;
  Watch watch_;
  SelectedSolution solution_;
};

// The summary of an answer that was judged, by the same steps in a fit and when it is verified.
LinearSummary summary_of(const Work& work, const NetRequest& request, const NetClaim& claim,
                         const ElasticNetChecked& checked) {
  const auto& [objective, solution] = claim;
  Selected selected{.lambda1 = objective.lambda1,
                    .squares = {.lambda2 = objective.lambda2,
                                .factors = {},
                                .intercept = objective.intercept,
                                .standardise = objective.standardise},
                    .solution = &solution,
                    .residual = &checked.residual,
                    .target_square = checked.target_square,
                    .mean = checked.mean,
                    .deviation = checked.deviation,
                    .weight = work.seen.fingerprint.weight};
  for (const Dependence& dependence : checked.dependent)
    selected.aliased.push_back({dependence.column, dependence.equals});
  LinearSummary out = recta::summary_of(std::move(selected), work.schema(), work.options());
  for (std::size_t t = 0; t < out.targets.size(); ++t) out.targets[t].lambda1 = checked.multiplier[t];
  out.psi = request.psi;
  return out;
}

class NetSteps final : public Steps<NetRequest, NetClaim, ElasticNetChecked> {
  Result<void> admit(Work& work) const override {
    if (const auto net = pose(work); !net) return std::unexpected(net.error());
    return {};
  }

  bool takes_statistics() const override { return true; }
  Result<FirstPass> read(Work& work) const override { return first_pass_of_selection(work); }

  Result<NetRequest> pose(Work& work) const override {
    const FitOptions& options = work.options();
    return net_request(work.model.word, work.request.params, work.schema(), options.intercept, options.standardise);
  }

  Result<NetClaim> solve(Work& work, const NetRequest& request) const override {
    const auto route = choose_route(work.rows, word(work.request.params, "solver"));
    if (!route) return std::unexpected(route.error());
    return NetFit(work, request).run(*route);
  }

  // The least strengths without any coefficient are those of the rows, unless these stream past: then none of their
  // columns is in memory.
  Result<NetClaim> stated(Work& work, const NetRequest& request) const override {
    NetClaim out{request.objective, SelectedSolution::of(*work.stated)};
    out.objective.lambda1 = work.stated->linear()->lambda1;
    out.objective.lambda2 = work.stated->linear()->lambda2;
    const auto& gram = work.seen.gram;
    if (!gram && !work.rows.source.rows()) return out;
    auto solvers = Solvers::make(gram ? "gram" : "columns", work.rows, gram, work.pool, work.watch());
    if (!solvers) return std::unexpected(solvers.error());
    for (std::size_t t = 0; t < out.solution.lambda1_max.size(); ++t)
      out.solution.lambda1_max[t] = (*solvers)[static_cast<Index>(t)].lambda1_max(out.objective);
    return out;
  }

  Result<ElasticNetChecked> prove(Work& work, const NetRequest& request, const NetClaim& claim) const override {
    const SelectedSolution& solution = claim.solution;
    const ElasticNetClaimed claimed{.objective = claim.objective,
                                    .psi = request.psi,
                                    .w = solution.w,
                                    .b = solution.b,
                                    .tolerance = work.options().tolerance,
                                    .stop = solution.stop,
                                    .stopped_early = solution.interrupted,
                                    .gave_up = solution.gave_up,
                                    .passes = solution.passes + 1};
    const KnownOfRows known(work.seen.gram.get(), work.seen.sums.get());
    return certified(claimed, known, work.rows, work.pool, work.clock, solution.interrupted);
  }

  Result<void> describe(Work& work, const NetRequest& request, const NetClaim& claim,
                        ElasticNetChecked& checked) const override {
    work.model.objective = net_objective_text(request, work.model.word, !work.schema().offset.empty());
    own_linear(work.model) = summary_of(work, request, claim, checked);
    say_constant_targets(work.model);
    return {};
  }

  Result<void> compare(Work& work, const NetRequest& request, const NetClaim& claim,
                       ElasticNetChecked& checked) const override {
    compare_selection(work, request, claim.solution.most_strength(), checked.certificate);
    return {};
  }
};

} // namespace

const Procedure& elastic_net_procedure() {
  static const NetSteps steps;
  return steps;
}

} // namespace recta
