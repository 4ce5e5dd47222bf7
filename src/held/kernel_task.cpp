#include "held/kernel_task.hpp"

#include "base/sums.hpp"
#include "held/kernel_params.hpp"

#include <fmt/format.h>

namespace recta {

Result<KernelTask> KernelTask::make(const Params& params, const Schema& schema, const Rows& rows, Index most) {
  auto data = KernelData::hold(schema, rows);
  if (!data) return std::unexpected(data.error());
  KernelTask out{*std::move(data), kernel_settings(params), nullptr, {}};
  out.present = out.data.present();
  const auto n = std::ssize(out.present);
  if (n > most)
    return fail(ErrorCode::bad_data, rows.name,
                fmt::format("the kernel matrix of {} rows would take {:.3g} GB", n,
                            8e-9 * static_cast<double>(n) * static_cast<double>(n)),
                "take a sample of the rows, or a linear model");
  out.data.set_gamma(out.settings);
  if (auto good = out.data.check_kernel_takes(out.settings, schema, rows); !good) return std::unexpected(good.error());
  out.kernel = kernel::make_kernel(out.settings);
  return out;
}

Result<MatrixTask> MatrixTask::make(const Params& params, const Schema& schema, const Rows& rows, bool moved) {
  constexpr Index kMostRows = 50'000; // a matrix of 20 GB
  auto task = KernelTask::make(params, schema, rows, kMostRows);
  if (!task) return std::unexpected(task.error());
  MatrixTask out{*std::move(task), 0, {}};
  CompensatedSum weight;
  for (const Index i : out.present) weight.add(out.data.weight[at(i)]);
  out.weight = weight.value();
  out.points = out.data.points(out.present, *out.kernel, moved && out.settings.linear());
  return out;
}

} // namespace recta
