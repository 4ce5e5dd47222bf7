#include "stats/row_check.hpp"

#include "stats/rows.hpp"

#include <cmath>
#include <fmt/format.h>
#include <optional>

namespace recta {

namespace {

std::unexpected<Error> refuse(Index row, std::string_view column, double found, std::string_view advice) {
  return fail(ErrorCode::bad_data, fmt::format("row {}, {}", row + 1, column), fmt::format("{} found", found), advice);
}

constexpr std::string_view kMissing = "drop the row, or fill missing values first (missing = drop, mean or indicator)";

std::optional<Error> bad_number(const MatrixView& view, Index i, Index row, std::string_view kind) {
  for (Index j = 0; j < view.cols; ++j) {
    const double value = element(view, i, j);
    if (!std::isfinite(value)) return refuse(row, fmt::format("{} {}", kind, j + 1), value, kMissing).error();
  }
  return std::nullopt;
}

std::optional<Error> bad_number(const SparseView& view, Index i, Index row, std::string_view kind) {
  const SparseRow part = sparse_row(view, i);
  for (Index s = 0; s < part.count; ++s)
    if (!std::isfinite(part.value[s]))
      return refuse(row, fmt::format("{} {}", kind, part.column(s) + 1), part.value[s], kMissing).error();
  return std::nullopt;
}

} // namespace

Result<void> check_weights(const Batch& batch) {
  for (std::size_t i = 0; i < batch.weight.size(); ++i) {
    const double v = batch.weight[i];
    if (!(v >= 0) || std::isinf(v))
      return refuse(batch.first_row + static_cast<Index>(i), "weight", v, "weights must be finite and not negative");
  }
  for (std::size_t i = 0; i < batch.offset.size(); ++i)
    if (!std::isfinite(batch.offset[i]))
      return refuse(batch.first_row + static_cast<Index>(i), "offset", batch.offset[i], "offsets must be finite");
  return {};
}

Result<void> check_numbers(const Batch& batch) {
  for (Index i = 0; i < batch.rows(); ++i) {
    if (!batch.weight.empty() && batch.weight[static_cast<std::size_t>(i)] == 0) continue;
    const Index row = batch.first_row + i;
    auto bad = std::visit([&](const auto& view) { return bad_number(view, i, row, "column"); }, batch.x);
    if (!bad) bad = bad_number(batch.target, i, row, "target");
    if (bad) return std::unexpected(*std::move(bad));
  }
  return {};
}

std::unexpected<Error> blame(const Batch& batch) {
  if (auto good = check_numbers(batch); !good) return std::unexpected(good.error());
  return fail(ErrorCode::bad_data, fmt::format("rows {} to {}", batch.first_row + 1, batch.first_row + batch.rows()),
              "a number is so large that its square is not a double", "divide the large columns by a power of ten");
}

} // namespace recta
