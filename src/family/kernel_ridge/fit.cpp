#include "family/kernel_ridge/fit.hpp"

#include "base/listening.hpp"
#include "base/numbers.hpp"
#include "base/sums.hpp"
#include "certificate/kernel_ridge/certify.hpp"
#include "family/figures.hpp"
#include "family/kernel_ridge/body.hpp"
#include "family/kernel_ridge/task.hpp"
#include "family/params.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace recta::kernel_ridge {
namespace {

std::vector<double> left_out_errors(const Task& task, const Solution& solution) {
  std::vector<double> out;
  const Index n = std::ssize(task.present);
  for (Index from = 0; from < std::ssize(solution.left_out); from += n) {
    CompensatedSum sum;
    for (Index i = 0; i < n; ++i) {
      const double e = solution.left_out[at(from + i)];
      sum.add_product(task.data.weight[at(task.present[at(i)])] / task.weight * e, e);
    }
    out.push_back(sum.value());
  }
  return out;
}

struct Judged {
  Certificate certificate;
  Proof proof;
};

Result<Judged> judge(const RidgeBody& body, const KernelData& data, double tolerance, Pool& pool, const Watch& watch) {
  const Learned& learned = body.learned();
  const Definite kernel = definite(body.kernel(), data);
  const Claimed claimed{body.kernel(), body.points(),  learned.vectors.rows, learned.alpha,
                        learned.b,     learned.lambda, learned.intercept,    kernel.rounding};
  auto proof = certify(claimed, *data.held, pool, watch);
  if (!proof) return std::unexpected(proof.error());
  Judged out{{}, *std::move(proof)};
  Certificate& certificate = out.certificate;
  certificate.objective = out.proof.objective, certificate.null_objective = out.proof.null;
  certificate.tolerance = tolerance;
  certificate.stop = "solved in closed form";
  certificate.passes = 4;
  if (!kernel.holds) {
    certificate.claim = Stationary{out.proof.violation};
    const double size = std::sqrt(2 * out.proof.null);
    certificate.verdict = out.proof.violation <= 1e-5 * size ? Verdict::within_tolerance : Verdict::refuted;
    certificate.conditions.emplace_back(
        "the kernel is not known to be positive semidefinite: the objective need not be convex, and this is a "
        "stationary point");
  } else {
    certificate.claim = DualityGap{out.proof.objective, out.proof.objective - out.proof.gap, out.proof.gap, false};
    certificate.slack = out.proof.slack;
    const double limit = tolerance * out.proof.null;
    const bool holds = out.proof.objective == 0 || out.proof.gap + out.proof.slack <= limit;
    const bool near = out.proof.gap <= limit + out.proof.slack;
    certificate.verdict = holds ? Verdict::proved : near ? Verdict::within_tolerance : Verdict::refuted;
    if (certificate.verdict == Verdict::within_tolerance)
      certificate.conditions.emplace_back("the rounding of the check can cost as much as the tolerance");
  }
  if (out.proof.same_rows) return out;
  certificate.verdict = Verdict::refuted;
  certificate.conditions.emplace_back("its rows are not those it was fitted to");
  return out;
}

FitSummary summary_of(const Task& task, bool factored, const FitOptions& options) {
  FitSummary out;
  out.solver = factored ? "cholesky" : "eigenvectors";
  out.reason = factored ? fmt::format("one factorisation of {0} x {0}", task.present.size())
                        : "the matrix has no Cholesky factor, by rounding or by its kernel";
  out.rows = std::ssize(task.present);
  out.weight_sum = task.weight;
  out.weights_are = options.weights_are;
  return out;
}

} // namespace

Result<Model> fit(const Request& request, Schema schema, const Rows& rows, const Clock& clock) {
  const FitOptions& options = *request.options;
  Pool pool(options.threads);
  const auto pass = checked_pass(rows, schema, pool, clock.watch());
  if (!pass) return std::unexpected(pass.error());
  const auto task = Task::make(request.params, schema, rows);
  if (!task) return std::unexpected(task.error());
  const auto lambda = squares_strength(request.info->word, request.params, task->weight, 1 / task->weight);
  if (!lambda) return std::unexpected(lambda.error());
  if (!(*lambda > 0))
    return refuse(request.info->word + ", parameter lambda", "without a penalty there are many answers",
                  "give a number above zero");
  Solution solution;
  {
    const Watch watch = clock.watch();
    const Listening listening(watch, "solving");
    solution = solve(task->problem(*lambda, options.intercept), flag(request.params, "loo"), pool);
  }
  Learned learned{.kernel = task->settings, .vectors = {}, .intercept = options.intercept, .lambda = *lambda};
  learned.vectors.rows = task->present;
  learned.vectors.take(task->data);
  learned.left_out = left_out_errors(*task, solution);
  FitSummary summary = summary_of(*task, solution.factored, options);
  learned.alpha = std::move(solution.alpha), learned.b = std::move(solution.b);
  const RidgeBody draft(learned, summary);
  auto judged = judge(draft, task->data, options.tolerance, pool, clock.watch());
  if (!judged) return std::unexpected(judged.error());
  learned.mse = judged->proof.mse, learned.r2 = judged->proof.r2, learned.squared = judged->proof.squared;
  Model model = begin_model(request, pass->fingerprint.fingerprint());
  model.certificate = std::move(judged->certificate);
  short_of_proof(model.certificate);
  model.objective = objective_text(task->settings, options.intercept, *lambda);
  model.body = std::make_shared<RidgeBody>(std::move(learned), std::move(summary));
  model.schema = std::move(schema);
  return model;
}

Result<Certificate> verify(const Model& model, const Rows& rows, const Clock& clock) {
  Pool pool;
  if (const auto pass = recognise(model, rows, {}, pool, clock); !pass) return std::unexpected(pass.error());
  const auto* body = dynamic_cast<const RidgeBody*>(model.body.get());
  if (!body) return fail(ErrorCode::bad_model_file, "model", "it is no kernel ridge regression", "fit it again");
  const auto task = Task::make(model.params, model.schema, rows);
  if (!task) return std::unexpected(task.error());
  const Learned& learned = body->learned();
  auto judged = judge(*body, task->data, model.certificate.tolerance, pool, clock.watch());
  if (!judged) return std::unexpected(judged.error());
  Certificate& certificate = judged->certificate;
  const auto refute = [&](std::string why) {
    certificate.verdict = Verdict::refuted;
    certificate.conditions.push_back(std::move(why));
  };
  const auto compare = [&](const char* what, double stored, double computed, double size) {
    if ((std::isnan(stored) && std::isnan(computed)) || std::abs(stored - computed) <= 1e-9 * size) return;
    refute(fmt::format("{} {} in the file, {} by the rows", what, stored, computed));
  };
  for (const std::string& difference : kernel_differences(learned.kernel, task->settings)) refute(difference);
  const auto lambda = squares_strength(model.word, model.params, task->weight, 1 / task->weight);
  if (!lambda) return std::unexpected(lambda.error());
  compare("lambda", learned.lambda, *lambda, *lambda);
  compare("the objective", model.certificate.objective, certificate.objective, std::abs(certificate.objective));
  const Proof& proof = judged->proof;
  const double size = 2 * proof.null;
  if (proof.mse.size() != learned.mse.size()) refute("it has another number of targets than the rows");
  for (std::size_t t = 0; t < learned.mse.size() && t < proof.mse.size(); ++t) {
    compare("the mean squared error", learned.mse[t], proof.mse[t], std::max(size, proof.mse[t]));
    compare("R^2", learned.r2[t], proof.r2[t], 1);
    compare("|w|^2", learned.squared[t], proof.squared[t], std::max(std::abs(proof.squared[t]), size));
  }
  if (!learned.left_out.empty()) {
    const auto again = left_out_errors(*task, solve(task->problem(*lambda, learned.intercept), true, pool));
    for (std::size_t t = 0; t < learned.left_out.size() && t < again.size(); ++t)
      compare("the error on rows left out", learned.left_out[t], again[t], 1e3 * std::max(size, again[t]));
  }
  if (!learned.intercept && std::ranges::any_of(learned.b, [](double b) { return b != 0; }))
    refute("it has an intercept, and none was asked for");
  FitSummary summary = body->summary();
  summary.rows = proof.count, summary.weight_sum = proof.weight;
  compare_summary(model, summary, certificate);
  return certificate;
}

} // namespace recta::kernel_ridge
