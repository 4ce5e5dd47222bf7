#include "family/kernel_pca/fit.hpp"

#include "base/large_memory.hpp"
#include "base/listening.hpp"
#include "base/numbers.hpp"
#include "certificate/kernel_pca/certify.hpp"
#include "family/kernel_pca/body.hpp"
#include "held/kernel_task.hpp"
#include "params/params.hpp"
#include "solver/kernel_pca/spectrum.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace recta::kernel_pca {
namespace {

using Draft = std::shared_ptr<const ComponentsBody>;

constexpr double kUsual = 2; // components, if their number is not given

std::vector<double> shares(const MatrixTask& task) {
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

// The coefficients of every component, and its intercept; `means`: of the rows of the kernel's matrix.
void add_components(const Spectrum& spectrum, const std::vector<double>& share, const std::vector<double>& means,
                    Learned& learned) {
  const Index n = std::ssize(share);
  for (Index c = 0; c < std::ssize(spectrum.values); ++c) {
    double b = 0;
    for (Index i = 0; i < n; ++i) {
      learned.alpha.push_back(std::sqrt(share[at(i)] / spectrum.values[at(c)]) * spectrum.vectors[at(c * n + i)]);
      b -= learned.alpha.back() * means[at(i)];
    }
    const bool rounding = std::abs(b) <= 1e-12 * std::sqrt(spectrum.values[at(c)]); // as of rows about their mean
    learned.b.push_back(rounding ? 0 : b);
  }
}

Claimed claimed_by(const Work& work, const ComponentsBody& body) {
  const Learned& learned = body.learned();
  return {body.kernel(), body.points(),    learned.vectors.rows, learned.alpha,
          learned.b,     learned.variance, learned.total,        work.options().tolerance};
}

class ComponentSteps final : public Steps<MatrixTask, Draft, Judged> {
  Result<void> admit(Work& work) const override {
    if (work.verifies()) return {};
    const double components = work.options().components;
    work.request.params["components"] = components > 0 ? components : kUsual;
    return {};
  }

  Result<MatrixTask> pose(Work& work) const override {
    return MatrixTask::make(work.request.params, work.schema(), work.rows, true);
  }

  Result<Draft> solve(Work& work, const MatrixTask& task) const override {
    const Index n = std::ssize(task.present);
    const double components = number(work.request.params, "components");
    const std::vector<double> share = shares(task);
    Learned learned{.kernel = task.settings, .vectors = {}};
    Spectrum spectrum;
    {
      const Watch watch = work.watch();
      const Listening listening(watch, "eigenvectors");
      const LargePages pages(LargePages::room(at(n * n) * sizeof(double)));
      Values k(at(n * n)); // the lower triangle is not set yet
      task.points.upper_triangle(*task.kernel, k.data(), &work.pool);
      const Centred about = centre(std::move(k), share, work.pool);
      const Selection selection{
          .count = components >= 1 ? static_cast<Index>(std::min(components, static_cast<double>(n))) : n,
          .share = components >= 1 ? 0 : components,
          .tolerance = work.options().tolerance / 4,
          .seed = work.options().seed};
      spectrum = largest(about, n, selection, work.pool);
      learned.total = about.trace;
      if (spectrum.values.empty() || !(spectrum.values[0] > 1e-14 * std::abs(task.points.own_value(*task.kernel, 0))))
        return fail(ErrorCode::bad_data, work.rows.name,
                    n == 1 ? "there is one sample, and components need rows that differ"
                           : "the rows do not vary in the space of the kernel",
                    "give rows that differ, or another kernel");
      point_up(share, spectrum);
      add_components(spectrum, share, about.means, learned);
    }
    learned.variance = spectrum.values;
    learned.vectors.rows = task.present;
    learned.vectors.take(task.data);
    if (task.settings.linear()) learned.vectors.centre = task.points.centre();
    FitSummary summary;
    summary.solver = spectrum.method, summary.reason = spectrum.reason;
    summary.rows = n, summary.weight_sum = task.weight, summary.weights_are = work.options().weights_are;
    return std::make_shared<ComponentsBody>(std::move(learned), std::move(summary));
  }

  Result<Draft> stated(Work& work, const MatrixTask&) const override { return stated_body<ComponentsBody>(work); }

  Result<Judged> prove(Work& work, const MatrixTask& task, const Draft& body) const override {
    return certify(claimed_by(work, *body), *task.data.held, work.pool, work.watch());
  }

  Result<void> describe(Work& work, const MatrixTask&, const Draft& body, Judged& judged) const override {
    if (work.verifies()) {
      work.figures = body->summary();
      work.figures->rows = judged.count, work.figures->weight_sum = judged.weight;
      return {};
    }
    const double components = number(work.request.params, "components");
    Certificate& certificate = work.model.certificate;
    if (components >= 1 && body->scores() < static_cast<Index>(components))
      certificate.conditions.push_back(fmt::format("the rows have {} directions, and {} components were asked for",
                                                   body->scores(), static_cast<Index>(components)));
    short_of_proof(certificate);
    work.model.body = body;
    return {};
  }

  Result<void> compare(Work& work, const MatrixTask& task, const Draft& body, Judged& judged) const override {
    recta::kernel_pca::compare({body->learned().kernel, task.settings, number(work.request.params, "components")},
                               claimed_by(work, *body), judged);
    return {};
  }
};

} // namespace

const Procedure& procedure() {
  static const ComponentSteps steps;
  return steps;
}

} // namespace recta::kernel_pca
