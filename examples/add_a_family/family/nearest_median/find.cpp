#include "base/numbers.hpp"
#include "family/nearest_median/nearest_median.hpp"
#include "feature/classes.hpp"
#include "stats/rows.hpp"

#include <algorithm>

namespace recta::family::nearest_median {
namespace {

struct Weighed {
  double value, weight;
};

double median(std::vector<Weighed>& values) {
  std::ranges::sort(values, {}, &Weighed::value);
  double total = 0, below = 0;
  for (const Weighed& one : values) total += one.weight;
  for (const Weighed& one : values)
    if ((below += one.weight) >= total / 2) return one.value;
  return 0; // a class without weight is no class
}

} // namespace

double Medians::score_constant(std::size_t k) const {
  double squares = 0;
  for (const double m : of_class[k]) squares += m * m;
  return -squares / 2;
}

Result<Medians> find(const Schema& schema, const Rows& rows) {
  const std::size_t classes = at(schema.classes.count()), cols = at(rows.source.cols());
  std::vector<std::vector<Weighed>> values(classes * cols);
  const auto read = for_each_batch(rows.source, [&](const Batch& batch) -> Result<void> {
    const auto& x = std::get<MatrixView>(batch.x);
    for (Index i = 0; i < batch.rows(); ++i) {
      const double weight = batch.weight.empty() ? 1 : batch.weight[at(i)];
      if (!(weight > 0)) continue;
      const std::size_t k = at(feature::class_place(schema.classes, element(batch.target, i, 0)));
      for (std::size_t j = 0; j < cols; ++j)
        values[k * cols + j].push_back({element(x, i, static_cast<Index>(j)), weight});
    }
    return {};
  });
  if (!read) return std::unexpected(read.error());
  Medians out{.of_class = std::vector(classes, std::vector<double>(cols))};
  for (std::size_t k = 0; k < classes; ++k)
    for (std::size_t j = 0; j < cols; ++j) out.of_class[k][j] = median(values[k * cols + j]);
  return out;
}

} // namespace recta::family::nearest_median
