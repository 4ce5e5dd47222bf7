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
  NetFit(const NetRequest& request, const Rows& rows, const FirstPass& seen, double tolerance, Pool& pool,
         const Clock& clock)
      : request_(request), objective_(request.objective), rows_(rows), seen_(seen), tolerance_(tolerance), pool_(pool),
        clock_(clock) {}

  const ElasticNetObjective& objective() const { return objective_; }

  Result<Found> run(const Choice& route) {
    const Watch watch = clock_.watch();
    found_.solver = route.solver;
    found_.reason = route.reason;
    auto solvers = Solvers::make(route.solver, rows_, seen_.gram, pool_, watch);
    if (!solvers) return std::unexpected(solvers.error());
    found_.passes = solvers->passes();
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
    for (Index t = 0; t < k; ++t) found_.lambda1_max.push_back((*solvers)[t].lambda1_max(objective_));
    if (request_.choose) choose_strength();
    // The check counts its own rounding against the answer: some room is left for it.
    for (Index t = 0; t < k && !request_.is_ridge(); ++t)
      add(off_zero((*solvers)[t], found_.lambda1_max[t], (*solvers)[t].solve(objective_, tolerance_ / 4, watch),
                   watch));
    if (!request_.is_ridge())
      set_intercepts();
    else if (auto done = solve_as_ridge(ridge(), rows_, seen_, pool_, watch, found_); !done)
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

  bool at_zero(const ElasticNetSolution& one) const {
    for (std::size_t j = 0; j < one.w.size(); ++j)
      if (one.w[j] != 0 && objective_.factor1(static_cast<Index>(j)) > 0) return false;
    return true;
  }

  // Just below lambda_max, or under very large squares, zero is within the tolerance of the optimum and yet is not it.
  ElasticNetSolution off_zero(ElasticNetSolver& solver, double most, ElasticNetSolution one, const Watch& watch) const {
    constexpr double kNearer = 1e-8, kLeast = 1e-50;
    if (!(objective_.lambda1 > 0 && objective_.lambda1 < most)) return one;
    for (double share = kNearer; at_zero(one) && !one.interrupted && share > kLeast; share *= kNearer) {
      ElasticNetSolution nearer = solver.solve(objective_, tolerance_ * share, watch);
      nearer.passes += one.passes;
      nearer.stop = one.stop;
      one = std::move(nearer);
    }
    return one;
  }

  void choose_strength() {
    const double most = std::ranges::max(found_.lambda1_max);
    objective_.lambda1 = most / 10;
    objective_.lambda2 = objective_.lambda1 * (1 - request_.l1_share) / request_.l1_share;
    found_.reason += fmt::format("; no strength was given: lambda1 is a tenth of lambda_max = {:.6g}", most);
  }

  void add(const ElasticNetSolution& one, std::optional<double> most = {}) {
    found_.w.insert(found_.w.end(), one.w.begin(), one.w.end());
    found_.b.push_back(one.b);
    if (most) found_.lambda1_max.push_back(*most);
    found_.passes += one.passes;
    found_.interrupted = found_.interrupted || one.interrupted;
    if (one.stop.reason() == Stop::tolerance_reached) return;
    found_.gave_up = true;
    found_.stop = one.stop;
  }

  // v_j in the units of the data.
  Result<std::vector<double>> lengths_of_units() {
    const Index p = rows_.source.cols();
    std::vector<double> lengths;
    for (Index j = 0; j < p; ++j) lengths.push_back(objective_.factor1(j));
    if (!objective_.standardise) return lengths;
    if (const Gram* gram = seen_.gram.get()) {
      for (Index j = 0; j < p; ++j)
        lengths[j] *= std::sqrt(std::max(0.0, gram->scatter[j + j * gram->size()] / gram->weight));
      return lengths;
    }
    for (Index j = 0; j < p; ++j) lengths[j] *= seen_.sums->deviation(j);
    return lengths;
  }

  // The nearest double to the best intercept: means of large numbers take more than a double.
  void set_intercepts() {
    const Index p = rows_.source.cols();
    for (Index t = 0; objective_.centred() && t < static_cast<Index>(found_.b.size()); ++t) {
      DoubleDouble b = objective_.intercept ? mean(p + t) : DoubleDouble(0.0);
      for (Index j = 0; j < p; ++j)
        if (const double w = found_.w[j + t * p]; w != 0) b -= mean(j) * w;
      found_.b[t] = b.hi;
    }
  }

  // The mean of a feature, or of target z - p.
  DoubleDouble mean(Index z) const {
    return seen_.gram ? DoubleDouble(seen_.gram->mean[z], seen_.gram->mean_low[z]) : seen_.sums->mean(z);
  }

  Result<Found> finished() {
    if (found_.interrupted) found_.stop = clock_.stop_reason();
    return std::move(found_);
  }

  const NetRequest& request_;
  ElasticNetObjective objective_;
  const Rows& rows_;
  const FirstPass& seen_;
  double tolerance_;
  Pool& pool_;
  const Clock& clock_;
  Found found_;
};

ElasticNetClaimed claimed_by(const NetRequest& request, const ElasticNetObjective& objective, const Found& found,
                             double tolerance) {
  ElasticNetClaimed claimed;
  claimed.objective = objective;
  claimed.psi = request.psi;
  claimed.w = found.w;
  claimed.b = found.b;
  claimed.tolerance = tolerance;
  claimed.stop = found.stop;
  claimed.stopped_early = found.interrupted;
  claimed.gave_up = found.gave_up;
  claimed.passes = found.passes + 1;
  return claimed;
}

Selected summarised(const ElasticNetObjective& objective, const Found& found, const ElasticNetChecked& checked,
                    const FirstPass& seen) {
  Selected out{.lambda1 = objective.lambda1,
               .squares = {.lambda2 = objective.lambda2,
                           .factors = {},
                           .intercept = objective.intercept,
                           .standardise = objective.standardise},
               .found = &found,
               .residual = &checked.residual,
               .target_square = checked.target_square,
               .mean = checked.mean,
               .deviation = checked.deviation,
               .weight = seen.fingerprint.weight};
  for (const Dependence& one : checked.dependent) out.aliased.push_back({one.column, one.equals});
  return out;
}

// The summary of an answer that was checked, by the same steps in a fit and when it is verified.
void add_figures(const NetRequest& asked, Selected selected, const ElasticNetChecked& checked,
                 const FitOptions& options, Model& model) {
  model.linear() = summary_of(std::move(selected), model.schema, options);
  for (std::size_t t = 0; t < model.linear().targets.size(); ++t)
    model.linear().targets[t].lambda1 = checked.multiplier[t];
  model.linear().psi = asked.psi;
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

Result<Model> fit_after(const Request& request, Schema schema, const Rows& rows, FirstPass seen, const Clock& clock,
                        Pool& pool) {
  if (auto good = check_rows(seen, schema, rows); !good) return std::unexpected(good.error());
  const FitOptions& options = *request.options;
  const auto route = choose_route(rows, word(request.params, "solver"));
  if (!route) return std::unexpected(route.error());
  const auto asked = net_request(request.info->word, request.params, schema, options.intercept, options.standardise);
  if (!asked) return std::unexpected(asked.error());
  NetFit fit(*asked, rows, seen, options.tolerance, pool, clock);
  const auto found = fit.run(*route);
  if (!found) return std::unexpected(found.error());
  const auto checked = certified(claimed_by(*asked, fit.objective(), *found, options.tolerance),
                                 KnownOfRows(seen.gram.get(), seen.sums.get()), rows, pool, clock, found->interrupted);
  if (!checked) return std::unexpected(checked.error());

  Model model;
  model.word = request.info->word;
  model.params = copied(request.params);
  model.schema = std::move(schema);
  model.objective = net_objective_text(*asked, model.word, !model.schema.offset.empty());
  model.fingerprint = seen.fingerprint.fingerprint();
  model.certificate = checked->certificate;
  add_figures(*asked, summarised(fit.objective(), *found, *checked, seen), *checked, options, model);
  return model;
}

} // namespace

Result<Model> fit_elastic_net(const Request& request, Schema schema, const Rows& rows, const Clock& clock) {
  Pool pool(request.options->threads);
  const auto route = choose_route(rows, word(request.params, "solver"));
  if (!route) return std::unexpected(route.error());
  if (const auto asked = net_request(request.info->word, request.params, schema, true, false);
      !asked) // before a long pass
    return std::unexpected(asked.error());
  auto seen = first_pass_by(*route, rows, schema, pool, clock.watch());
  if (!seen) return std::unexpected(seen.error());
  return fit_after(request, std::move(schema), rows, *std::move(seen), clock, pool);
}

Result<Model> fit_elastic_net(const Request& request, Schema schema, const Rows& rows, FirstPass seen,
                              const Clock& clock) {
  Pool pool(request.options->threads);
  return fit_after(request, std::move(schema), rows, std::move(seen), clock, pool);
}

namespace {

// The figures of the model once more, from its rows and its own coefficients.
Result<void> verify_figures(const Model& model, const NetRequest& asked, const ElasticNetObjective& objective,
                            Found found, const ElasticNetChecked& checked, const FirstPass& seen, const Rows& rows,
                            Pool& pool, const Clock& clock, Certificate& certificate) {
  const bool held = seen.gram || rows.source.rows(); // rows that stream past have no columns in memory
  auto most = held ? strengths_of_zero(objective, seen.gram ? "gram" : "columns", rows, seen.gram, pool, clock.watch())
                   : stored_strengths_of_zero(model);
  if (!most) return std::unexpected(most.error());
  found.lambda1_max = *std::move(most);
  Model again;
  again.schema = model.schema;
  add_figures(asked, summarised(objective, found, checked, seen), checked, options_of(model), again);
  compare_figures(model, again.linear(), certificate);
  const double most_of_all = found.lambda1_max.empty() ? kNaN : std::ranges::max(found.lambda1_max);
  const double lambda1 = asked.choose ? most_of_all / 10 : asked.objective.lambda1;
  compare_strengths(model.linear(), lambda1,
                    asked.choose ? lambda1 * (1 - asked.l1_share) / asked.l1_share : asked.objective.lambda2,
                    certificate);
  return {};
}

} // namespace

Result<Certificate> verify_elastic_net(const Model& model, const Rows& rows, const Clock& clock) {
  Pool pool;
  const LinearSummary& linear = model.linear();
  const auto asked = net_request(model.word, model.params, model.schema, linear.intercept, linear.standardised);
  if (!asked) return std::unexpected(asked.error());
  const auto seen = recognise(model, rows, gram_to_verify(model, rows), pool, clock);
  if (!seen) return std::unexpected(seen.error());

  Found found = Found::of(model);
  ElasticNetObjective objective = asked->objective;
  objective.lambda1 = linear.lambda1;
  objective.lambda2 = linear.lambda2;
  const auto checked = certified(claimed_by(*asked, objective, found, model.certificate.tolerance),
                                 KnownOfRows(seen->gram.get()), rows, pool, clock);
  if (!checked) return std::unexpected(checked.error());
  Certificate certificate = checked->certificate;
  if (auto done =
          verify_figures(model, *asked, objective, std::move(found), *checked, *seen, rows, pool, clock, certificate);
      !done)
    return std::unexpected(done.error());
  return certificate;
}

} // namespace recta
