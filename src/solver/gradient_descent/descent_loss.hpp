// A loss as the descents use it: its loops, compiled once for every folder under src/loss that has a derivative.
#pragma once

#include "solver/gradient_descent/variance_reduced.hpp"
#include "stats/loss_gradient/loss_gradient.hpp"

#include <functional>

namespace recta {

struct DescentLoss {
  using Numbers = std::span<const Index>; // of rows

  double curvature = 1;  // bound on the second derivative; infinite if there is none, and no rate is known to be safe
  bool straight = false; // far out: its slope is bounded
  LossOfRows of_rows;
  std::function<bool(RowLearner&, const SeenRows&, const Outcomes&, Numbers)> present;
  std::function<bool(VarianceReduced&, const SeenRows&, const Outcomes&, Numbers)> present_corrected;
  // Slopes of the named rows, written to their places, and the mean gradient.
  std::function<Point(const SeenRows&, const Outcomes&, Numbers, const Point&, std::vector<double>&)> slopes;
};

// Works with static members as in the leaves, and with a loss that carries parameters of its own.
template <class L>
DescentLoss descent_loss(const L& loss, double curvature) {
  DescentLoss out;
  out.curvature = curvature;
  out.of_rows = [loss](Index n, const double* y, const double* z, const double* v, double* d) {
    double sum = 0;
    for (Index i = 0; i < n; ++i) {
      const double weight = v ? v[i] : 1;
      sum += weight * loss.value(y[i], z[i]);
      d[i] = weight * loss.derivative(y[i], z[i]);
    }
    return sum;
  };
  out.present = [loss](RowLearner& learner, const SeenRows& seen, const Outcomes& o, DescentLoss::Numbers visits) {
    return std::visit([&](const auto& rows) { return learner.present(loss, rows, o, visits); }, seen);
  };
  out.present_corrected = [loss](VarianceReduced& steps, const SeenRows& seen, const Outcomes& o,
                                 DescentLoss::Numbers visits) {
    return std::visit([&](const auto& rows) { return steps.present(loss, rows, o, visits); }, seen);
  };
  out.slopes = [loss](const SeenRows& seen, const Outcomes& o, DescentLoss::Numbers visits, const Point& at,
                      std::vector<double>& slopes) {
    Point mean{std::vector<double>(at.w.size()), 0};
    std::visit(
        [&](const auto& rows) {
          for (const Index i : visits) {
            const auto row = row_of(rows, i);
            const double z = row.dot(at.w.data()) + at.b + (o.offset ? o.offset[i] : 0);
            const double slope = slopes[i] = loss.derivative(o.y[i], z) * (o.weight ? o.weight[i] : 1);
            row.each([&](Index j, double x) { mean.w[j] += slope * x; });
            mean.b += slope;
          }
        },
        seen);
    const double n = static_cast<double>(visits.size());
    for (double& x : mean.w) x /= n;
    mean.b /= n;
    return mean;
  };
  return out;
}

// Finds a loss by its word; an error names the smooth ones. `parameter`: where huber bends.
Result<DescentLoss> descent_loss(const std::string& word, double parameter = 1);
// Also finds losses with a corner, for single-row steps: hinge, squared-hinge, modified-huber, perceptron for labels;
// epsilon-insensitive and squared-epsilon-insensitive for numbers. `epsilon`: of the last two, and where huber bends.
Result<DescentLoss> online_loss(const std::string& word, double epsilon);

} // namespace recta
