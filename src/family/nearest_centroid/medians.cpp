#include "family/nearest_centroid/medians.hpp"

#include "base/double_double.hpp"
#include "base/numbers.hpp"
#include "feature/classes.hpp"
#include "stats/rows.hpp"

#include <algorithm>

namespace recta::nearest_centroid {
namespace {

struct ClassRows {
  std::vector<double> x, weight; // rows x columns, by row
};

Result<std::vector<ClassRows>> rows_by_class(const Classes& classes, const Rows& rows) {
  std::vector<ClassRows> out(classes.labels.size());
  const std::size_t p = at(rows.source.cols());
  const auto read = for_each_batch(rows.source, [&](const Batch& batch) -> Result<void> {
    for (Index i = 0; i < batch.rows(); ++i) {
      const double v = batch.weight.empty() ? 1 : batch.weight[at(i)];
      if (!(v > 0)) continue;
      ClassRows& class_rows = out[at(feature::class_place(classes, element(batch.target, i, 0)))];
      class_rows.weight.push_back(v);
      const std::size_t begin = class_rows.x.size();
      class_rows.x.resize(begin + p);
      if (const auto* dense = std::get_if<MatrixView>(&batch.x)) {
        gather(*dense, std::span(&i, 1), class_rows.x.data() + begin, dense->cols);
      } else {
        const SparseRow row = sparse_row(std::get<SparseView>(batch.x), i);
        for (Index s = 0; s < row.count; ++s) class_rows.x[begin + at(row.column(s))] = row.value[s];
      }
    }
    return {};
  });
  if (!read) return std::unexpected(read.error());
  return out;
}

double median(const ClassRows& rows, std::size_t p, std::size_t j) {
  std::vector<std::pair<double, double>> values;
  DoubleDouble total, below;
  for (std::size_t i = 0; i < rows.weight.size(); ++i) {
    values.emplace_back(rows.x[i * p + j], rows.weight[i]);
    total += rows.weight[i];
  }
  std::ranges::sort(values);
  const DoubleDouble half = total * 0.5;
  for (std::size_t i = 0; i < values.size(); ++i) {
    below += values[i].second;
    const double left = (below - half).hi;
    if (left > 0 || i + 1 == values.size()) return values[i].first;
    if (left == 0) return values[i].first + (values[i + 1].first - values[i].first) / 2;
  }
  return kNaN; // every class has rows
}

} // namespace

Result<std::vector<double>> class_medians(const Classes& classes, const Rows& rows, Pool& pool) {
  const auto by_class = rows_by_class(classes, rows);
  if (!by_class) return std::unexpected(by_class.error());
  const std::size_t p = at(rows.source.cols());
  std::vector<double> out(by_class->size() * p);
  pool.run(static_cast<Index>(out.size()),
           [&](Index i, int) { out[at(i)] = median((*by_class)[at(i) / p], p, at(i) % p); });
  return out;
}

} // namespace recta::nearest_centroid
