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

svm::MachineSpec spec_of(double nu) {
  svm::MachineSpec out;
  out.terms.loss = svm::Loss::hinge;
  out.nu = nu;
  return out;
}

struct Judgement {
  svm::Proof proof;
  Certificate certificate;
};

Result<Judgement> judge(const OneClassBody& body, const Task& task, double nu, double tolerance, Stop stop, bool early,
                        Pool& pool, const Watch& watch) {
  const Learned& learned = body.learned();
  const std::vector<double> ones(task.data.weight.size(), 1.0);
  svm::Claimed claimed{
      .terms = {}, .intercept = false, .cost = 1 / learned.offset, .rows = learned.vectors.rows, .beta = learned.beta};
  claimed.kernel = &body.kernel(), claimed.points = &body.points();
  // f - rho / offset, the score less another level, is the score with an intercept.
  std::vector<double> levels{learned.offset};
  if (learned.lowest < learned.highest) levels.insert(levels.end(), {learned.lowest, learned.highest});
  std::vector<double> intercepts;
  for (const double level : levels) intercepts.push_back(1 - level / learned.offset);
  const auto proofs = svm::certify(claimed, intercepts, {*task.data.held, ones, task.data.weight}, pool, watch);
  if (!proofs) return std::unexpected(proofs.error());
  const svm::Proof* const certified = &proofs->front();
  svm::MachineRows::Side side;
  side.total = task.weight;
  svm::Proof proof = svm::proof_for_nu(*certified, spec_of(nu), side, 1 / learned.offset, 0);
  const Definite kernel = definite(body.kernel(), task.data);
  for (const double beta : learned.beta) proof.slack += kernel.rounding * beta * beta;
  const double strength = learned.offset / task.weight, null = strength * proof.null;
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
  const auto refute = [&](const std::string& why) {
    out.verdict = Verdict::refuted;
    out.conditions.push_back(why);
  };
  if (std::abs(learned.squared - proof.squared) > 1e-6 * std::max(proof.squared, proof.primal))
    refute(fmt::format("|w|^2 is {} in the file, {} by the rows", learned.squared, proof.squared));
  if (learned.lowest > learned.offset || learned.highest < learned.offset)
    refute(fmt::format("the level {} is not between {} and {}", learned.offset, learned.lowest, learned.highest));
  for (std::size_t k = 1; k < levels.size(); ++k) {
    const svm::Proof& other = (*proofs)[k];
    const double more = other.primal - certified->primal + nu * task.weight / learned.offset * intercepts[k];
    if (more > tolerance * certified->null + other.slack + certified->slack)
      refute(fmt::format("the level {} is not as good as {}", levels[k], learned.offset));
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
Learned learned_of(const svm::GroupedSolution& solution, const svm::Levels& levels, double squared, const Task& task) {
  Learned out{.kernel = task.settings,
              .vectors = {},
              .beta = {},
              .offset = solution.levels[0] * task.weight,
              .lowest = std::min(levels.low, solution.levels[0]) * task.weight,
              .highest = std::max(levels.high, solution.levels[0]) * task.weight,
              .squared = squared / (solution.levels[0] * solution.levels[0])};
  const double cost = 1 / out.offset;
  for (std::size_t k = 0; k < solution.beta.size(); ++k) {
    if (!(solution.beta[k] > 0)) continue;
    const double weight = task.data.weight[at(task.present[k])], end = cost * weight;
    out.vectors.rows.push_back(task.present[k]);
    out.beta.push_back(solution.beta[k] >= weight / task.weight ? end
                                                                : std::min(end, solution.beta[k] / solution.levels[0]));
  }
  out.vectors.features = task.data.held->cols(), out.vectors.sparse = task.data.sparse();
  out.vectors.take(task.data);
  return out;
}

FitSummary summary_of(const Task& task, const svm::GroupedSolution& solution, const FitOptions& options) {
  FitSummary out;
  out.solver = "working-sets";
  out.reason = fmt::format("a level that is found: {} steps over {} working sets{}", solution.steps, solution.rounds,
                           solution.exact_end ? ", then the free coefficients together" : "");
  out.rows = std::ssize(task.present), out.weight_sum = task.weight, out.weights_are = options.weights_are;
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
  const double nu = number(request.params, "nu");
  const auto kernel = kernel::make_kernel(task->settings);
  const kernel::Points points = task->data.points(task->present, *kernel);
  svm::GroupedSettings settings{.cache = static_cast<std::uint64_t>(number(request.params, "cache") * 1e6)};
  settings.tolerance = [&](const std::vector<double>& r) { return options.tolerance * std::max(0.0, r[0]) / 4; };
  const svm::GroupedProblem problem = problem_of(*task, nu);
  svm::GroupedSolution solution;
  {
    const Watch watch = clock.watch();
    const Listening listening(watch, "solving");
    solution = svm::solve_grouped(problem, *kernel, points, settings, pool);
  }
  double squared = 0, largest = 0;
  for (std::size_t k = 0; k < solution.f.size(); ++k) {
    squared += solution.beta[k] * solution.f[k];
    largest = std::max(largest, std::abs(points.own_value(*kernel, static_cast<Index>(k))));
  }
  if (!(solution.levels[0] > 0) || squared <= 1e-12 * nu * nu * largest)
    return fail(ErrorCode::bad_data, rows.name,
                fmt::format("with nu = {} and this kernel w = 0 is optimal: the origin lies among the rows", nu),
                "give the kernel rbf, or a larger nu");
  Learned learned = learned_of(solution, svm::best_levels(problem, 0, solution.f), squared, *task);
  FitSummary summary = summary_of(*task, solution, options);
  auto body = std::make_shared<OneClassBody>(std::move(learned), std::move(summary));
  const bool early = solution.interrupted || solution.gave_up;
  const Stop stop = solution.interrupted ? clock.stop_reason()
                    : solution.gave_up   ? Stop("the search came no nearer")
                                         : Stop("the gap is within the tolerance");
  auto judged = judge(*body, *task, nu, options.tolerance, stop, early, pool, {});
  if (!judged) return std::unexpected(judged.error());
  Model model = begin_model(request, pass->fingerprint.fingerprint());
  model.objective = fmt::format("F(w) = 1/W sum_i s_i max(0, 1 - f(x_i)) + (lambda/2) |w|^2,  f(x) = {},  with the "
                                "lambda of nu = {:.10g}",
                                score_text(task->settings, false), nu);
  model.certificate = std::move(judged->certificate);
  if (!early) short_of_proof(model.certificate);
  model.body = std::move(body);
  model.schema = std::move(schema);
  return model;
}

Result<Certificate> verify(const Model& model, const Rows& rows, const Clock& clock) {
  Pool pool;
  if (const auto pass = recognise(model, rows, {}, pool, clock); !pass) return std::unexpected(pass.error());
  const auto* body = dynamic_cast<const OneClassBody*>(model.body.get());
  if (!body) return fail(ErrorCode::bad_model_file, "model", "it is no one-class machine", "fit it again");
  const auto task = Task::make(model.params, model.schema, rows);
  if (!task) return std::unexpected(task.error());
  auto judged = judge(*body, *task, number(model.params, "nu"), model.certificate.tolerance, model.certificate.stop,
                      model.certificate.verdict == Verdict::stopped_early, pool, clock.watch());
  if (!judged) return std::unexpected(judged.error());
  Certificate& certificate = judged->certificate;
  const auto refute = [&](const std::string& why) {
    certificate.verdict = Verdict::refuted;
    certificate.conditions.push_back(why);
  };
  for (const std::string& difference : kernel_differences(body->learned().kernel, task->settings)) refute(difference);
  const double stored = model.certificate.objective, computed = certificate.objective;
  if (std::abs(stored - computed) > 1e-9 * std::abs(computed))
    refute(fmt::format("the objective {} in the file, {} by the rows", stored, computed));
  FitSummary summary = body->summary();
  summary.rows = std::ssize(task->present), summary.weight_sum = task->weight;
  compare_summary(model, summary, certificate);
  return std::move(certificate);
}

} // namespace recta::one_class
