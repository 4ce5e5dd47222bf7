#include "family/kernel_pca/fit.hpp"

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
void point_up(const std::vector<double>& share, Spectrum& found) {
  const Index n = std::ssize(share);
  for (Index c = 0; c < std::ssize(found.values); ++c) {
    double* const u = found.vectors.data() + c * n;
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
  const Learned& own = body.learned();
  const Claimed claimed{body.kernel(), body.points(), own.vectors.rows, own.alpha, own.b, own.variance, own.total};
  auto proof = certify(claimed, *data.held, pool, watch);
  if (!proof) return std::unexpected(proof.error());
  Judged out{{}, *std::move(proof)};
  const Proof& found = out.proof;
  Certificate& certificate = out.certificate;
  const double carried = std::accumulate(own.variance.begin(), own.variance.end(), 0.0), least = own.variance.back();
  certificate.objective = found.total - carried, certificate.null_objective = found.total;
  certificate.tolerance = tolerance, certificate.slack = found.slack;
  certificate.stop = "solved in closed form";
  certificate.passes = 3;
  const bool right = found.same_rows && found.residual <= tolerance + found.slack && found.constants <= 1e-9;
  const bool largest = found.other <= least * (1 + 1e-6) + found.slack * own.variance[0];
  certificate.claim = Described{
      "eigenvectors",
      fmt::format("{} of the kernel about its mean {} to {:.2g} of the largest eigenvalue (tolerance {:.2g}); checked "
                  "with the matrix of a fresh pass over the rows{}",
                  own.components() == 1 ? "the component is an eigenvector"
                                        : fmt::format("the {} components are eigenvectors", own.components()),
                  own.components() == 1 ? "and holds" : "and hold", found.residual, tolerance,
                  largest ? "; no direction beside them has more variance than the last of them" : ""),
      {{"residual", found.residual}, {"other_variance", found.other}, {"shown_largest", largest ? 1.0 : 0.0}}};
  certificate.verdict = !right ? Verdict::refuted : largest ? Verdict::proved : Verdict::within_tolerance;
  if (right && !largest)
    certificate.conditions.push_back(
        std::isinf(found.other)
            ? "a direction beside them has more variance than the last of them"
            : fmt::format("that no direction beside them has more variance than the last, {:.6g}, is not shown: by the "
                          "squares that are left it has at most {:.6g}",
                          least, found.other));
  if (right && std::isinf(found.other)) certificate.verdict = Verdict::refuted;
  if (!found.same_rows) certificate.conditions.emplace_back("its rows are not those it was fitted to");
  if (found.constants > 1e-9) certificate.conditions.emplace_back("its constants are not those of its rows");
  return out;
}

// How many components the parameters ask for: the model must have as many, or say why not.
std::string wrong_count(const Params& params, const Learned& own, double total) {
  const double asked = number(params, "components");
  const double carried = std::accumulate(own.variance.begin(), own.variance.end(), 0.0);
  const auto count = static_cast<double>(own.components());
  if (asked >= 1) {
    if (count == asked || (count < asked && total - carried <= 1e-9 * total)) return "";
  } else if (carried >= asked * total * (1 - 1e-12) && carried - own.variance.back() < asked * total) {
    return "";
  }
  return fmt::format("it has {} components, and {} asked for", count, asked);
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
  const Index n = std::ssize(task->present);
  const double asked = options.components > 0 ? options.components : kUsual;
  Learned learned{.kernel = task->settings, .vectors = {}};
  Spectrum found;
  {
    const Watch watch = clock.watch();
    const Listening listening(watch, "eigenvectors");
    std::vector<double> k(at(n * n));
    task->points.upper_triangle(*task->kernel, k.data(), &pool);
    const Centred about = centre(std::move(k), shares(*task));
    const Wanted wanted{.count = asked >= 1 ? static_cast<Index>(std::min(asked, static_cast<double>(n))) : n,
                        .share = asked >= 1 ? 0 : asked,
                        .tolerance = options.tolerance / 4,
                        .seed = options.seed};
    found = largest(about, n, wanted, pool);
    learned.total = about.trace;
    if (found.values.empty() || !(found.values[0] > 1e-14 * std::abs(task->points.own_value(*task->kernel, 0))))
      return fail(ErrorCode::bad_data, rows.name,
                  n == 1 ? "there is one sample, and components need rows that differ"
                         : "the rows do not vary in the space of the kernel",
                  "give rows that differ, or another kernel");
    point_up(shares(*task), found);
    for (Index c = 0; c < std::ssize(found.values); ++c) {
      double b = 0;
      for (Index i = 0; i < n; ++i) {
        const double share = task->data.weight[at(task->present[at(i)])] / task->weight;
        learned.alpha.push_back(std::sqrt(share / found.values[at(c)]) * found.vectors[at(c * n + i)]);
        b -= learned.alpha.back() * about.means[at(i)];
      }
      learned.b.push_back(b);
    }
  }
  learned.variance = found.values;
  learned.vectors.rows = task->present;
  learned.vectors.take(task->data);
  FitSummary summary;
  summary.solver = found.method, summary.reason = found.reason;
  summary.rows = n, summary.weight_sum = task->weight, summary.weights_are = options.weights_are;
  const auto body = std::make_shared<ComponentsBody>(std::move(learned), std::move(summary));
  auto judged = judge(*body, task->data, options.tolerance, pool, clock.watch());
  if (!judged) return std::unexpected(judged.error());
  Model model;
  model.word = request.info->word;
  model.params = copied(request.params);
  model.params["components"] = asked;
  model.objective = request.info->objective;
  model.fingerprint = seen->fingerprint.fingerprint();
  model.certificate = std::move(judged->certificate);
  auto& conditions = model.certificate.conditions;
  if (asked >= 1 && body->scores() < static_cast<Index>(asked))
    conditions.push_back(fmt::format("the rows have {} directions, and {} components were asked for", body->scores(),
                                     static_cast<Index>(asked)));
  conditions.insert(conditions.begin(), request.notes.begin(), request.notes.end());
  short_of_proof(model.certificate);
  model.body = body;
  model.schema = std::move(schema);
  return model;
}

Result<Certificate> verify(const Model& model, const Rows& rows, const Clock& clock) {
  Pool pool;
  if (const auto seen = recognise(model, rows, {}, pool, clock); !seen) return std::unexpected(seen.error());
  if (auto again = rows.source.rewind(); !again) return std::unexpected(again.error());
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
