#include "stats/row_check.hpp"

#include "base/simd/kernels.hpp"
#include "stats/from_zero_up.hpp"
#include "stats/rows.hpp"

#include <cmath>
#include <fmt/format.h>
#include <optional>

namespace recta {

namespace {

std::string place(const Places& places, Index row, std::string_view column) {
  return fmt::format("{}{}row {}, {}", places.source, places.source.empty() ? "" : ", ", row - places.first_row + 1,
                     column);
}
std::string feature(const Places& places, Index j) {
  return "column " + (places.feature ? places.feature(j) : std::to_string(j + 1));
}
std::string target(const Places& places, Index j) {
  return "target " + (places.target ? places.target(j) : std::to_string(j + 1));
}

std::unexpected<Error> refuse(const std::string& where, double value, std::string_view advice) {
  return fail(ErrorCode::bad_data, where, fmt::format("{} found", value), advice);
}

constexpr std::string_view kMissing = "drop the row, or fill missing values first (missing = drop, mean or indicator)";

// Calls visit(j, value) for every stored number.
void each_number(const MatrixView& view, Index i, const auto& visit) {
  for (Index j = 0; j < view.cols; ++j) visit(j, element(view, i, j));
}
void each_number(const SparseView& view, Index i, const auto& visit) {
  const SparseRow part = sparse_row(view, i);
  for (Index s = 0; s < part.count; ++s) visit(part.column(s), part.value[s]);
}

// Calls visit(row, is_target, j, value) for every number of a row that counts, features first.
void each_number(const Batch& batch, const auto& visit) {
  for (Index i = 0; i < batch.rows(); ++i) {
    if (!batch.weight.empty() && batch.weight[static_cast<std::size_t>(i)] == 0) continue;
    const Index row = batch.first_row + i;
    const auto feature_of = [&](Index j, double value) { visit(row, false, j, value); };
    std::visit([&](const auto& view) { each_number(view, i, feature_of); }, batch.x);
    each_number(batch.target, i, [&](Index j, double value) { visit(row, true, j, value); });
  }
}

} // namespace

Result<void> check_weights(const Batch& batch, const Places& places) {
  const auto at = [&](std::size_t i, std::string_view what) {
    return place(places, batch.first_row + static_cast<Index>(i), what);
  };
  for (std::size_t i = 0; i < batch.weight.size(); ++i) {
    const double v = batch.weight[i];
    if (!(v >= 0) || std::isinf(v)) return refuse(at(i, "weight"), v, "weights must be finite and not negative");
  }
  for (std::size_t i = 0; i < batch.offset.size(); ++i)
    if (!std::isfinite(batch.offset[i])) return refuse(at(i, "offset"), batch.offset[i], "offsets must be finite");
  return {};
}

// Checks all rows, including those of weight zero.
bool all_finite(const Batch& batch) {
  const auto& finite = simd::kernels().all_finite;
  if (batch.target.cols > 0 && !finite(batch.target)) return false;
  if (const auto* dense = std::get_if<MatrixView>(&batch.x)) return finite(*dense);
  const auto& sparse = std::get<SparseView>(batch.x);
  const SparseRow first = sparse_row(sparse, 0), last = sparse_row(sparse, sparse.rows - 1);
  return finite(MatrixView::vector(first.value, last.value + last.count - first.value));
}

Result<void> check_numbers(const Batch& batch, const Places& places) {
  if (batch.rows() == 0 || all_finite(batch)) return {};
  std::optional<Error> first;
  each_number(batch, [&](Index row, bool of_target, Index j, double value) {
    if (first || std::isfinite(value)) return;
    first = refuse(place(places, row, of_target ? target(places, j) : feature(places, j)), value, kMissing).error();
  });
  if (first) return std::unexpected(*std::move(first));
  return {};
}

Result<void> check_from_zero_up(const Batch& batch, const std::string& who, const Places& places) {
  std::optional<Error> first;
  each_number(batch, [&](Index row, bool of_target, Index j, double value) {
    if (first || of_target || !(value < 0)) return;
    first = fail(ErrorCode::bad_data, place(places, row, feature(places, j)), fmt::format("{} is below zero", value),
                 fmt::format("{} takes numbers from zero up, such as counts", who))
                .error();
  });
  if (first) return std::unexpected(*std::move(first));
  return {};
}

std::unexpected<Error> blame(const Batch& batch, const Places& places) {
  if (auto good = check_numbers(batch, places); !good) return std::unexpected(good.error());
  double largest = -1;
  Index row = batch.first_row, column = 0;
  bool in_target = false;
  each_number(batch, [&](Index i, bool of_target, Index j, double value) {
    if (std::abs(value) <= largest) return;
    largest = std::abs(value);
    row = i, column = j, in_target = of_target;
  });
  return fail(ErrorCode::bad_data, place(places, row, in_target ? target(places, column) : feature(places, column)),
              fmt::format("{} is so large that sums of squares are not doubles", largest),
              "divide the column, or the weights, by a power of ten");
}

} // namespace recta
