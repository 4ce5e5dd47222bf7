#include "family/kernel_pca/fit.hpp"

#include "base/large_memory.hpp"
#include "base/listening.hpp"
#include "base/numbers.hpp"
#include "certificate/kernel_pca/certify.hpp"
#include "family/figures.hpp"
#include "family/kernel_params.hpp"
#include "family/kernel_pca/body.hpp"
#include "family/kernel_ridge/task.hpp"
#include "family/params.hpp"
#include "solver/kernel_pca/spectrum.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <numeric>

namespace recta::kernel_pca {
namespace {

using kernel_ridge::Task;

constexpr double kUsual = 2; // components, if their number is not given

std::vector<double> shares(const Task& task) {
  std::vector<double> out;
  for (const Index i : task.present) out.push_back(task.data.weight[at(i)] / task.weight);
  return out;
}

// The largest value of a component over the training rows is positive.
void point_up(const std::vector<double>& share, Spectrum& spectrum) {
  const Index n = std::ssize(share);
  for (Index c = 0; c < std::ssize(spectrum.values); ++c) {
    double* const u = spectrum.vectors.data() + c * n;
    double largest = 0;
    for (Index i = 0; i < n; ++i)
      if (const double value = u[i] / std::sqrt(share[at(i)]); std::abs(value) > std::abs(largest)) largest = value;
    if (largest < 0) std::transform(u, u + n, u, [](double v) { return -v; });
  }
}

struct Judged {
  Certificate certificate;
  Proof proof;
};

Result<Judged> judge(const ComponentsBody& body, const KernelData& data, double tolerance, Pool& pool,
                     const Watch& watch) {
  const Learned& learned = body.learned();
  const Claimed claimed{body.kernel(), body.points(),    learned.vectors.rows, learned.alpha,
                        learned.b,     learned.variance, learned.total};
  auto proof = certify(claimed, *data.held, pool, watch);
  if (!proof) return std::unexpected(proof.error());
  Judged out{{}, *std::move(proof)};
  const Proof& checked = out.proof;
  Certificate& certificate = out.certificate;
  const double carried = std::accumulate(learned.variance.begin(), learned.variance.end(), 0.0),
               least = learned.variance.back();
  certificate.objective = checked.total - carried, certificate.null_objective = checked.total;
  certificate.tolerance = tolerance, certificate.slack = checked.slack;
  certificate.stop = "solved in closed form";
  certificate.passes = 3;
  const bool right = checked.same_rows && checked.residual <= tolerance + checked.slack && checked.constants <= 1e-9;
  const bool largest = checked.other <= least * (1 + 1e-6) + checked.slack * learned.variance[0];
  certificate.claim = Described{
      "eigenvectors",
      fmt::format("{} of the kernel about its mean {} to {:.2g} of the largest eigenvalue (tolerance {:.2g}); checked "
                  "with the matrix of a fresh pass over the rows{}",
                  learned.components() == 1 ? "the component is an eigenvector"
                                            : fmt::format("the {} components are eigenvectors", learned.components()),
                  learned.components() == 1 ? "and holds" : "and hold", checked.residual, tolerance,
                  largest ? "; no direction beside them has more variance than the last of them" : ""),
      {{"residual", checked.residual}, {"other_variance", checked.other}, {"shown_largest", largest ? 1.0 : 0.0}}};
  certificate.verdict = !right ? Verdict::refuted : largest ? Verdict::proved : Verdict::within_tolerance;
  if (right && !largest)
    certificate.conditions.push_back(
        std::isinf(checked.other)
            ? "a direction beside them has more variance than the last of them"
            : fmt::format("that no direction beside them has more variance than the last, {:.6g}, is not shown: by the "
                          "squares that are left it has at most {:.6g}",
                          least, checked.other));
  if (right && std::isinf(checked.other)) certificate.verdict = Verdict::refuted;
  if (!checked.same_rows) certificate.conditions.emplace_back("its rows are not those it was fitted to");
  if (checked.constants > 1e-9) certificate.conditions.emplace_back("its constants are not those of its rows");
  return out;
}

// How many components the parameters ask for: the model must have as many, or say why not.
std::string wrong_count(const Params& params, const Learned& learned, double total) {
  const double expected = number(params, "components");
  const double carried = std::accumulate(learned.variance.begin(), learned.variance.end(), 0.0);
  const auto count = static_cast<double>(learned.components());
  if (expected >= 1) {
    if (count == expected || (count < expected && total - carried <= 1e-9 * total)) return "";
  } else if (carried >= expected * total * (1 - 1e-12) && carried - learned.variance.back() < expected * total) {
    return "";
  }
  return fmt::format("it has {} components, and {} asked for", count, expected);
}

} // namespace

Result<Model> fit(const Request& request, Schema schema, const Rows& rows, const Clock& clock) {
  const FitOptions& options = *request.options;
  Pool pool(options.threads);
  const auto pass = checked_pass(rows, schema, pool, clock.watch());
  if (!pass) return std::unexpected(pass.error());
  const auto task = Task::make(request.params, schema, rows);
  if (!task) return std::unexpected(task.error());
  const Index n = std::ssize(task->present);
  const double components = options.components > 0 ? options.components : kUsual;
  Learned learned{.kernel = task->settings, .vectors = {}};
  Spectrum spectrum;
  {
    const Watch watch = clock.watch();
    const Listening listening(watch, "eigenvectors");
    const LargePages pages(LargePages::room(at(n * n) * sizeof(double)));
    Values k(at(n * n)); // the lower triangle is not set yet
    task->points.upper_triangle(*task->kernel, k.data(), &pool);
    const Centred about = centre(std::move(k), shares(*task), pool);
    const Selection selection{
        .count = components >= 1 ? static_cast<Index>(std::min(components, static_cast<double>(n))) : n,
        .share = components >= 1 ? 0 : components,
        .tolerance = options.tolerance / 4,
        .seed = options.seed};
    spectrum = largest(about, n, selection, pool);
    learned.total = about.trace;
    if (spectrum.values.empty() || !(spectrum.values[0] > 1e-14 * std::abs(task->points.own_value(*task->kernel, 0))))
      return fail(ErrorCode::bad_data, rows.name,
                  n == 1 ? "there is one sample, and components need rows that differ"
                         : "the rows do not vary in the space of the kernel",
                  "give rows that differ, or another kernel");
    point_up(shares(*task), spectrum);
    for (Index c = 0; c < std::ssize(spectrum.values); ++c) {
      double b = 0;
      for (Index i = 0; i < n; ++i) {
        const double share = task->data.weight[at(task->present[at(i)])] / task->weight;
        learned.alpha.push_back(std::sqrt(share / spectrum.values[at(c)]) * spectrum.vectors[at(c * n + i)]);
        b -= learned.alpha.back() * about.means[at(i)];
      }
      learned.b.push_back(b);
    }
  }
  learned.variance = spectrum.values;
  learned.vectors.rows = task->present;
  learned.vectors.take(task->data);
  FitSummary summary;
  summary.solver = spectrum.method, summary.reason = spectrum.reason;
  summary.rows = n, summary.weight_sum = task->weight, summary.weights_are = options.weights_are;
  const auto body = std::make_shared<ComponentsBody>(std::move(learned), std::move(summary));
  auto judged = judge(*body, task->data, options.tolerance, pool, clock.watch());
  if (!judged) return std::unexpected(judged.error());
  Model model = begin_model(request, pass->fingerprint.fingerprint());
  model.params["components"] = components;
  model.certificate = std::move(judged->certificate);
  auto& conditions = model.certificate.conditions;
  if (components >= 1 && body->scores() < static_cast<Index>(components))
    conditions.push_back(fmt::format("the rows have {} directions, and {} components were asked for", body->scores(),
                                     static_cast<Index>(components)));
  short_of_proof(model.certificate);
  model.body = body;
  model.schema = std::move(schema);
  return model;
}

Result<Certificate> verify(const Model& model, const Rows& rows, const Clock& clock) {
  Pool pool;
  if (const auto pass = recognise(model, rows, {}, pool, clock); !pass) return std::unexpected(pass.error());
  const auto* body = dynamic_cast<const ComponentsBody*>(model.body.get());
  if (!body) return fail(ErrorCode::bad_model_file, "model", "it holds no components of a kernel", "fit it again");
  const auto task = Task::make(model.params, model.schema, rows);
  if (!task) return std::unexpected(task.error());
  auto judged = judge(*body, task->data, model.certificate.tolerance, pool, clock.watch());
  if (!judged) return std::unexpected(judged.error());
  Certificate& certificate = judged->certificate;
  const auto refute = [&](std::string why) {
    certificate.verdict = Verdict::refuted;
    certificate.conditions.push_back(std::move(why));
  };
  for (const std::string& difference : kernel_differences(body->learned().kernel, task->settings)) refute(difference);
  if (std::string why = wrong_count(model.params, body->learned(), judged->proof.total); !why.empty())
    refute(std::move(why));
  FitSummary summary = body->summary();
  summary.rows = judged->proof.count, summary.weight_sum = judged->proof.weight;
  compare_summary(model, summary, certificate);
  return certificate;
}

} // namespace recta::kernel_pca
