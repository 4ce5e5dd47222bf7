#include "design/check/check.hpp"

#include "base/simd/kernels.hpp"

#include <cmath>
#include <fmt/format.h>

namespace recta {

namespace {

bool finite(std::span<const double> values) {
  return values.empty() || simd::kernels().all_finite({values.data(), static_cast<Index>(values.size()), 1, 1, 1});
}

double at(const MatrixView& x, Index i, Index j) {
  const Index k = i * x.row_stride + j * x.col_stride;
  const double high = x.scalar == Scalar::float64 ? static_cast<const double*>(x.data)[k]
                                                  : static_cast<double>(static_cast<const float*>(x.data)[k]);
  return x.low && std::isfinite(high) && !std::isfinite(x.low[k]) ? x.low[k] : high;
}

std::string place(const CheckNames& names, Index row, const std::string& column) {
  const std::string file = names.source.empty() ? "" : names.source + ", ";
  return fmt::format("{}row {}, {}", file, row + 1, column);
}
std::string feature(const CheckNames& names, Index j) {
  const bool named = j < static_cast<Index>(names.columns.size());
  return "column " + (named ? names.columns[j] : fmt::format("x{}", j + 1));
}
std::string target(const CheckNames& names, Index j, Index targets) {
  if (j < static_cast<Index>(names.targets.size())) return "target " + names.targets[j];
  return targets == 1 ? "target y" : fmt::format("target y{}", j + 1);
}

std::unexpected<Error> not_finite(const std::string& where, double value) {
  if (std::isnan(value))
    return fail(ErrorCode::bad_data, where, "the value is missing (NaN)",
                "drop such rows or fill them: missing = drop, mean or indicator");
  return fail(ErrorCode::bad_data, where, value > 0 ? "the value is infinite" : "the value is minus infinity",
              "remove the row or correct the number");
}

// The first bad number, row by row.
Result<void> locate(const MatrixView& x, Index first_row, const CheckNames& names, bool features) {
  for (Index i = 0; i < x.rows; ++i)
    for (Index j = 0; j < x.cols; ++j)
      if (const double value = at(x, i, j); !std::isfinite(value))
        return not_finite(place(names, first_row + i, features ? feature(names, j) : target(names, j, x.cols)), value);
  return {};
}

template <class I>
Result<void> check_stored(const SparseView& x, Index first_row, const CheckNames& names) {
  const auto* start = static_cast<const I*>(x.start);
  const auto* index = static_cast<const I*>(x.index);
  if (x.rows == 0) return {};
  const auto count = static_cast<std::size_t>(start[x.rows] - start[0]);
  if (finite({x.value + start[0], count})) return {};
  for (Index i = 0; i < x.rows; ++i)
    for (I k = start[i]; k < start[i + 1]; ++k)
      if (!std::isfinite(x.value[k]))
        return not_finite(place(names, first_row + i, feature(names, index[k])), x.value[k]);
  return {};
}

Result<void> check_features(const Batch& batch, const CheckNames& names) {
  if (const auto* dense = std::get_if<MatrixView>(&batch.x)) {
    if (simd::kernels().all_finite(*dense)) return {};
    return locate(*dense, batch.first_row, names, true);
  }
  const auto& sparse = std::get<SparseView>(batch.x);
  if (sparse.width == IndexWidth::bits64) return check_stored<std::int64_t>(sparse, batch.first_row, names);
  return check_stored<std::int32_t>(sparse, batch.first_row, names);
}

Result<void> check_weights(const Batch& batch, const CheckNames& names) {
  for (std::size_t i = 0; i < batch.weight.size(); ++i) {
    const double weight = batch.weight[i];
    if (weight >= 0 && std::isfinite(weight)) continue; // false for NaN
    const std::string where = place(names, batch.first_row + static_cast<Index>(i), "weight");
    if (!std::isfinite(weight)) return not_finite(where, weight);
    return fail(ErrorCode::bad_data, where, fmt::format("the weight {} is negative", weight),
                "weights are zero (the row is absent) or positive");
  }
  return {};
}

template <class I>
Result<void> check_compressed(const SparseView& x, const std::string& source) {
  const auto* start = static_cast<const I*>(x.start);
  const auto* index = static_cast<const I*>(x.index);
  const bool by_row = x.compressed == Compressed::by_row;
  const Index lines = by_row ? x.rows : x.cols, across = by_row ? x.cols : x.rows;
  const auto refuse = [&](Index line, const std::string& what) {
    return fail(ErrorCode::bad_data,
                fmt::format("{}{} {}", source.empty() ? "" : source + ", ", by_row ? "row" : "column", line + 1), what,
                "give compressed rows or columns with sorted indices that occur once");
  };
  if (start[0] != 0) return refuse(0, fmt::format("its first number is at {}, not at 0", start[0]));
  for (Index line = 0; line < lines; ++line) {
    if (start[line + 1] < start[line])
      return refuse(line, fmt::format("it ends at {} before it begins at {}", start[line + 1], start[line]));
    for (I k = start[line]; k < start[line + 1]; ++k) {
      if (index[k] < 0 || index[k] >= across)
        return refuse(line, fmt::format("index {} is not in 0 .. {}", index[k], across - 1));
      if (k > start[line] && index[k] <= index[k - 1])
        return refuse(line, fmt::format("index {} comes after {}", index[k], index[k - 1]));
    }
  }
  return {};
}

} // namespace

Result<void> check_batch(const Batch& batch, const CheckNames& names) {
  if (const Result<void> ok = check_features(batch, names); !ok) return ok;
  if (batch.target.cols > 0 && !simd::kernels().all_finite(batch.target))
    if (const Result<void> ok = locate(batch.target, batch.first_row, names, false); !ok) return ok;
  if (const Result<void> ok = check_weights(batch, names); !ok) return ok;
  if (finite(batch.offset)) return {};
  for (std::size_t i = 0; i < batch.offset.size(); ++i)
    if (!std::isfinite(batch.offset[i]))
      return not_finite(place(names, batch.first_row + static_cast<Index>(i), "offset"), batch.offset[i]);
  return {};
}

std::unexpected<Error> no_positive_weight(const CheckNames& names, Index rows) {
  return fail(ErrorCode::bad_data, names.source.empty() ? "weights" : names.source,
              rows == 0 ? "there are no rows" : fmt::format("all {} rows have weight zero", rows),
              rows == 0 ? "give at least one row" : "give at least one row a positive weight");
}

Result<void> check_sparse(const SparseView& x, const std::string& source) {
  return x.width == IndexWidth::bits64 ? check_compressed<std::int64_t>(x, source)
                                       : check_compressed<std::int32_t>(x, source);
}

} // namespace recta
