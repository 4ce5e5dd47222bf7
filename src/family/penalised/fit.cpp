#include "base/explained_share.hpp"
#include "base/listening.hpp"
#include "base/numbers.hpp"
#include "base/sums.hpp"
#include "certificate/penalised/certify.hpp"
#include "family/penalised/penalised.hpp"
#include "family/penalised/request.hpp"
#include "feature/schema.hpp"
#include "held/kernel_data.hpp"
#include "model/linear/body.hpp"
#include "params/params.hpp"
#include "solver/proximal/proximal.hpp"
#include "summary/plain_fit.hpp"

#include <cmath>
#include <fmt/format.h>

namespace recta::penalised {
namespace {

Result<void> check_data(const std::string& word, const Schema& schema, const Rows& rows) {
  if (rows.single_pass)
    return fail(ErrorCode::usage, rows.name,
                fmt::format("{} reads the rows several times, and these can be read only once", word),
                "save the data to a file first");
  const Index classes = schema.classes.count();
  if (classes == 0 || classes == 2) return {};
  return fail(ErrorCode::bad_data, fmt::format("{}, target {}", rows.name, schema.targets[0]),
              fmt::format("there are {} classes, and {} separates two", classes, word),
              "combine models of two with --multiclass ova, or set one class against the rest with --positive LABEL");
}

struct Posed {
  Terms terms;
  std::optional<KernelData> data; // in a fit
};

struct Weights {
  std::vector<double> w{};
  double b = 0;
  bool interrupted = false;
  std::string reason{}; // of the solver; empty if they are stated
};

LinearSummary summary_of(const Work& work, const Weights& weights, const Checked& checked) {
  const std::vector<double>& w = weights.w;
  const FitOptions& options = work.options();
  const Schema& schema = work.schema();
  LinearSummary out;
  if (!work.verifies()) out.solver = "proximal", out.reason = weights.reason;
  out.rows = checked.rows, out.weight_sum = checked.weight;
  out.degrees_of_freedom = out.condition = kNaN;
  for (const double weight : w) out.rank += weight != 0 ? 1 : 0;
  out.intercept = options.intercept;
  out.weights_are = options.weights_are, out.confidence = options.confidence;
  add_columns(*work.seen.sums, out);
  TargetFit target =
      plain_fit(schema.targets.empty() ? "y" : schema.targets[0], feature::feature_names(schema), w, weights.b, out);
  if (schema.classes.count() > 0) {
    out.classes.accuracy = checked.right / checked.weight;
    out.classes.log_likelihood = -checked.weight * checked.mean_loss;
    out.classes.null_log_likelihood = -checked.weight * checked.null;
  } else {
    target.rss = checked.squares, target.mse = checked.squares / checked.weight;
    target.r2 = checked.spread > 0 ? explained_share(checked.squares, checked.spread) : kNaN;
  }
  out.targets.push_back(std::move(target));
  return out;
}

ProximalSolution solve(const Terms& terms, const KernelData& data, bool intercept, double tolerance, Pool& pool) {
  const std::vector<Index> present = data.present();
  Targets targets{*terms.loss, {}, {}};
  CompensatedSum total;
  for (const Index i : present) total.add(data.weight[at(i)]);
  for (const Index i : present)
    targets.y.push_back(data.target[at(i)]), targets.share.push_back(data.weight[at(i)] / total.value());
  const svm::LinearRows rows = linear_rows(data, present, intercept, pool);
  std::vector<double> nothing(present.size());
  if (intercept) std::ranges::fill(nothing, best_intercept(targets, nothing, 0));
  const double limit = tolerance * mean_loss(targets, nothing) / 4;
  ProximalSolution out = solve_proximal({targets, rows, *terms.penalty, intercept}, {.tolerance = limit}, pool);
  for (std::size_t j = 0; j < rows.centre().size(); ++j) out.b -= rows.centre()[j] * out.w[j];
  return out;
}

class PenalisedSteps final : public Steps<Posed, Weights, Checked> {
  Result<void> admit(Work& work) const override {
    return work.verifies() ? Result<void>() : check_data(work.model.word, work.schema(), work.rows);
  }

  Result<FirstPass> read(Work& work) const override { return first_pass_with_sums(work); }

  Result<Posed> pose(Work& work) const override {
    auto terms =
        terms_of(work.model.word, work.request.params, feature::feature_names(work.schema()), work.options().intercept);
    if (!terms) return std::unexpected(terms.error());
    Posed out{*std::move(terms), {}};
    if (work.verifies()) return out;
    auto data = KernelData::hold(work.schema(), work.rows);
    if (!data) return std::unexpected(data.error());
    out.data = *std::move(data);
    return out;
  }

  Result<Weights> solve(Work& work, const Posed& posed) const override {
    const Watch watch = work.watch();
    const Listening listening(watch, "solving");
    ProximalSolution solution = recta::penalised::solve(posed.terms, *posed.data, work.options().intercept,
                                                        work.options().tolerance, work.pool);
    return Weights{std::move(solution.w), solution.b, solution.interrupted,
                   solution.parabolas > 0 ? fmt::format("few columns: {} proximal steps on {} parabolas",
                                                        solution.steps, solution.parabolas)
                                          : fmt::format("many columns: {} proximal steps", solution.steps)};
  }

  Result<Weights> stated(Work& work, const Posed&) const override {
    const TargetFit& target = work.stated->linear()->targets.at(0);
    Weights out{.b = target.intercept.value};
    for (const Coefficient& coefficient : target.coefficients) out.w.push_back(coefficient.value);
    return out;
  }

  Result<Checked> prove(Work& work, const Posed& posed, const Weights& weights) const override {
    const auto& [loss, penalty, objective] = posed.terms;
    return certify({*loss, *penalty, weights.w, weights.b, work.options().intercept, work.options().tolerance},
                   posed.data ? *posed.data->held : work.rows.source, weights.interrupted ? Watch{} : work.watch());
  }

  Result<void> describe(Work& work, const Posed& posed, const Weights& weights, Checked& checked) const override {
    Certificate& certificate = work.model.certificate;
    const Model* const stated = work.stated;
    if (!stated) certificate.passes = 4;
    certificate.stop = weights.interrupted ? work.clock.stop_reason() : Stop("the gap is within the tolerance");
    if (!stated || stated->certificate.verdict == Verdict::stopped_early) short_of_proof(certificate); // as it says
    if (stated) certificate.stop = stated->certificate.stop;
    work.model.objective = posed.terms.objective;
    own_linear(work.model) = summary_of(work, weights, checked);
    return {};
  }
};

} // namespace

const Procedure& procedure() {
  static const PenalisedSteps steps;
  return steps;
}

} // namespace recta::penalised
