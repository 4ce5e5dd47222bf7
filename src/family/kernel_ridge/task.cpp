#include "family/kernel_ridge/task.hpp"

#include "base/numbers.hpp"
#include "base/sums.hpp"
#include "family/kernel_params.hpp"

#include <cmath>
#include <fmt/format.h>

namespace recta::kernel_ridge {

constexpr Index kMostRows = 50'000; // a matrix of 20 GB

Result<Task> Task::make(const Params& params, const Schema& schema, const Rows& rows) {
  auto data = KernelData::hold(schema, rows);
  if (!data) return std::unexpected(data.error());
  Task out;
  out.data = *std::move(data);
  out.present = out.data.present();
  const auto n = std::ssize(out.present);
  if (n > kMostRows)
    return fail(ErrorCode::bad_data, rows.name,
                fmt::format("the kernel matrix of {} rows would take {:.3g} GB", n,
                            8e-9 * static_cast<double>(n) * static_cast<double>(n)),
                "take a sample of the rows, or a linear model");
  CompensatedSum weight;
  for (const Index i : out.present) weight.add(out.data.weight[at(i)]);
  out.weight = weight.value();
  out.settings = kernel_settings(params);
  out.data.set_gamma(out.settings);
  if (auto good = out.data.check_kernel_takes(out.settings, schema, rows); !good) return std::unexpected(good.error());
  out.kernel = kernel::make_kernel(out.settings);
  out.points = out.data.points(out.present, *out.kernel);
  return out;
}

Problem Task::problem(double lambda, bool intercept) const {
  Problem out{*kernel, points, {}, {}, lambda, intercept};
  for (const Index i : present) out.share.push_back(data.weight[at(i)] / weight);
  for (Index t = 0; t < data.held->targets(); ++t) {
    const std::vector<double> y = data.held->target(t);
    for (const Index i : present) out.target.push_back(y[at(i)]);
  }
  return out;
}

std::string objective_text(const kernel::Settings& kernel, bool intercept, double lambda) {
  return fmt::format("F(w{}) = 1/(2W) sum_i s_i (y_i - f(x_i))^2 + (lambda/2) |w|^2,  f(x) = {}{}",
                     intercept ? ", b" : "", score_text(kernel, intercept),
                     std::isnan(lambda) ? "" : fmt::format(",  lambda = {:.10g}", lambda));
}

} // namespace recta::kernel_ridge
