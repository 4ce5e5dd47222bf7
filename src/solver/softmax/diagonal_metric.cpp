#include "solver/coordinate_descent/term.hpp"
#include "solver/softmax/metric.hpp"
#include "stats/softmax/class_squares.hpp"

#include <algorithm>
#include <cmath>

namespace recta {
namespace {

class DiagonalMetric final : public SoftmaxMetric {
public:
  DiagonalMetric(const ClassSquares& sums, const SoftmaxLooks& looks)
      : looks_(looks), problem_(looks.problem()), diagonal_(looks.zero()) {
    const Index p = looks.cols();
    for (Index k = 0; k < looks.classes(); ++k) {
      const double weight = sums.curvature[k] / sums.weight;
      diagonal_.c[k] = problem_.intercept ? weight : 0;
      for (const Index j : looks.used()) {
        const double m = problem_.intercept ? problem_.mean[j] : 0;
        const double curvature =
            (sums.second[k * p + j] - 2 * m * sums.first[k * p + j]) / sums.weight + m * m * weight;
        diagonal_.w[k * p + j] = std::max(curvature, 1e-3 * weight * problem_.sd[j] * problem_.sd[j]);
      }
    }
    keep_to(std::vector<std::vector<Index>>(static_cast<std::size_t>(looks.classes()), looks.used()));
  }

  void keep_to(const std::vector<std::vector<Index>>& support) override { support_ = support; }

  ClassVector inverted(const ClassVector& r) const override {
    const Index p = looks_.cols();
    ClassVector out = looks_.zero();
    for (Index k = 0; k < looks_.classes(); ++k) {
      out.c[k] = diagonal_.c[k] > 0 ? r.c[k] / diagonal_.c[k] : 0;
      for (const Index j : support_[k]) {
        const double h = diagonal_.w[k * p + j] + problem_.lambda2 * problem_.unit[j];
        if (h > 0) out.w[k * p + j] = r.w[k * p + j] / h;
      }
    }
    keep_centred(out, looks_);
    return out;
  }

  ClassVector least(const ClassVector& from, const ClassVector& gradient, double times) const override {
    const Index p = looks_.cols();
    ClassVector to = from;
    for (Index k = 0; k < looks_.classes(); ++k) {
      if (diagonal_.c[k] > 0) to.c[k] -= gradient.c[k] / (times * diagonal_.c[k]);
      for (const Index j : looks_.used()) {
        const double h = times * diagonal_.w[k * p + j], l2 = problem_.lambda2 * problem_.unit[j];
        if (!(h + l2 > 0)) continue;
        double& w = to.w[k * p + j];
        const double slope = gradient.w[k * p + j] - l2 * w;
        w = descent::Term{problem_.lambda1 * std::sqrt(problem_.unit[j]), l2}.prox(h * w - slope, h);
      }
    }
    keep_centred(to, looks_);
    return to;
  }

private:
  const SoftmaxLooks& looks_;
  const SoftmaxProblem& problem_;
  ClassVector diagonal_;
  std::vector<std::vector<Index>> support_;
};

} // namespace

Result<std::unique_ptr<SoftmaxMetric>> diagonal_metric(const ClassVector& point, SoftmaxLooks& looks) {
  const auto sums = looks.sums<ClassSquares>(point, 1);
  if (!sums) return std::unexpected(sums.error());
  return std::make_unique<DiagonalMetric>(*sums, looks);
}

} // namespace recta
