#include "family/kernel_kmeans/fit.hpp"

#include "base/listening.hpp"
#include "base/numbers.hpp"
#include "base/transpose.hpp"
#include "certificate/kernel_kmeans/certify.hpp"
#include "family/figures.hpp"
#include "family/kernel_kmeans/body.hpp"
#include "family/kernel_params.hpp"
#include "family/kernel_ridge/task.hpp"
#include "family/params.hpp"
#include "solver/kernel_kmeans/cluster.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <numeric>
#include <string>
#include <utility>

namespace recta::kernel_kmeans {
namespace {

using kernel_ridge::Task;

struct Judged {
  Certificate certificate;
  Proof proof;
};

Result<Judged> judge(const ClustersBody& body, const KernelData& data, Pool& pool, const Watch& watch) {
  const Learned& learned = body.learned();
  const Claimed claimed{body.kernel(),  body.points(), learned.vectors.rows,
                        learned.of_row, learned.share, learned.square};
  auto proof = certify(claimed, *data.held, pool, watch);
  if (!proof) return std::unexpected(proof.error());
  Judged out{{}, *std::move(proof)};
  const Proof& checked = out.proof;
  Certificate& certificate = out.certificate;
  certificate.objective = checked.cost, certificate.null_objective = checked.null;
  certificate.slack = checked.slack;
  certificate.stop = "no row moves";
  certificate.passes = 3;
  const bool fixed = checked.same_rows && checked.excess == 0;
  certificate.claim = Described{
      "fixed_point",
      fmt::format("{} to the mean of its own cluster{}, checked in a fresh pass over the rows; the cost {:.6g} is a "
                  "fixed point of Lloyd's steps, and other clusters may cost less",
                  fixed ? "every row is nearest" : "not every row is nearest",
                  fixed ? "" : fmt::format(" (one by {:.2g})", checked.excess), checked.cost),
      {{"excess", checked.excess}}};
  certificate.verdict = fixed ? Verdict::proved : Verdict::refuted;
  const auto refute = [&](const char* why) {
    certificate.verdict = Verdict::refuted;
    certificate.conditions.emplace_back(why);
  };
  if (!checked.same_rows) refute("its rows are not those it was fitted to");
  if (checked.shares > 1e-12) refute("the shares of its rows are not those of their weights");
  if (checked.squares > 1e-9) refute("its means are not those of their rows");
  return out;
}

// Rows that the kernel cannot tell apart cannot fill more clusters than there are of them.
Index different_rows(const std::vector<double>& k, Index n, Index enough) {
  std::vector<Index> chosen;
  const auto self_value = [&](Index i) { return k[at(i * n + i)]; };
  for (Index i = 0; i < n && std::ssize(chosen) < enough; ++i)
    if (std::ranges::none_of(chosen, [&](Index j) {
          return self_value(i) + self_value(j) - 2 * k[at(i * n + j)] <=
                 1e-12 * (std::abs(self_value(i)) + std::abs(self_value(j)));
        }))
      chosen.push_back(i);
  return std::ssize(chosen);
}

// Places of the rows by what stands in them, so that the clusters do not depend on the order the rows came in.
std::vector<Index> by_content(const Task& task) {
  const Index n = std::ssize(task.present), p = task.data.held->cols();
  std::vector<Index> out(at(n));
  std::iota(out.begin(), out.end(), Index{0});
  const auto sort_by = [&](const auto& content) {
    std::ranges::sort(out, [&](Index a, Index b) {
      return content[at(a)] == content[at(b)] ? a < b : content[at(a)] < content[at(b)];
    });
  };
  if (task.kernel->by_place()) return out;
  if (task.kernel->reads_texts()) {
    std::vector<std::u32string> texts;
    for (const Index i : task.present) texts.push_back(task.data.text(i));
    sort_by(texts);
    return out;
  }
  std::vector<std::vector<std::pair<Index, double>>> numbers(at(n)); // that are not zero, with their columns
  std::vector<double> x(at(p));
  for (Index i = 0; i < n; ++i) {
    task.data.write_out(task.present[at(i)], x.data());
    for (Index j = 0; j < p; ++j)
      if (x[at(j)] != 0) numbers[at(i)].emplace_back(j, x[at(j)]);
  }
  sort_by(numbers);
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
  const Index n = std::ssize(task->present);
  const ClusterSettings settings{.clusters = static_cast<Index>(number(request.params, "clusters")),
                                 .starts = static_cast<Index>(number(request.params, "starts")),
                                 .seed = options.seed};
  std::vector<double> k(at(n * n)), share;
  for (const Index i : task->present) share.push_back(task->data.weight[at(i)] / task->weight);
  Clusters clusters;
  {
    const Watch watch = clock.watch();
    const Listening listening(watch, "moving rows");
    task->points.upper_triangle(*task->kernel, k.data(), &pool);
    mirror_upper(k.data(), n, pool);
    if (const Index different = different_rows(k, n, settings.clusters); different < settings.clusters)
      return fail(ErrorCode::bad_data, rows.name,
                  fmt::format("there are {} different rows for {} clusters", different, settings.clusters),
                  "ask for fewer clusters");
    clusters = cluster(k, share, by_content(*task), settings, pool);
  }
  Learned learned{.kernel = task->settings, .vectors = {}, .of_row = clusters.of_row};
  learned.starts = settings.starts, learned.steps = clusters.steps, learned.best = clusters.start;
  learned.vectors.rows = task->present;
  learned.vectors.take(task->data);
  learned.weight.assign(at(settings.clusters), 0.0), learned.square = learned.cost = learned.weight;
  for (std::size_t i = 0; i < share.size(); ++i)
    learned.weight[at(clusters.of_row[i])] += task->data.weight[at(task->present[i])];
  for (std::size_t i = 0; i < share.size(); ++i)
    learned.share.push_back(task->data.weight[at(task->present[i])] / learned.weight[at(clusters.of_row[i])]);
  for (Index i = 0; i < n; ++i)
    for (Index j = 0; j < n; ++j)
      if (clusters.of_row[at(i)] == clusters.of_row[at(j)])
        learned.square[at(clusters.of_row[at(i)])] += learned.share[at(i)] * learned.share[at(j)] * k[at(i * n + j)];
  FitSummary summary;
  summary.solver = "lloyd";
  summary.reason = fmt::format("the best of {} starts, in {} steps", settings.starts, clusters.steps);
  summary.rows = n, summary.weight_sum = task->weight, summary.weights_are = options.weights_are;
  auto judged = judge(ClustersBody(learned, summary), task->data, pool, clock.watch());
  if (!judged) return std::unexpected(judged.error());
  learned.cost = judged->proof.cluster_cost;
  Model model = begin_model(request, pass->fingerprint.fingerprint());
  model.certificate = std::move(judged->certificate);
  short_of_proof(model.certificate);
  if (clusters.interrupted) model.certificate.stop = clock.stop_reason();
  model.body = std::make_shared<ClustersBody>(std::move(learned), std::move(summary));
  model.schema = std::move(schema);
  return model;
}

Result<Certificate> verify(const Model& model, const Rows& rows, const Clock& clock) {
  Pool pool;
  if (const auto pass = recognise(model, rows, {}, pool, clock); !pass) return std::unexpected(pass.error());
  const auto* body = dynamic_cast<const ClustersBody*>(model.body.get());
  if (!body) return fail(ErrorCode::bad_model_file, "model", "it holds no clusters", "fit it again");
  const auto task = Task::make(model.params, model.schema, rows);
  if (!task) return std::unexpected(task.error());
  auto judged = judge(*body, task->data, pool, clock.watch());
  if (!judged) return std::unexpected(judged.error());
  Certificate& certificate = judged->certificate;
  const Learned& learned = body->learned();
  const auto refute = [&](std::string why) {
    certificate.verdict = Verdict::refuted;
    certificate.conditions.push_back(std::move(why));
  };
  for (const std::string& difference : kernel_differences(learned.kernel, task->settings)) refute(difference);
  if (static_cast<double>(learned.clusters()) != number(model.params, "clusters"))
    refute(
        fmt::format("it has {} clusters, and {} were asked for", learned.clusters(), number(model.params, "clusters")));
  const Proof& proof = judged->proof;
  const auto differ = [](double one, double other, double size) { return !(std::abs(one - other) <= 1e-9 * size); };
  for (std::size_t c = 0; c < learned.weight.size(); ++c)
    if (differ(learned.weight[c], proof.cluster_weight[c], proof.weight) ||
        differ(learned.cost[c], proof.cluster_cost[c], proof.cost + proof.slack))
      refute(fmt::format("the weight or the cost of cluster {} is not that of its rows", c + 1));
  if (differ(model.certificate.objective, proof.cost, proof.cost + proof.slack))
    refute(fmt::format("the cost is {} in the file, {} by the rows", model.certificate.objective, proof.cost));
  FitSummary summary = body->summary();
  summary.rows = proof.count, summary.weight_sum = proof.weight;
  compare_summary(model, summary, certificate);
  return certificate;
}

} // namespace recta::kernel_kmeans
