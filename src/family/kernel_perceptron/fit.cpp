#include "family/kernel_perceptron/fit.hpp"

#include "base/listening.hpp"
#include "family/figures.hpp"
#include "family/kernel_params.hpp"
#include "family/kernel_perceptron/proof.hpp"
#include "family/params.hpp"
#include "solver/kernel_perceptron/learn.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace recta::kernel_perceptron {
namespace {

struct Task {
  KernelData data;
  kernel::Settings settings;
  std::unique_ptr<const kernel::Kernel> kernel;
  std::vector<KernelData::Side> sides;

  static Result<Task> make(const Params& params, const Schema& schema, const Rows& rows) {
    auto data = KernelData::hold(schema, rows);
    if (!data) return std::unexpected(data.error());
    Task out;
    out.data = *std::move(data);
    out.settings = kernel_settings(params);
    out.data.set_gamma(out.settings);
    if (auto good = out.data.check_kernel_takes(out.settings, schema, rows); !good)
      return std::unexpected(good.error());
    out.kernel = kernel::make_kernel(out.settings);
    out.sides = out.data.sides(true);
    return out;
  }
};

Solution run_of(const Task& task, const KernelData::Side& side, const Params& params, bool intercept, Pool& pool) {
  const kernel::Points points = task.data.points(side.present, *task.kernel);
  const double steps = number(params, "steps");
  Problem problem{*task.kernel,
                  points,
                  {},
                  {},
                  intercept,
                  static_cast<Index>(number(params, "passes")),
                  std::isnan(steps) ? 0 : static_cast<Index>(steps),
                  static_cast<std::uint64_t>(number(params, "cache") * 1e6)};
  for (const Index i : side.present)
    problem.target.push_back(side.target[at(i)]), problem.weight.push_back(side.weight[at(i)]);
  return learn(problem, pool);
}

// Coefficients of all parts over the rows that have one in some part.
void add_parts(const Task& task, const std::vector<Solution>& solutions, Learned& learned) {
  std::vector<Index> place(task.data.target.size(), -1);
  for (std::size_t p = 0; p < solutions.size(); ++p)
    for (std::size_t k = 0; k < solutions[p].beta.size(); ++k)
      if (solutions[p].beta[k] != 0) place[at(task.sides[p].present[k])] = 0;
  for (std::size_t i = 0; i < place.size(); ++i)
    if (place[i] == 0) {
      place[i] = std::ssize(learned.vectors.rows);
      learned.vectors.rows.push_back(static_cast<Index>(i));
    }
  learned.vectors.take(task.data);
  for (std::size_t p = 0; p < solutions.size(); ++p) {
    Part part{.mistakes = solutions[p].mistakes, .presented = solutions[p].presented};
    for (std::size_t k = 0; k < solutions[p].beta.size(); ++k)
      if (const double beta = solutions[p].beta[k]; beta != 0) {
        part.support.push_back(place[at(task.sides[p].present[k])]);
        part.beta.push_back(beta);
        part.b += learned.intercept ? beta : 0;
      }
    learned.parts.push_back(std::move(part));
  }
}

bool whole_weights(const KernelData::Side& side) {
  return std::ranges::all_of(side.present,
                             [&](Index i) { return side.weight[at(i)] == std::floor(side.weight[at(i)]); });
}

struct Judged {
  Certificate certificate;
  std::vector<Proof> proofs;
  double right = 0;
};

std::string class_text(const Schema& schema, std::size_t p, const Proof& proof) {
  if (proof.separates)
    return fmt::format("\"{}\" separated (margin {:.6g})", schema.classes.labels[p], proof.least / proof.norm);
  return fmt::format("\"{}\" not separated ({} of {} rows are wrong)", schema.classes.labels[p], proof.wrong,
                     proof.count);
}

Result<Judged> judge(const PerceptronBody& body, const Task& task, const Schema& schema, const Stop& stop, Pool& pool,
                     const Watch& watch) {
  Judged out;
  const Definite kernel = definite(body.kernel(), task.data);
  bool all = true, same = true;
  double margin = kInfinity;
  Index wrong = 0;
  for (std::size_t p = 0; p < task.sides.size(); ++p) {
    const auto proof = prove(body, body.learned().parts[p], task.data, task.sides[p], pool, watch);
    if (!proof) return std::unexpected(proof.error());
    all = all && proof->separates, same = same && proof->same_rows, wrong += proof->wrong;
    margin = std::min(margin, proof->separates ? proof->least / proof->norm
                                               : (proof->norm > 0 ? std::min(0.0, proof->nearest / proof->norm) : 0));
    out.proofs.push_back(*proof);
  }
  const auto right = right_weight(body, task.data, pool);
  if (!right) return std::unexpected(right.error());
  out.right = *right;
  Certificate& certificate = out.certificate;
  certificate.stop = stop;
  certificate.passes = 2 + static_cast<Index>(task.sides.size());
  certificate.objective = kNaN;
  certificate.verdict = all && kernel.holds ? Verdict::proved
                        : wrong == 0        ? Verdict::within_tolerance
                                            : Verdict::stopped_early;
  certificate.claim = SeparatingHyperplane{margin};
  if (!kernel.holds) {
    certificate.claim = Described{
        "rows_on_their_sides",
        fmt::format("{} of the rows are on the wrong side; the kernel is not known to be positive semidefinite, "
                    "so that there is no space in which they have a margin",
                    wrong),
        {}};
  }
  if (task.sides.size() > 1) {
    std::string text = fmt::format("{} classes, each against the rest:", task.sides.size());
    for (std::size_t p = 0; p < task.sides.size(); ++p)
      text += (p > 0 ? ", " : " ") + class_text(schema, p, out.proofs[p]);
    certificate.conditions.push_back(text);
  } else if (!all) {
    certificate.conditions.push_back(
        fmt::format("{} of {} rows are predicted right", out.proofs[0].count - wrong, out.proofs[0].count));
  }
  if (same) return out;
  certificate.verdict = Verdict::refuted;
  certificate.conditions.emplace_back("its rows are not those it learned from");
  return out;
}

// What the proofs give for the parts, and the counts of the fit.
void add_figures(const Task& task, const Judged& judged, std::vector<Part>& parts, ClassFit& counts) {
  counts.mistakes = counts.presented = 0;
  for (std::size_t p = 0; p < parts.size(); ++p) {
    const Proof& proof = judged.proofs[p];
    Part& part = parts[p];
    counts.mistakes += part.mistakes, counts.presented += part.presented;
    part.norm = proof.norm, part.least = proof.nearest;
    const double b = proof.norm / proof.least;
    part.bound = proof.separates && whole_weights(task.sides[p]) ? proof.radius * proof.radius * b * b : kNaN;
    if (parts.size() > 1 || std::isnan(part.bound)) continue;
    counts.radius = proof.radius, counts.norm = b, counts.mistake_bound = part.bound;
  }
  double weight = 0;
  for (const double v : task.data.weight) weight += v;
  counts.accuracy = judged.right / weight;
}

void add_counts(const ClassFit& counts, Certificate& certificate) {
  std::string text = fmt::format("{:.0f} mistakes in {:.0f} rows presented", counts.mistakes, counts.presented);
  if (!std::isnan(counts.mistake_bound))
    text += fmt::format(", of at most {:.6g} = (R B)^2 mistakes with R = {:.6g} and B = {:.6g}",
                        std::floor(counts.mistake_bound), counts.radius, counts.norm);
  certificate.conditions.insert(certificate.conditions.begin(), text);
}

} // namespace

Result<Model> fit(const Request& request, Schema schema, const Rows& rows, const Clock& clock) {
  const FitOptions& options = *request.options;
  if (schema.classes.count() < 2)
    return fail(ErrorCode::bad_data, fmt::format("{}, target {}", rows.name, schema.targets.at(0)),
                "all rows are of one class, and a perceptron tells classes apart", "give rows of two classes or more");
  Pool pool(options.threads);
  const auto pass = checked_pass(rows, schema, pool, clock.watch());
  if (!pass) return std::unexpected(pass.error());
  const auto task = Task::make(request.params, schema, rows);
  if (!task) return std::unexpected(task.error());
  std::vector<Solution> solutions;
  {
    const Watch watch = clock.watch();
    const Listening listening(watch, "learning");
    for (const auto& side : task->sides)
      solutions.push_back(run_of(*task, side, request.params, options.intercept, pool));
  }
  Learned learned{
      .kernel = task->settings, .vectors = {}, .classes = task->data.classes, .intercept = options.intercept};
  add_parts(*task, solutions, learned);
  const bool clean = std::ranges::all_of(solutions, &Solution::clean);
  const bool stopped = std::ranges::any_of(solutions, &Solution::interrupted);
  const Stop stop = stopped ? clock.stop_reason()
                    : clean ? Stop(Stop::clean_pass)
                            : Stop("as many passes or steps as were asked for");
  FitSummary summary;
  summary.solver = "perceptron";
  summary.reason = fmt::format("{} passes over the rows in their order{}", solutions[0].passes,
                               solutions.size() > 1 ? "; one for every class, against the rest" : "");
  for (const double v : task->data.weight) summary.rows += v > 0 ? 1 : 0, summary.weight_sum += v;
  summary.weights_are = options.weights_are;
  const PerceptronBody draft(learned, summary);
  auto judged = judge(draft, *task, schema, stop, pool, stopped ? Watch{} : clock.watch());
  if (!judged) return std::unexpected(judged.error());
  add_figures(*task, *judged, learned.parts, summary.classes);
  Model model = begin_model(request, pass->fingerprint.fingerprint());
  model.certificate = std::move(judged->certificate);
  add_counts(summary.classes, model.certificate);
  model.certificate.tolerance = options.tolerance;
  model.objective =
      fmt::format("y_i f(x_i) > 0 for every row,  f(x) = {}", score_text(task->settings, options.intercept));
  model.body = std::make_shared<PerceptronBody>(std::move(learned), std::move(summary));
  model.schema = std::move(schema);
  return model;
}

namespace {

// The run once more: it has the same bits wherever it is made.
void compare_runs(const Task& task, const Model& model, const Learned& learned, Pool& pool, Certificate& certificate) {
  const auto refute = [&](std::string why) {
    certificate.verdict = Verdict::refuted;
    certificate.conditions.push_back(std::move(why));
  };
  std::vector<Solution> solutions;
  for (const auto& side : task.sides) solutions.push_back(run_of(task, side, model.params, learned.intercept, pool));
  Learned again{.kernel = learned.kernel, .vectors = {}, .classes = learned.classes, .intercept = learned.intercept};
  add_parts(task, solutions, again);
  if (again.vectors.rows != learned.vectors.rows) refute("the rows it keeps are not those of its mistakes");
  for (std::size_t p = 0; p < learned.parts.size(); ++p) {
    const Part &stored = learned.parts[p], &rerun = again.parts[p];
    if (stored.support != rerun.support || stored.beta != rerun.beta || stored.b != rerun.b)
      refute("its coefficients are not those of its run");
    if (stored.mistakes != rerun.mistakes || stored.presented != rerun.presented)
      refute(fmt::format("{} mistakes in {} rows presented in the file, {} in {} by the run", stored.mistakes,
                         stored.presented, rerun.mistakes, rerun.presented));
  }
}

} // namespace

Result<Certificate> verify(const Model& model, const Rows& rows, const Clock& clock) {
  Pool pool;
  if (const auto pass = recognise(model, rows, {}, pool, clock); !pass) return std::unexpected(pass.error());
  const auto* body = dynamic_cast<const PerceptronBody*>(model.body.get());
  if (!body) return fail(ErrorCode::bad_model_file, "model", "it is no kernel perceptron", "fit it again");
  const auto task = Task::make(model.params, model.schema, rows);
  if (!task) return std::unexpected(task.error());
  const Learned& learned = body->learned();
  auto judged = judge(*body, *task, model.schema, model.certificate.stop, pool, clock.watch());
  if (!judged) return std::unexpected(judged.error());
  Certificate& certificate = judged->certificate;
  certificate.tolerance = model.certificate.tolerance;
  const auto refute = [&](std::string why) {
    certificate.verdict = Verdict::refuted;
    certificate.conditions.push_back(std::move(why));
  };
  for (const std::string& difference : kernel_differences(learned.kernel, task->settings)) refute(difference);
  std::vector<Part> parts = learned.parts;
  ClassFit counts;
  add_figures(*task, *judged, parts, counts);
  add_counts(counts, certificate);
  const auto near = [](double stored, double computed) {
    return (std::isnan(stored) && std::isnan(computed)) || std::abs(stored - computed) <= 1e-9 * std::abs(computed);
  };
  for (std::size_t p = 0; p < parts.size(); ++p)
    if (!near(learned.parts[p].norm, parts[p].norm) || !near(learned.parts[p].least, parts[p].least) ||
        !near(learned.parts[p].bound, parts[p].bound))
      refute("the length of w, the nearest row or the bound on mistakes is not what the rows give");
  if (model.certificate.stop.by_the_caller())
    certificate.conditions.emplace_back("the run was stopped and not repeated: its counts of mistakes are as stored");
  else
    compare_runs(*task, model, learned, pool, certificate);
  FitSummary summary = body->summary();
  summary.classes = counts;
  summary.rows = 0, summary.weight_sum = 0;
  for (const double v : task->data.weight) summary.rows += v > 0 ? 1 : 0, summary.weight_sum += v;
  compare_summary(model, summary, certificate);
  return certificate;
}

} // namespace recta::kernel_perceptron
