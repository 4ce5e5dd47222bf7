#include "family/kernel_ridge/task.hpp"

#include "base/numbers.hpp"
#include "held/kernel_params.hpp"

#include <cmath>
#include <fmt/format.h>

namespace recta::kernel_ridge {

Problem problem_of(const MatrixTask& task, double lambda, bool intercept) {
  Problem out{*task.kernel, task.points, {}, {}, lambda, intercept};
  for (const Index i : task.present) out.share.push_back(task.data.weight[at(i)] / task.weight);
  for (Index t = 0; t < task.data.held->targets(); ++t) {
    const std::vector<double> y = task.data.held->target(t);
    for (const Index i : task.present) out.target.push_back(y[at(i)]);
  }
  return out;
}

std::string objective_text(const kernel::Settings& kernel, bool intercept, double lambda) {
  return fmt::format("F(w{}) = 1/(2W) sum_i s_i (y_i - f(x_i))^2 + (lambda/2) |w|^2,  f(x) = {}{}",
                     intercept ? ", b" : "", score_text(kernel, intercept),
                     std::isnan(lambda) ? "" : fmt::format(",  lambda = {:.10g}", lambda));
}

} // namespace recta::kernel_ridge
