#include "family/kernel_kmeans/fit.hpp"

#include "base/listening.hpp"
#include "base/numbers.hpp"
#include "base/transpose.hpp"
#include "certificate/kernel_kmeans/certify.hpp"
#include "family/kernel_kmeans/body.hpp"
#include "held/kernel_task.hpp"
#include "params/params.hpp"
#include "solver/kernel_kmeans/cluster.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <numeric>
#include <string>
#include <utility>

namespace recta::kernel_kmeans {
namespace {

using Draft = recta::Draft<ClustersBody>; // without the costs of the clusters, which the proof finds

Claimed claimed_by(const Draft& draft) {
  const Learned& learned = draft.body->learned();
  return {draft.body->kernel(), draft.body->points(), learned.vectors.rows, learned.of_row,
          learned.share,        learned.square,       draft.stop,           draft.ended_early};
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
std::vector<Index> by_content(const MatrixTask& task) {
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

// Weights, shares and lengths of the means; k: the matrix of the kernel.
void add_means(const MatrixTask& task, const std::vector<double>& k, Index clusters, Learned& learned) {
  const Index n = std::ssize(task.present);
  const std::vector<Index>& of_row = learned.of_row;
  const auto weight = [&](Index i) { return task.data.weight[at(task.present[at(i)])]; };
  learned.weight.assign(at(clusters), 0.0), learned.square = learned.cost = learned.weight;
  for (Index i = 0; i < n; ++i) learned.weight[at(of_row[at(i)])] += weight(i);
  for (Index i = 0; i < n; ++i) learned.share.push_back(weight(i) / learned.weight[at(of_row[at(i)])]);
  for (Index i = 0; i < n; ++i)
    for (Index j = 0; j < n; ++j)
      if (of_row[at(i)] == of_row[at(j)])
        learned.square[at(of_row[at(i)])] += learned.share[at(i)] * learned.share[at(j)] * k[at(i * n + j)];
}

class ClusterSteps final : public Steps<MatrixTask, Draft, Judged> {
  Result<MatrixTask> pose(Work& work) const override {
    return MatrixTask::make(work.request.params, work.schema(), work.rows, true);
  }

  Result<Draft> solve(Work& work, const MatrixTask& task) const override {
    const FitOptions& options = work.options();
    const Index n = std::ssize(task.present);
    const ClusterSettings settings{.clusters = static_cast<Index>(number(work.request.params, "clusters")),
                                   .starts = static_cast<Index>(number(work.request.params, "starts")),
                                   .seed = options.seed};
    std::vector<double> k(at(n * n)), share;
    for (const Index i : task.present) share.push_back(task.data.weight[at(i)] / task.weight);
    Clusters clusters;
    {
      const Watch watch = work.watch();
      const Listening listening(watch, "moving rows");
      task.points.upper_triangle(*task.kernel, k.data(), &work.pool);
      mirror_upper(k.data(), n, work.pool);
      if (const Index different = different_rows(k, n, settings.clusters); different < settings.clusters)
        return fail(ErrorCode::bad_data, work.rows.name,
                    fmt::format("there are {} different rows for {} clusters", different, settings.clusters),
                    "ask for fewer clusters");
      clusters = cluster(k, share, by_content(task), settings, work.pool);
    }
    Learned learned{.kernel = task.settings, .vectors = {}, .of_row = clusters.of_row};
    learned.starts = settings.starts, learned.steps = clusters.steps, learned.best = clusters.start;
    learned.vectors.rows = task.present;
    learned.vectors.take(task.data);
    if (task.settings.linear()) learned.vectors.centre = task.points.centre();
    add_means(task, k, settings.clusters, learned);
    FitSummary summary;
    summary.solver = "lloyd";
    summary.reason = fmt::format("the best of {} starts, in {} steps", settings.starts, clusters.steps);
    summary.weights_are = options.weights_are;
    return Draft{std::make_shared<ClustersBody>(std::move(learned), std::move(summary)),
                 clusters.interrupted ? work.clock.stop_reason() : Stop("no row moves"), clusters.interrupted};
  }

  Result<Draft> stated(Work& work, const MatrixTask&) const override { return stated_search<ClustersBody>(work); }

  Result<Judged> prove(Work& work, const MatrixTask& task, const Draft& draft) const override {
    return certify(claimed_by(draft), *task.data.held, work.pool, work.watch());
  }

  Result<void> describe(Work& work, const MatrixTask&, const Draft& draft, Judged& judged) const override {
    FitSummary summary = draft.body->summary();
    summary.rows = judged.count, summary.weight_sum = judged.weight;
    work.figures = summary;
    if (work.verifies()) return {};
    short_of_proof(work.model.certificate);
    Learned learned = draft.body->learned();
    learned.cost = judged.cluster_cost;
    work.model.body = std::make_shared<ClustersBody>(std::move(learned), std::move(summary));
    return {};
  }

  Result<void> compare(Work& work, const MatrixTask& task, const Draft& draft, Judged& judged) const override {
    const Learned& learned = draft.body->learned();
    recta::kernel_kmeans::compare({learned.kernel, task.settings, number(work.request.params, "clusters"),
                                   work.stated->certificate.objective, learned.weight, learned.cost},
                                  judged);
    return {};
  }
};

} // namespace

const Procedure& procedure() {
  static const ClusterSteps steps;
  return steps;
}

} // namespace recta::kernel_kmeans
