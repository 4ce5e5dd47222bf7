#include "base/explained_share.hpp"
#include "base/listening.hpp"
#include "base/numbers.hpp"
#include "base/sums.hpp"
#include "certificate/penalised/certify.hpp"
#include "family/figures.hpp"
#include "family/kernel_data.hpp"
#include "family/params.hpp"
#include "family/penalised/penalised.hpp"
#include "family/penalised/request.hpp"
#include "family/plain_fit.hpp"
#include "feature/schema.hpp"
#include "solver/proximal/proximal.hpp"

#include <cmath>
#include <fmt/format.h>

namespace recta::penalised {
namespace {

Result<void> check_data(const std::string& word, const Schema& schema, const Rows& rows) {
  if (rows.single_pass)
    return fail(ErrorCode::usage, rows.name,
                fmt::format("{} reads the rows several times, and these can be read once", word),
                "save the data to a file first");
  const Index classes = schema.classes.count();
  if (classes == 0 || classes == 2) return {};
  return fail(ErrorCode::bad_data, fmt::format("{}, target {}", rows.name, schema.targets[0]),
              fmt::format("there are {} classes, and {} separates two", classes, word),
              "combine models of two with --multiclass ova, or set one class against the rest with --positive LABEL");
}

struct Judged {
  Certificate certificate;
  Proof proof;
};

Result<Judged> judge(const Terms& terms, std::vector<double> w, double b, bool intercept, double tolerance,
                     RowSource& source, const Watch& watch) {
  auto proof = certify({*terms.loss, *terms.penalty, std::move(w), b, intercept}, source, watch);
  if (!proof) return std::unexpected(proof.error());
  Judged out{{}, *proof};
  Certificate& c = out.certificate;
  c.objective = proof->objective, c.null_objective = proof->null, c.tolerance = tolerance, c.slack = proof->slack;
  c.claim = DualityGap{proof->objective, proof->objective - proof->gap, proof->gap, false};
  const double limit = tolerance * proof->null;
  const bool near = std::isfinite(proof->slack) && proof->gap <= limit + proof->slack;
  const bool holds = proof->objective == 0 || proof->gap + proof->slack <= limit; // nothing is below zero
  c.verdict = holds ? Verdict::proved : near ? Verdict::within_tolerance : Verdict::refuted;
  if (c.verdict == Verdict::within_tolerance)
    c.conditions.emplace_back("the rounding of the check can cost as much as the tolerance");
  return out;
}

LinearSummary summary_of(const Proof& proof, const std::vector<double>& w, double b, const FitOptions& options,
                         const Schema& schema, const ColumnSums& sums) {
  LinearSummary out;
  out.rows = proof.rows, out.weight_sum = proof.weight;
  out.degrees_of_freedom = out.condition = kNaN;
  for (const double weight : w) out.rank += weight != 0 ? 1 : 0;
  out.intercept = options.intercept;
  out.weights_are = options.weights_are, out.confidence = options.confidence;
  add_columns(sums, out);
  TargetFit target =
      plain_fit(schema.targets.empty() ? "y" : schema.targets[0], feature::feature_names(schema), w, b, out);
  if (schema.classes.count() > 0) {
    out.classes.accuracy = proof.right / proof.weight;
    out.classes.log_likelihood = -proof.weight * proof.mean_loss;
    out.classes.null_log_likelihood = -proof.weight * proof.null;
  } else {
    target.rss = proof.squares, target.mse = proof.squares / proof.weight;
    target.r2 = proof.spread > 0 ? explained_share(proof.squares, proof.spread) : kNaN;
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

} // namespace

Result<Model> fit(const Request& request, Schema schema, const Rows& rows, const Clock& clock) {
  const FitOptions& options = *request.options;
  if (auto good = check_data(request.info->word, schema, rows); !good) return std::unexpected(good.error());
  const auto terms = terms_of(request.info->word, request.params, feature::feature_names(schema), options.intercept);
  if (!terms) return std::unexpected(terms.error());
  Pool pool(options.threads);
  const auto pass = first_pass_with_sums(rows, schema, pool, clock.watch());
  if (!pass) return std::unexpected(pass.error());
  if (auto good = check_rows(*pass, schema, rows); !good) return std::unexpected(good.error());
  const auto data = KernelData::hold(schema, rows);
  if (!data) return std::unexpected(data.error());
  ProximalSolution solution;
  {
    const Watch watch = clock.watch();
    const Listening listening(watch, "solving");
    solution = solve(*terms, *data, options.intercept, options.tolerance, pool);
  }
  auto judged = judge(*terms, solution.w, solution.b, options.intercept, options.tolerance, *data->held,
                      solution.interrupted ? Watch{} : clock.watch());
  if (!judged) return std::unexpected(judged.error());
  Model model = begin_model(request, pass->fingerprint.fingerprint());
  model.objective = terms->objective;
  model.certificate = std::move(judged->certificate);
  model.certificate.passes = 4;
  model.certificate.stop = solution.interrupted ? clock.stop_reason() : Stop("the gap is within the tolerance");
  short_of_proof(model.certificate);
  LinearSummary summary = summary_of(judged->proof, solution.w, solution.b, options, schema, *pass->sums);
  summary.solver = "proximal";
  summary.reason = solution.parabolas > 0 ? fmt::format("few columns: {} proximal steps on {} parabolas",
                                                        solution.steps, solution.parabolas)
                                          : fmt::format("many columns: {} proximal steps", solution.steps);
  model.linear() = std::move(summary);
  model.schema = std::move(schema);
  return model;
}

Result<Certificate> verify(const Model& model, const Rows& rows, const Clock& clock) {
  Pool pool;
  const LinearSummary& linear = model.linear();
  if (const auto pass = recognise(model, rows, {}, pool, clock); !pass) return std::unexpected(pass.error());
  const auto terms = terms_of(model.word, model.params, feature::feature_names(model.schema), linear.intercept);
  if (!terms) return std::unexpected(terms.error());
  if (auto again = rows.source.rewind(); !again) return std::unexpected(again.error());
  const auto pass = first_pass_with_sums(rows, model.schema, pool, clock.watch());
  if (!pass) return std::unexpected(pass.error());
  std::vector<double> w;
  for (const Coefficient& coefficient : linear.targets.at(0).coefficients) w.push_back(coefficient.value);
  const double b = linear.targets.at(0).intercept.value;
  auto judged = judge(*terms, w, b, linear.intercept, model.certificate.tolerance, rows.source, clock.watch());
  if (!judged) return std::unexpected(judged.error());
  if (model.certificate.verdict == Verdict::stopped_early) short_of_proof(judged->certificate); // as it says itself
  judged->certificate.stop = model.certificate.stop;
  const LinearSummary again = summary_of(judged->proof, w, b, options_of(model), model.schema, *pass->sums);
  compare_figures(model, again, judged->certificate);
  return judged->certificate;
}

} // namespace recta::penalised
