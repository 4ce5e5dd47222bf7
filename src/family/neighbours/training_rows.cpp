#include "family/neighbours/training_rows.hpp"

#include "base/numbers.hpp"
#include "feature/classes.hpp"
#include "stats/dense_copy.hpp"
#include "stats/rows.hpp"

#include <cmath>
#include <fmt/format.h>

namespace recta::neighbours {
namespace {

Result<void> check_size(const Rows& rows, Index count) {
  const double numbers = static_cast<double>(count) * static_cast<double>(rows.source.cols());
  if (rows.source.cols() == 0)
    return fail(ErrorCode::bad_data, rows.name, "there are no features, and rows without them have no distance",
                "give at least one column beside the target");
  if (numbers > 0x1p33)
    return fail(
        ErrorCode::bad_data, rows.name,
        fmt::format("{} rows of {} features would take {:.3g} GB as full rows, which is how they are remembered", count,
                    rows.source.cols(), numbers * 8e-9),
        "take fewer features, for example by hashing or principal components");
  return {};
}

double as_place(double y, const Classes& classes) {
  return classes.labels.empty() ? y : static_cast<double>(feature::class_place(classes, y));
}

} // namespace

double as_it_came(double y, const Classes& classes) {
  return classes.labels.empty() ? y : feature::class_number(classes, static_cast<Index>(y));
}

Result<TrainingRows> remembered(const Rows& rows, const Classes& classes, Index count) {
  TrainingRows out;
  out.cols = rows.source.cols();
  out.targets = rows.source.targets();
  if (auto good = check_size(rows, count); !good) return std::unexpected(good.error());
  std::vector<double> x, y, weight;
  std::vector<Index> number;
  x.reserve(at(count * out.cols));
  DenseCopy copy;
  bool weighed = false;
  const auto read = for_each_batch(rows.source, [&](const Batch& batch) -> Result<void> {
    copy.take(batch);
    for (const Index i : present_rows(batch)) {
      x.insert(x.end(), copy.x.begin() + i * out.cols, copy.x.begin() + (i + 1) * out.cols);
      for (Index t = 0; t < out.targets; ++t) y.push_back(as_place(element(batch.target, i, t), classes));
      weight.push_back(batch.weight.empty() ? 1 : batch.weight[at(i)]);
      number.push_back(batch.first_row + i);
      weighed = weighed || weight.back() != 1;
    }
    return {};
  });
  if (!read) return std::unexpected(read.error());
  out.rows = std::ssize(number);
  if (!weighed) weight.clear();
  out.x = std::move(x), out.y = std::move(y), out.weight = std::move(weight), out.number = std::move(number);
  return out;
}

double total_weight(const TrainingRows& rows) {
  if (rows.weight.empty()) return static_cast<double>(rows.rows);
  double total = 0;
  for (const double one : rows.weight) total += one;
  return total;
}

void standardise(TrainingRows& rows) {
  const double total = total_weight(rows);
  const auto x = rows.x.all();
  rows.centre.assign(at(rows.cols), 0);
  rows.scale.assign(at(rows.cols), 0);
  const auto weight = [&](Index i) { return rows.weight.empty() ? 1 : rows.weight[at(i)]; };
  for (Index i = 0; i < rows.rows; ++i)
    for (Index j = 0; j < rows.cols; ++j) rows.centre[at(j)] += x[at(i * rows.cols + j)] * (weight(i) / total);
  for (Index i = 0; i < rows.rows; ++i)
    for (Index j = 0; j < rows.cols; ++j) {
      const double apart = x[at(i * rows.cols + j)] - rows.centre[at(j)];
      rows.scale[at(j)] += apart * apart * (weight(i) / total);
    }
  for (Index j = 0; j < rows.cols; ++j) {
    const double deviation = std::sqrt(rows.scale[at(j)]);
    rows.scale[at(j)] =
        deviation > 1e-13 * std::fabs(rows.centre[at(j)]) && std::isfinite(1 / deviation) ? 1 / deviation : 1;
  }
}

} // namespace recta::neighbours
