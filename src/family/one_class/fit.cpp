#include "family/one_class/fit.hpp"

#include "base/listening.hpp"
#include "base/numbers.hpp"
#include "family/figures.hpp"
#include "family/kernel_params.hpp"
#include "family/one_class/body.hpp"
#include "family/params.hpp"
#include "family/svm/nu.hpp"

#include <cmath>
#include <fmt/format.h>

namespace recta::one_class {
namespace {

// The rows and the kernel of a fit or a proof.
struct Task {
  KernelData data;
  kernel::Settings settings;
  std::vector<Index> present;
  double weight = 0;

  static Result<Task> make(const Params& params, const Schema& schema, const Rows& rows) {
    auto data = KernelData::hold(schema, rows);
    if (!data) return std::unexpected(data.error());
    Task out{*std::move(data), kernel_settings(params), {}, 0};
    out.data.set_gamma(out.settings);
    if (auto good = out.data.check_kernel_takes(out.settings, schema, rows); !good)
      return std::unexpected(good.error());
    out.present = out.data.present();
    for (const Index i : out.present) out.weight += out.data.weight[at(i)];
    return out;
  }
};

svm::Asked asked_of(double nu) {
  svm::Asked out;
  out.terms.loss = svm::Loss::hinge;
  out.nu = nu;
  return out;
}

struct Judgement {
  svm::Proof proof;
  Certificate certificate;
};

Result<Judgement> judge(const OneClassBody& body, const Task& task, double nu, double tolerance, Stop stop, bool early,
                        const Watch& watch) {
  const Learned& own = body.learned();
  const std::vector<double> ones(task.data.weight.size(), 1.0);
  svm::Claimed claimed{
      .terms = {}, .intercept = false, .cost = 1 / own.offset, .rows = own.vectors.rows, .beta = own.beta};
  claimed.kernel = &body.kernel(), claimed.points = &body.points();
  const auto found = svm::certify(claimed, {*task.data.held, ones, task.data.weight}, watch);
  if (!found) return std::unexpected(found.error());
  svm::MachineRows::Side side;
  side.total = task.weight;
  svm::Proof proof = svm::proof_for_nu(*found, asked_of(nu), side, 1 / own.offset, 0);
  const Definite kernel = definite(body.kernel(), task.data);
  for (const double beta : own.beta) proof.slack += kernel.rounding * beta * beta;
  const double strength = own.offset / task.weight, null = strength * proof.null;
  Certificate out;
  out.objective = strength * proof.primal, out.null_objective = null;
  out.tolerance = tolerance, out.passes = 3;
  out.stop = std::move(stop);
  const double gap = strength * proof.gap, slack = strength * proof.slack;
  const Verdict falls_short = early ? Verdict::stopped_early : Verdict::refuted;
  if (kernel.holds) {
    out.claim = DualityGap{out.objective, out.objective - gap, gap, false};
    out.slack = slack;
    out.verdict = gap + slack <= tolerance * null   ? Verdict::proved
                  : gap <= tolerance * null + slack ? Verdict::within_tolerance
                                                    : falls_short;
  } else {
    out.claim = Stationary{proof.violation};
    out.verdict = proof.violation <= 1e-3 ? Verdict::within_tolerance : falls_short;
    out.conditions.emplace_back(
        "the kernel is not known to be positive semidefinite: the dual need not be concave, and this is a stationary "
        "point");
  }
  if (!proof.same_rows) {
    out.verdict = Verdict::refuted;
    out.conditions.emplace_back("its support vectors are not the rows it says");
  }
  out.conditions.push_back(fmt::format("nu = {:.10g}: a share of {:.6g} of the rows is outside, and {:.6g} are support "
                                       "vectors",
                                       nu, proof.beyond / proof.weight, proof.support / proof.weight));
  return Judgement{proof, std::move(out)};
}

svm::GroupedProblem problem_of(const Task& task, double nu) {
  svm::GroupedProblem out;
  out.groups = {{1, nu}};
  for (std::size_t k = 0; k < task.present.size(); ++k) {
    out.row.push_back(static_cast<Index>(k));
    out.group.push_back(0);
    out.target.push_back(0);
    out.cost.push_back(task.data.weight[at(task.present[k])] / task.weight);
  }
  return out;
}

// Divided by the level; the ends of the boxes are those of C, to the last bit.
Learned learned_of(const svm::GroupedSolution& found, const Task& task) {
  Learned out{.kernel = task.settings, .vectors = {}, .beta = {}, .offset = found.levels[0] * task.weight};
  const double cost = 1 / out.offset;
  for (std::size_t k = 0; k < found.beta.size(); ++k) {
    if (!(found.beta[k] > 0)) continue;
    const double own = task.data.weight[at(task.present[k])], end = cost * own;
    out.vectors.rows.push_back(task.present[k]);
    out.beta.push_back(found.beta[k] >= own / task.weight ? end : std::min(end, found.beta[k] / found.levels[0]));
  }
  out.vectors.features = task.data.held->cols(), out.vectors.sparse = task.data.sparse();
  out.vectors.take(task.data);
  return out;
}

FitSummary summary_of(const Task& task, const svm::GroupedSolution& found, const FitOptions& options) {
  FitSummary out;
  out.solver = "working-sets";
  out.reason = fmt::format("a level that is found: {} steps over {} working sets{}", found.steps, found.rounds,
                           found.exact_end ? ", then the free coefficients together" : "");
  out.rows = std::ssize(task.present), out.weight_sum = task.weight, out.weights_are = options.weights_are;
  return out;
}

} // namespace

Result<Model> fit(const Request& request, Schema schema, const Rows& rows, const Clock& clock) {
  const FitOptions& options = *request.options;
  Pool pool(options.threads);
  const auto seen = first_pass(rows, schema, {}, pool, clock.watch());
  if (!seen) return std::unexpected(seen.error());
  if (auto good = check_rows(*seen, schema, rows); !good) return std::unexpected(good.error());
  const auto task = Task::make(request.params, schema, rows);
  if (!task) return std::unexpected(task.error());
  const double nu = number(request.params, "nu");
  const auto kernel = kernel::make_kernel(task->settings);
  const kernel::Points points = task->data.points(task->present, *kernel);
  svm::GroupedSettings settings{.cache = static_cast<std::uint64_t>(number(request.params, "cache") * 1e6)};
  settings.tolerance = [&](const std::vector<double>& r) { return options.tolerance * std::max(0.0, r[0]) / 4; };
  svm::GroupedSolution found;
  {
    const Watch watch = clock.watch();
    const Listening listening(watch, "solving");
    found = svm::solve_grouped(problem_of(*task, nu), *kernel, points, settings, pool);
  }
  double squared = 0, largest = 0;
  for (std::size_t k = 0; k < found.f.size(); ++k) {
    squared += found.beta[k] * found.f[k];
    largest = std::max(largest, std::abs(points.own_value(*kernel, static_cast<Index>(k))));
  }
  if (!(found.levels[0] > 0) || squared <= 1e-12 * nu * nu * largest)
    return fail(ErrorCode::bad_data, rows.name,
                fmt::format("with nu = {} and this kernel w = 0 is optimal: the origin lies among the rows", nu),
                "give the kernel rbf, or a larger nu");
  Learned learned = learned_of(found, *task);
  FitSummary summary = summary_of(*task, found, options);
  auto body = std::make_shared<OneClassBody>(std::move(learned), std::move(summary));
  const bool early = found.interrupted || found.gave_up;
  const Stop stop = found.interrupted ? clock.stop_reason()
                    : found.gave_up   ? Stop("the search came no nearer")
                                      : Stop("the gap is within the tolerance");
  auto judged = judge(*body, *task, nu, options.tolerance, stop, early, {});
  if (!judged) return std::unexpected(judged.error());
  Model model;
  model.word = request.info->word;
  model.params = copied(request.params);
  model.objective = fmt::format("F(w) = 1/W sum_i s_i max(0, 1 - f(x_i)) + (lambda/2) |w|^2,  f(x) = {},  with the "
                                "lambda of nu = {:.10g}",
                                score_text(task->settings, false), nu);
  model.fingerprint = seen->fingerprint.fingerprint();
  model.certificate = std::move(judged->certificate);
  auto& conditions = model.certificate.conditions;
  conditions.insert(conditions.begin(), request.notes.begin(), request.notes.end());
  if (!early) short_of_proof(model.certificate);
  model.body = std::move(body);
  model.schema = std::move(schema);
  return model;
}

Result<Certificate> verify(const Model& model, const Rows& rows, const Clock& clock) {
  Pool pool;
  if (const auto seen = recognise(model, rows, {}, pool, clock); !seen) return std::unexpected(seen.error());
  if (auto again = rows.source.rewind(); !again) return std::unexpected(again.error());
  const auto* body = dynamic_cast<const OneClassBody*>(model.body.get());
  if (!body) return fail(ErrorCode::bad_model_file, "model", "it is no one-class machine", "fit it again");
  const auto task = Task::make(model.params, model.schema, rows);
  if (!task) return std::unexpected(task.error());
  auto judged = judge(*body, *task, number(model.params, "nu"), model.certificate.tolerance, model.certificate.stop,
                      model.certificate.verdict == Verdict::stopped_early, clock.watch());
  if (!judged) return std::unexpected(judged.error());
  Certificate& certificate = judged->certificate;
  const auto refute = [&](const std::string& why) {
    certificate.verdict = Verdict::refuted;
    certificate.conditions.push_back(why);
  };
  for (const std::string& difference : kernel_differences(body->learned().kernel, task->settings)) refute(difference);
  const double stored = model.certificate.objective, found = certificate.objective;
  if (std::abs(stored - found) > 1e-9 * std::abs(found))
    refute(fmt::format("the objective {} in the file, {} by the rows", stored, found));
  FitSummary summary = body->summary();
  summary.rows = std::ssize(task->present), summary.weight_sum = task->weight;
  compare_summary(model, summary, certificate);
  return std::move(certificate);
}

} // namespace recta::one_class
